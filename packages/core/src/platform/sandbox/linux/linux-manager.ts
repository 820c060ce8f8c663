/** Sandboxes commands on Linux with bubblewrap: namespaces, a seccomp filter and a private view of the files. */
import { mkdtempSync, readlinkSync, rmSync } from 'node:fs';
import { release } from 'node:os';
import { join } from 'node:path';
import { homeOf, temporaryDirectory } from '../../environment.js';
import { preparePrivateDirectory } from '../../files/private-file.js';
import { realPathOf } from '../../files/real-path.js';
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
import { NO_BWRAP, OLD_KERNEL_NOTE, ROOT_NOTE, withDisableHint } from './refusals.js';
import { type BwrapOptions, findBwrap, refusalOfBwrap } from './try-bwrap.js';

export interface LinuxSandboxOptions extends BwrapOptions {
  /** Name resolution and address check of the proxy. */
  proxy?: Omit<ProxyOptions, 'allowHosts'>;
}

export class LinuxSandboxManager implements SandboxManager {
  private readonly globalDir: string;
  private readonly directory: string;
  private readonly placeholders: PlaceholderStore;
  private checked: Promise<SandboxCheck> | undefined;
  /** Limit root from outside, if the kernel can; set by the check. */
  private limitsRoot = false;
  private own: OwnFiles | undefined;

  constructor(private readonly options: LinuxSandboxOptions) {
    this.globalDir = globalGeminiDir(options.variables);
    this.directory = options.stateDirectory ?? join(this.globalDir, 'tmp', 'sandbox');
    this.placeholders = new PlaceholderStore(join(this.directory, 'placeholders'));
  }

  /** Only success is remembered: a failure may be temporary, so the next command checks again. */
  check(): Promise<SandboxCheck> {
    this.checked ??= this.tryOut().then((answer) => {
      if (!answer.ok) this.checked = undefined;
      return withDisableHint(answer);
    });
    return this.checked;
  }

  async wrap(request: SandboxRequest): Promise<SandboxedCommand> {
    const check = await this.check();
    if (!check.ok) throw new SandboxError(check.reason, check.remedy);
    return this.isolate(request);
  }

  private async tryOut(): Promise<SandboxCheck> {
    const isRoot = process.getuid?.() === 0;
    const canLimitRoot = isRoot && hasOwnHighestId(release());
    this.limitsRoot = canLimitRoot;
    const refusal = await refusalOfBwrap(this.options, {
      unixSockets: true,
      probe: () => this.probe(),
      change: () => {
        this.limitsRoot = false;
        return canLimitRoot;
      },
    });
    if (refusal) return refusal;
    if (isRoot && !this.limitsRoot) return { ok: true, notes: [ROOT_NOTE] };
    return { ok: true, notes: countsPerSandbox(release()) ? [] : [OLD_KERNEL_NOTE] };
  }

  private probe(): Promise<ProbeFailure | undefined> {
    preparePrivateDirectory(this.directory);
    return probeIsolation(realPathOf(this.directory), (request) => this.isolate(request));
  }

  private async isolate(request: SandboxRequest): Promise<SandboxedCommand> {
    const bwrap = findBwrap(this.options);
    if (!bwrap) throw new SandboxError(NO_BWRAP.reason, NO_BWRAP.remedy);
    this.own ??= prepareOwnFiles(this.directory);
    const { filters, empty } = this.own;
    const { policy } = request;
    const node = process.execPath;
    const needsProxy = typeof policy.network === 'object';
    const view = fileView(policy, {
      home: homeOf(this.options.variables),
      own: [this.globalDir, this.directory],
      env: this.options.variables,
      programs: needsProxy ? [node] : [],
    });
    const hold = await this.placeholders.holdProtected(view);
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
    // The system limits the length of socket paths, so it is not below our own directory.
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
}

function ownNamespace(): string {
  return readlinkSync('/proc/self/ns/pid');
}
