/** Contains commands on Linux with bubblewrap: they can read the machine, but not write or reach other programs. */
import { release } from 'node:os';
import { join } from 'node:path';
import { messageOf } from '../../../base/errors.js';
import { homeOf } from '../../environment.js';
import { preparePrivateDirectory } from '../../files/private-file.js';
import { realPathOf } from '../../files/real-path.js';
import { globalGeminiDir } from '../../storage/storage.js';
import { probeIsolation } from '../linux/isolation-probe.js';
import { countsPerSandbox } from '../linux/kernel-version.js';
import { type OwnFiles, prepareOwnFiles } from '../linux/own-files.js';
import { PlaceholderStore } from '../linux/placeholders.js';
import { NO_BWRAP } from '../linux/refusals.js';
import { type BwrapOptions, findBwrap, refusalOfBwrap } from '../linux/try-bwrap.js';
import { type SandboxCheck, SandboxError, type SandboxedCommand, type SandboxRequest } from '../types.js';
import { containedCommand } from './contained-command.js';
import { containedView } from './contained-view.js';
import { cachingReader } from './directory-cache.js';
import { guard } from './guard.js';
import { protectedBelow } from './protected-below.js';
import type { Container, ContainRequest } from './types.js';

export class LinuxContainer implements Container {
  private readonly globalDir: string;
  private readonly directory: string;
  private readonly placeholders: PlaceholderStore;
  private readonly read = cachingReader();
  private checked: Promise<SandboxCheck> | undefined;
  private own: OwnFiles | undefined;
  private readonly isRoot = process.getuid?.() === 0;
  /** Set by the check. */
  private userNamespace = !this.isRoot;

  constructor(private readonly options: BwrapOptions) {
    this.globalDir = globalGeminiDir(options.variables);
    this.directory = options.stateDirectory ?? join(this.globalDir, 'tmp', 'sandbox');
    this.placeholders = new PlaceholderStore(join(this.directory, 'placeholders'));
  }

  check(): Promise<SandboxCheck> {
    this.checked ??= this.tryOut();
    return this.checked;
  }

  problemOf({ kind, workspace }: Pick<ContainRequest, 'kind' | 'workspace'>): string | undefined {
    if (kind === 'read-only') return undefined;
    if (workspace.includes('/')) return 'The whole file system is the workspace.';
    try {
      for (const path of workspace) protectedBelow(path, this.read);
      return undefined;
    } catch (error) {
      return error instanceof SandboxError ? error.reason : messageOf(error);
    }
  }

  async contain(request: ContainRequest): Promise<SandboxedCommand> {
    const check = await this.check();
    if (!check.ok) throw new SandboxError(check.reason, check.remedy);
    return this.isolate(request);
  }

  private async tryOut(): Promise<SandboxCheck> {
    const refusal = await refusalOfBwrap(this.options, {
      unixSockets: false,
      probe: () => this.probe(),
      change: () => {
        this.userNamespace = true;
        return this.isRoot;
      },
    });
    return refusal ?? { ok: true, notes: [] };
  }

  private probe() {
    preparePrivateDirectory(this.directory);
    // The read-only kind is enough: a writable workspace uses the same means and takes longer to test.
    const wrap = ({ policy, ...invocation }: SandboxRequest) =>
      this.isolate({
        ...invocation,
        kind: 'read-only',
        workspace: policy.workspace,
        visiblePaths: policy.readOnlyPaths,
        hiddenPaths: policy.forbiddenPaths,
        trackedEnvFiles: async () => [],
      });
    return probeIsolation(realPathOf(this.directory), wrap, { writes: false });
  }

  private async isolate(request: ContainRequest): Promise<SandboxedCommand> {
    const bwrap = findBwrap(this.options);
    if (!bwrap) throw new SandboxError(NO_BWRAP.reason, NO_BWRAP.remedy);
    this.own ??= prepareOwnFiles(this.directory);
    const { empty, filters } = this.own;
    const view = await containedView(request, {
      home: homeOf(this.options.variables),
      own: [this.globalDir, this.directory],
      env: this.options.variables,
      read: this.read,
    });
    const hold = await this.placeholders.holdProtected(view);
    const cwd = realPathOf(request.cwd);
    const started = containedCommand(request, {
      bwrap,
      filterFile: filters.withoutSockets,
      mounts: view.plan.arguments(empty),
      cwd,
      shownCwd: shownDirectory(request.env['PWD'], cwd),
      userNamespace: this.userNamespace,
      limitsProcesses: countsPerSandbox(release()),
    });
    return {
      ...started,
      cleanup: () => hold.release(),
      watch: (pid) => guard(pid, { countsProcesses: this.isRoot || !countsPerSandbox(release()) }),
    };
  }
}

/** A shell keeps PWD if it names the current directory, even through links. */
function shownDirectory(named: string | undefined, cwd: string): string | undefined {
  if (!named?.startsWith('/') || named === cwd) return undefined;
  return realPathOf(named) === cwd ? named : undefined;
}
