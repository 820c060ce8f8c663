/** Runs processes with declared rights on Linux: bubblewrap with an empty root, our proxy, and an observer. */
import { mkdtempSync, rmSync } from 'node:fs';
import { release } from 'node:os';
import { join } from 'node:path';
import { homeOf, temporaryDirectory } from '../../environment.js';
import { preparePrivateDirectory } from '../../files/private-file.js';
import { realPathOf } from '../../files/real-path.js';
import { findProgram } from '../../process/find-program.js';
import { randomHex } from '../../random.js';
import { globalGeminiDir } from '../../storage/storage.js';
import { probeIsolation } from '../linux/isolation-probe.js';
import { countsPerSandbox } from '../linux/kernel-version.js';
import { type OwnFiles, prepareOwnFiles } from '../linux/own-files.js';
import { PlaceholderStore } from '../linux/placeholders.js';
import { NO_BWRAP } from '../linux/refusals.js';
import { type BwrapOptions, findBwrap, refusalOfBwrap } from '../linux/try-bwrap.js';
import { type SandboxCheck, SandboxError, type SandboxRequest } from '../types.js';
import { observerArguments } from './observer.js';
import { Refusals } from './refusals.js';
import { ReportFile } from './report-file.js';
import { rightsCommand } from './rights-command.js';
import { localHostsOf, type RightsProxyOptions, rightsProxy } from './rights-proxy.js';
import { rightsView } from './rights-view.js';
import type { RestrictedCommand, RightsRequest, RightsSandbox } from './types.js';

export interface LinuxRightsOptions extends BwrapOptions {
  /** Path of perl, which runs the observer; null: there is none. */
  perl?: string | null;
  resolve?: RightsProxyOptions['resolve'];
}

export class LinuxRightsSandbox implements RightsSandbox {
  private readonly globalDir: string;
  private readonly directory: string;
  private readonly placeholders: PlaceholderStore;
  private checked: Promise<SandboxCheck> | undefined;
  private own: OwnFiles | undefined;
  /** Set by the check: the kernel may not support it. */
  private observes = true;

  constructor(private readonly options: LinuxRightsOptions) {
    this.globalDir = globalGeminiDir(options.variables);
    this.directory = options.stateDirectory ?? join(this.globalDir, 'tmp', 'sandbox');
    this.placeholders = new PlaceholderStore(join(this.directory, 'placeholders'));
  }

  /** Only success is remembered: a failure may be temporary. */
  check(): Promise<SandboxCheck> {
    this.checked ??= this.tryOut().then((answer) => {
      if (!answer.ok) this.checked = undefined;
      return answer;
    });
    return this.checked;
  }

  async restrict(request: RightsRequest): Promise<RestrictedCommand> {
    const check = await this.check();
    if (!check.ok) throw new SandboxError(check.reason, check.remedy);
    return this.isolate(request);
  }

  private async tryOut(): Promise<SandboxCheck> {
    this.observes = this.perl() !== undefined;
    const refusal = await refusalOfBwrap(this.options, {
      unixSockets: true,
      probe: () => this.probe(),
      change: () => {
        const wasObserving = this.observes;
        this.observes = false;
        return wasObserving;
      },
    });
    return refusal ?? { ok: true, notes: this.observes ? [] : [NOT_OBSERVED] };
  }

  private probe() {
    preparePrivateDirectory(this.directory);
    return probeIsolation(realPathOf(this.directory), (request) => this.isolate(asRights(request)));
  }

  private async isolate(request: RightsRequest): Promise<RestrictedCommand> {
    const bwrap = findBwrap(this.options);
    if (!bwrap) throw new SandboxError(NO_BWRAP.reason, NO_BWRAP.remedy);
    this.own ??= prepareOwnFiles(this.directory);
    const { filters, empty } = this.own;
    const { variables } = this.options;
    const node = realPathOf(process.execPath);
    const perl = this.observes ? this.perl() : undefined;
    const hosts = request.rights.capabilities.network;
    // Only the observer can forbid unix sockets to the process while it uses one for the proxy itself.
    const usesBridge = perl === undefined && hosts.length > 0;
    const view = rightsView(request, {
      home: homeOf(variables),
      own: [this.globalDir, this.directory],
      variables,
      programs: ['/bin/sh', ...(usesBridge ? [node] : [])],
    });
    const refusals = new Refusals({
      kindAt: (path) => view.plan.kindAt(path),
      path: request.env['PATH'],
      hosts,
      onRefused: request.onRefused,
    });
    for (const { path, why } of view.declared.refused) refusals.tell({ kind: 'path', path, why });
    const closers: (() => void | Promise<void>)[] = [() => refusals.endErrors()];
    const cleanup = async () => {
      for (const close of closers.splice(0).reverse()) await close();
    };
    try {
      const hold = await this.placeholders.holdProtected(view);
      closers.push(() => hold.release());
      const proxySocket =
        perl !== undefined || usesBridge ? await this.startProxy(hosts, refusals, closers) : undefined;
      const report = perl === undefined ? undefined : this.openReport(refusals, closers);
      const command = rightsCommand(request, {
        bwrap,
        filterFile: proxySocket === undefined ? filters.withoutSockets : filters.withSockets,
        mounts: view.plan.arguments(empty),
        links: view.links,
        folders: view.folders,
        cwd: realPathOf(request.cwd),
        ...(proxySocket !== undefined && { proxySocket }),
        ...(perl !== undefined &&
          report && {
            observer: {
              perl,
              arguments: this.observerArguments(request),
              reportFile: report.path,
              filterFile: filters.withoutSockets,
            },
          }),
        node,
        localHosts: localHostsOf(hosts),
        limitsProcesses: countsPerSandbox(release()),
      });
      return { ...command, cleanup, readErrors: (text) => refusals.readErrors(text) };
    } catch (error) {
      await cleanup();
      throw error;
    }
  }

  private async startProxy(
    hosts: readonly string[],
    refusals: Refusals,
    closers: (() => void | Promise<void>)[],
  ): Promise<string> {
    // The system limits the length of socket paths, so it is not below our own directory.
    const directory = mkdtempSync(join(temporaryDirectory(this.options.variables), 'gemini-proxy-'));
    closers.push(() => rmSync(directory, { recursive: true, force: true }));
    const { resolve } = this.options;
    const onRefused = (host: string) => refusals.refusedHost(host);
    const proxy = rightsProxy({ hosts, onRefused, ...(resolve && { resolve }) });
    const socket = join(directory, 's');
    await proxy.listen(socket);
    closers.push(() => proxy.close());
    return socket;
  }

  private openReport(refusals: Refusals, closers: (() => void | Promise<void>)[]): ReportFile {
    const path = join(this.directory, `report-${randomHex(8)}`);
    const report = new ReportFile(path, (attempt) => refusals.attempt(attempt));
    closers.push(() => report.close());
    return report;
  }

  private observerArguments({ env }: RightsRequest): string[] {
    return observerArguments(process.arch === 'arm64' ? 'arm64' : 'x64', env['PATH']);
  }

  private perl(): string | undefined {
    const { perl = findProgram('perl', this.options.variables['PATH']) } = this.options;
    return perl === null || perl === undefined ? undefined : realPathOf(perl);
  }
}

const NOT_OBSERVED =
  'What an extension tries to use beyond its declared rights is denied, but named only if it prints an error (perl is missing, or the kernel is older than 5.5).';

/** The probe writes its workspace and must see neither the canary nor the secret. */
function asRights({ policy, ...invocation }: SandboxRequest): RightsRequest {
  const [workspace = invocation.cwd] = policy.workspace;
  return {
    ...invocation,
    workspace,
    programs: ['readlink'],
    rights: {
      extension: 'probe',
      extensionPath: '/usr/lib',
      capabilities: { files: { read: [], write: [workspace] }, network: [], executables: [] },
    },
    onRefused: () => {},
  };
}
