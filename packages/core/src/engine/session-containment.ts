/** The sandbox for commands that run without a question: directories, variables, and what git needs. */
import { statSync } from 'node:fs';
import { join } from 'node:path';
import type { Environment } from '../platform/environment.js';
import type { CommandContainment } from '../platform/sandbox/containment/command-containment.js';
import type { Container } from '../platform/sandbox/containment/types.js';
import type { SandboxedLine } from '../platform/sandbox/tool-sandbox.js';
import {
  type SandboxCheck,
  SandboxError,
  type SandboxedCommand,
  type SandboxRequest,
} from '../platform/sandbox/types.js';
import type { Storage } from '../platform/storage/storage.js';
import type { Containment } from '../protocol/confirmation.js';
import type { WorkspaceContext } from '../workspace/workspace-context.js';

export interface ContainmentParts {
  environment: Environment;
  storage: Storage;
  targetDir: string;
  workspaceContext: WorkspaceContext;
  /** Folders of activated skills. */
  readOnlyFolders?: () => readonly string[];
}

type Invocation = Omit<SandboxRequest, 'policy'>;

const ABSENT = {
  ok: false,
  reason: 'Commands cannot be contained on this platform.',
  remedy: 'Run the program in a container.',
} as const satisfies SandboxCheck;

export class SessionContainment implements CommandContainment {
  private container: Promise<Container | undefined> | undefined;
  /** Tracked files for the index checked last: commands run one after another. */
  private tracked: { index: string; files: readonly string[] } | undefined;

  constructor(private readonly parts: ContainmentParts) {}

  async check(kind: Containment): Promise<'held' | 'absent' | { problem: string }> {
    const container = await this.open();
    if (!container || !(await container.check()).ok) return 'absent';
    if (container.kinds?.includes(kind) === false) return 'absent';
    const problem = container.problemOf({ kind, workspace: this.workspace() });
    return problem === undefined ? 'held' : { problem };
  }

  async state(): Promise<SandboxCheck> {
    const check = (await (await this.open())?.check()) ?? ABSENT;
    if (!check.ok) return check;
    const { searchNotes } = await import('../platform/sandbox/paths/search-notes.js');
    return { ...check, notes: [...check.notes, ...searchNotes(this.workspace())] };
  }

  isolate(line: SandboxedLine, kind: Containment): (invocation: Invocation) => Promise<SandboxedCommand> {
    return async (invocation) => {
      const container = await this.open();
      if (!container) throw new SandboxError(ABSENT.reason, ABSENT.remedy);
      const { containedEnvironment } = await import('../platform/sandbox/containment/environment.js');
      const { storage } = this.parts;
      const temporary = storage.getProjectTempDir();
      return container.contain({
        ...invocation,
        env: containedEnvironment(invocation.env, line.environment),
        kind,
        workspace: this.workspace(),
        visiblePaths: [temporary, ...(this.parts.readOnlyFolders?.() ?? [])],
        hiddenPaths: [
          ...['history', 'policies'].map((name) => join(storage.getGlobalGeminiDir(), name)),
          join(temporary, 'memory', '.inbox'),
        ],
        trackedEnvFiles: async (found) => (/\bgit\b/.test(line.command) ? this.trackedOf(found) : []),
      });
    };
  }

  private open(): Promise<Container | undefined> {
    this.container ??= import('../platform/sandbox/create-container.js').then(({ createContainer }) =>
      createContainer({ variables: this.parts.environment.variables }),
    );
    return this.container;
  }

  private workspace(): readonly string[] {
    const { targetDir, workspaceContext } = this.parts;
    return [...new Set([targetDir, ...workspaceContext.getDirectories()])];
  }

  /** Tracked files are not hidden: git has them anyway, and an empty file in their place would look like a change. */
  private async trackedOf(found: readonly string[]): Promise<readonly string[]> {
    const { targetDir, environment } = this.parts;
    const index = [identityOf(join(targetDir, '.git', 'index')), ...found].join('\n');
    if (this.tracked?.index === index) return this.tracked.files;
    const { runGit } = await import('../platform/git/git.js');
    const inside = found.filter((path) => path.startsWith(`${targetDir}/`));
    if (inside.length === 0) return [];
    try {
      const { stdout, exitCode } = await runGit(['ls-files', '-z', '--', ...inside], {
        cwd: targetDir,
        variables: environment.variables,
        timeoutMs: GIT_LIMIT_MS,
      });
      const names = exitCode === 0 ? stdout.split('\0').filter(Boolean) : [];
      const files = names.map((name) => join(targetDir, name));
      if (!index.startsWith(UNKNOWN)) this.tracked = { index, files };
      return files;
    } catch {
      // Without git nothing is tracked.
      return [];
    }
  }
}

const GIT_LIMIT_MS = 5_000;
const UNKNOWN = '?';

function identityOf(path: string): string {
  try {
    const stats = statSync(path, { bigint: true, throwIfNoEntry: false });
    return stats ? `${stats.ino} ${stats.size} ${stats.mtimeNs} ${stats.ctimeNs}` : UNKNOWN;
  } catch {
    // The `.git` of a linked worktree is a file.
    return UNKNOWN;
  }
}
