/** Isolates commands on Linux with bubblewrap: namespaces, a filtered kernel, and a file system of their own. */
import { existsSync, mkdtempSync, readlinkSync, rmSync } from 'node:fs';
import { release } from 'node:os';
import { join } from 'node:path';
import { messageOf } from '../../../base/errors.js';
import { homeOf, temporaryDirectory, type Variables } from '../../environment.js';
import { preparePrivateDirectory } from '../../files/private-file.js';
import { realPathOf } from '../../files/real-path.js';
import { findProgram } from '../../process/find-program.js';
import { globalGeminiDir } from '../../storage/storage.js';
import { AllowListProxy, type ProxyOptions } from '../network/allow-list-proxy.js';
import {
  type NetworkAccess,
  type SandboxCheck,
  SandboxError,
  type SandboxedCommand,
  type SandboxManager,
  type SandboxRequest,
} from '../types.js';
import { type BwrapLaunch, bwrapCommand } from './bwrap-command.js';
import { fileView } from './file-view.js';
import { type ProbeFailure, probeIsolation } from './isolation-probe.js';
import { countsPerSandbox, hasOwnHighestId } from './kernel-version.js';
import { type OwnFiles, prepareOwnFiles } from './own-files.js';
import { PlaceholderStore } from './placeholders.js';
import {
  NO_BWRAP,
  OLD_KERNEL_NOTE,
  orSwitchOff,
  ROOT_NOTE,
  refusalOf,
  UNKNOWN_PROCESSOR,
} from './refusals.js';
import { seccompFilter } from './seccomp.js';

export interface LinuxSandboxOptions {
  /** Path of bubblewrap; default: looked for. */
  bwrap?: string;
  /** Of the user: their home, their programs, where temporary files go. */
  variables: Variables;
  /** For files of our own: the filter, empty places, the ledger of placeholders. */
  stateDirectory?: string;
  /** How the proxy finds and judges addresses. */
  proxy?: Omit<ProxyOptions, 'allowHosts'>;
}

export class LinuxSandboxManager implements SandboxManager {
  private readonly globalDir: string;
  private readonly directory: string;
  private readonly placeholders: PlaceholderStore;
  private checked: Promise<SandboxCheck> | undefined;
  /** Limits root from outside, where the kernel can; found out by the check. */
  private limitsRoot = false;
  private own: OwnFiles | undefined;

  constructor(private readonly options: LinuxSandboxOptions) {
    this.globalDir = globalGeminiDir(options.variables);
    this.directory = options.stateDirectory ?? join(this.globalDir, 'tmp', 'sandbox');
    this.placeholders = new PlaceholderStore(join(this.directory, 'placeholders'));
  }

  /** A failure may have been one of the moment: it is looked into again with the next command. */
  check(): Promise<SandboxCheck> {
    this.checked ??= this.tryOut().then((answer) => {
      if (!answer.ok) this.checked = undefined;
      return orSwitchOff(answer);
    });
    return this.checked;
  }

  async wrap(request: SandboxRequest): Promise<SandboxedCommand> {
    const check = await this.check();
    if (!check.ok) throw new SandboxError(check.reason, check.remedy);
    return this.isolate(request);
  }

  private async tryOut(): Promise<SandboxCheck> {
    try {
      if (!this.findBwrap()) return NO_BWRAP;
      if (!seccompFilter(process.arch, { unixSockets: true })) return UNKNOWN_PROCESSOR;
      const isRoot = process.getuid?.() === 0;
      this.limitsRoot = isRoot && hasOwnHighestId(release());
      let failure = await this.probe();
      if (failure && this.limitsRoot) {
        this.limitsRoot = false;
        failure = await this.probe();
      }
      if (failure) return refusalOf(failure);
      if (isRoot && !this.limitsRoot) return { ok: true, notes: [ROOT_NOTE] };
      return { ok: true, notes: countsPerSandbox(release()) ? [] : [OLD_KERNEL_NOTE] };
    } catch (error) {
      return refusalOf({ reason: 'it could not be tried out', detail: messageOf(error) });
    }
  }

  private probe(): Promise<ProbeFailure | undefined> {
    preparePrivateDirectory(this.directory);
    return probeIsolation(realPathOf(this.directory), (request) => this.isolate(request));
  }

  private async isolate(request: SandboxRequest): Promise<SandboxedCommand> {
    const bwrap = this.findBwrap();
    if (!bwrap) throw new SandboxError(NO_BWRAP.reason, NO_BWRAP.remedy);
    const { filters, empty } = this.prepare();
    const { policy } = request;
    const node = process.execPath;
    const needsProxy = typeof policy.network === 'object';
    const view = fileView(policy, {
      home: homeOf(this.options.variables),
      own: [this.globalDir, this.directory],
      env: this.options.variables,
      programs: needsProxy ? [node] : [],
    });
    const guarded = view.protected.flatMap(({ path, placeholder }) =>
      placeholder === undefined ? [] : [{ path, content: placeholder }],
    );
    const hold = await this.placeholders.hold(guarded);
    // What we could not create the command cannot create either; there is nothing to mount on.
    for (const { path } of guarded) if (!existsSync(path)) view.plan.remove(path);
    try {
      const proxy = await this.startProxy(policy.network);
      const launch: BwrapLaunch = {
        bwrap,
        filterFile: policy.network === 'off' ? filters.withoutSockets : filters.withSockets,
        mounts: view.plan.arguments(empty),
        cwd: realPathOf(request.cwd),
        proxy: proxy && { socket: proxy.socket, node: realPathOf(node) },
        outerNamespace: this.limitsRoot ? ownNamespace() : undefined,
        limitsProcesses: countsPerSandbox(release()),
      };
      const cleanup = async () => {
        await proxy?.stop();
        await hold.release();
      };
      return { ...bwrapCommand(request, launch), cleanup };
    } catch (error) {
      await hold.release();
      throw error;
    }
  }

  private async startProxy(network: NetworkAccess) {
    if (typeof network === 'string') return undefined;
    // Paths of sockets are short by law: not below our own directory.
    const directory = mkdtempSync(join(temporaryDirectory(this.options.variables), 'gemini-proxy-'));
    const socket = join(directory, 's');
    const proxy = new AllowListProxy({ ...this.options.proxy, allowHosts: network.allowHosts });
    const removeDirectory = () => rmSync(directory, { recursive: true, force: true });
    await proxy.listen(socket).catch((error) => {
      removeDirectory();
      throw error;
    });
    return { socket, stop: () => proxy.close().then(removeDirectory) };
  }

  private findBwrap(): string | undefined {
    const { bwrap } = this.options;
    return bwrap === undefined
      ? findProgram('bwrap', this.options.variables['PATH'])
      : existsSync(bwrap)
        ? bwrap
        : undefined;
  }

  private prepare(): OwnFiles {
    this.own ??= prepareOwnFiles(this.directory);
    return this.own;
  }
}

/** The process namespace we run in ourselves. */
function ownNamespace(): string {
  return readlinkSync('/proc/self/ns/pid');
}
