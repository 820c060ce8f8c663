/** The sandbox around each command: current permissions, grants of the user, and what to ask for. */
import { existsSync, mkdirSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { messageOf } from '../base/errors.js';
import type { Environment } from '../platform/environment.js';
import { preparePrivateDirectory } from '../platform/files/private-file.js';
import { isInside, realPathOf } from '../platform/files/real-path.js';
import type { SandboxFile } from '../platform/sandbox/permissions/config-file.js';
import type { GrantSpan, HelperNeeds, SandboxedLine, ToolSandbox } from '../platform/sandbox/tool-sandbox.js';
import type {
  SandboxedCommand,
  SandboxManager,
  SandboxPolicy,
  SandboxRequest,
} from '../platform/sandbox/types.js';
import type { Storage } from '../platform/storage/storage.js';
import { ApprovalMode, type SandboxPermissions } from '../protocol/confirmation.js';
import type { WorkspaceContext } from '../workspace/workspace-context.js';
import type { CompleteParameters } from './parameters.js';

type SandboxParameters = Pick<
  CompleteParameters,
  'toolSandboxing' | 'sandboxAllowedPaths' | 'sandboxNetworkAccess' | 'disableAlwaysAllow' | 'approvals'
>;

export interface SandboxParts {
  parameters: () => SandboxParameters;
  isTrusted: () => boolean;
  environment: Environment;
  storage: Storage;
  targetDir: string;
  workspaceContext: WorkspaceContext;
  approvalMode: () => ApprovalMode;
  plansDirectory: () => string | undefined;
  /** Folders of activated skills: commands may run their scripts. */
  readOnlyFolders: () => readonly string[];
  notice: (message: string) => void;
}

/**
 * @returns a getter of the sandbox; undefined while `security.toolSandboxing` is off. Once on it stays on: a folder
 * that loses its trust must not lose its sandbox.
 */
export function composeSandbox(parts: SandboxParts): () => ToolSandbox | undefined {
  let sandbox: ToolSandbox | undefined;
  return () => {
    if (parts.parameters().toolSandboxing) sandbox ??= new SessionSandbox(parts);
    return sandbox;
  };
}

type Granted = readonly SandboxPermissions[];
type Invocation = Omit<SandboxRequest, 'policy'>;

/** Permissions for the rest of the session, for command lines that run only these programs. */
interface SessionGrant {
  programs: ReadonlySet<string>;
  permissions: SandboxPermissions;
}

class SessionSandbox implements ToolSandbox {
  private readonly grants: SessionGrant[] = [];
  private manager: Promise<SandboxManager> | undefined;
  private file: Promise<SandboxFile> | undefined;

  constructor(private readonly parts: SandboxParts) {}

  async offers(): Promise<GrantSpan[]> {
    const { isTrusted, parameters, approvalMode } = this.parts;
    const { disableAlwaysAllow, approvals } = parameters();
    const mode = await this.mode();
    if (approvalMode() === ApprovalMode.YOLO || !mode.allowOverrides) return [];
    if (!isTrusted() || disableAlwaysAllow) return ['once'];
    return approvals.allowsSaving ? ['once', 'session', 'saved'] : ['once', 'session'];
  }

  isolate(line: SandboxedLine, granted: Granted = []): (invocation: Invocation) => Promise<SandboxedCommand> {
    return async (invocation) => this.wrap(invocation, await this.policyOf(line, granted));
  }

  async missing(line: SandboxedLine, asked: SandboxPermissions, granted: Granted = []) {
    const { uncovered } = await import('../platform/sandbox/linux/uncovered.js');
    return uncovered(absolutePaths(asked, line.cwd, this.home), await this.policyOf(line, granted), {
      home: this.home,
      secrets: await this.secrets(),
    });
  }

  async needsUpFront(line: SandboxedLine): Promise<SandboxPermissions | undefined> {
    const { neededUpFront } = await import('../platform/sandbox/permissions/proactive-needs.js');
    const { joinPermissions } = await import('../platform/sandbox/linux/uncovered.js');
    const { commands } = await this.programsOf(line);
    const needs = commands.map(({ program, args }) => neededUpFront(program, args, this.home));
    const all = joinPermissions(needs);
    return all && this.missing(line, existingPaths(all));
  }

  async needsAfter(
    line: SandboxedLine,
    outcome: { output: string; exitCode: number | null },
    granted: Granted = [],
  ): Promise<SandboxPermissions | undefined> {
    const { neededAfterFailure } = await import('../platform/sandbox/permissions/expansion.js');
    const { protectedRoots } = await import('../platform/sandbox/linux/uncovered.js');
    // Missing paths are mounted only while a command runs; they can still be granted.
    const guarded = new Set(protectedRoots(this.parts.targetDir));
    const needed = neededAfterFailure(outcome, {
      home: this.home,
      cwd: line.cwd,
      exists: (path) => existsSync(path) || guarded.has(path),
    });
    return needed && this.missing(line, needed, granted);
  }

  async grant(line: SandboxedLine, permissions: SandboxPermissions, span: GrantSpan): Promise<void> {
    if (span === 'once') return;
    const { names } = await this.programsOf(line);
    if (names.length === 0) {
      this.parts.notice('The grant holds for this call only: what the command runs is not clear.');
      return;
    }
    this.grants.push({ programs: new Set(names), permissions });
    if (span === 'saved') await this.save(names, permissions);
  }

  wrapProcess(invocation: Invocation): Promise<SandboxedCommand> {
    return this.policy([], []).then((policy) => this.wrap(invocation, policy));
  }

  async wrapHelper(invocation: Invocation, { programs, writes }: HelperNeeds): Promise<SandboxedCommand> {
    const policy = await this.policy([], []);
    return this.wrap(invocation, {
      ...policy,
      readOnlyPaths: [...policy.readOnlyPaths, ...programs],
      writablePaths: [...policy.writablePaths, ...this.plansFor(writes)],
      workspaceWritable: policy.workspaceWritable && writes !== undefined,
      network: 'off',
    });
  }

  /** In plan mode the workspace is read-only, but the plans may be in it. */
  private plansFor(file: string | undefined): string[] {
    const plans = this.parts.plansDirectory();
    if (!file || !plans || !isInside(file, realPathOf(plans))) return [];
    // Only existing paths can be mounted.
    mkdirSync(plans, { recursive: true });
    return [plans];
  }

  private async save(programs: readonly string[], { network, fileSystem }: SandboxPermissions) {
    const { saveCommandGrant } = await import('../platform/sandbox/permissions/config-file.js');
    const grant = { allowedPaths: fileSystem?.write ?? [], allowNetwork: network ?? false };
    try {
      for (const program of programs) await saveCommandGrant(this.grantsPath(), program, grant);
    } catch (error) {
      this.parts.notice(`The grant holds for this session only: ${messageOf(error)}`);
    }
    this.file = undefined;
  }

  private async wrap(invocation: Invocation, policy: SandboxPolicy): Promise<SandboxedCommand> {
    this.manager ??= import('../platform/sandbox/create-manager.js').then(({ createSandboxManager }) =>
      createSandboxManager({ variables: this.parts.environment.variables }),
    );
    return (await this.manager).wrap({ ...invocation, policy });
  }

  private async policyOf(line: SandboxedLine, granted: Granted): Promise<SandboxPolicy> {
    const { names } = await this.programsOf(line);
    const ofSession = this.grants.filter(
      ({ programs }) => names.length > 0 && names.every((name) => programs.has(name)),
    );
    const ofCall = granted.map((item) => absolutePaths(item, line.cwd, this.home));
    return this.policy(names, [...ofSession.map(({ permissions }) => permissions), ...ofCall]);
  }

  private async policy(programs: readonly string[], granted: Granted): Promise<SandboxPolicy> {
    const { commandPolicy, sandboxMode } = await import('../platform/sandbox/permissions/command-policy.js');
    const { parameters, targetDir, storage, workspaceContext, approvalMode } = this.parts;
    const temporary = storage.getProjectTempDir();
    // Only existing paths can be mounted.
    preparePrivateDirectory(temporary);
    // A mount point cannot be renamed: commands cannot reach the memory suggestions.
    const memory = join(temporary, 'memory');
    const inbox = join(memory, '.inbox');
    preparePrivateDirectory(inbox);
    const policy = commandPolicy({
      workspace: targetDir,
      includeDirectories: workspaceContext.getDirectories().filter((path) => path !== targetDir),
      temporaryDirectories: [temporary, memory],
      forbiddenPaths: [
        ...['history', 'policies'].map((name) => join(storage.getGlobalGeminiDir(), name)),
        inbox,
      ],
      mode: sandboxMode(approvalMode()),
      file: await this.readFile(),
      programs,
      granted,
    });
    const { sandboxAllowedPaths, sandboxNetworkAccess } = parameters();
    const allowed = sandboxAllowedPaths.map((path) => fromHome(path, targetDir, this.home));
    return {
      ...policy,
      // Only existing paths can be mounted.
      readOnlyPaths: [
        ...policy.readOnlyPaths,
        ...this.parts.readOnlyFolders().filter((path) => existsSync(path)),
      ],
      writablePaths: [...policy.writablePaths, ...allowed],
      network: sandboxNetworkAccess ? 'on' : policy.network,
    };
  }

  private async mode() {
    const { sandboxMode } = await import('../platform/sandbox/permissions/command-policy.js');
    return (await this.readFile()).modes[sandboxMode(this.parts.approvalMode())];
  }

  private readFile(): Promise<SandboxFile> {
    this.file ??= import('../platform/sandbox/permissions/config-file.js').then(
      async ({ readSandboxFile }) => {
        const { file, warning } = await readSandboxFile(this.grantsPath());
        if (warning) this.parts.notice(warning);
        return file;
      },
    );
    return this.file;
  }

  private async programsOf({ command, environment }: SandboxedLine) {
    const { programsOf } = await import('../policy/shell/sandbox-line.js');
    return programsOf(command, environment, this.parts.environment.variables['PATH']);
  }

  /** The project's temporary directory is inside our own, and still open. */
  private async secrets(): Promise<string[]> {
    const { secretPaths } = await import('../platform/sandbox/paths/hidden-paths.js');
    const { environment, storage } = this.parts;
    const own = [storage.getGlobalGeminiDir()];
    return secretPaths(this.home, own, environment.variables).map(({ path }) => path);
  }

  /** In the policy folder, but not a rule file. */
  private grantsPath(): string {
    return join(this.parts.storage.getGlobalGeminiDir(), 'policies', 'sandbox.toml');
  }

  private get home(): string {
    return this.parts.environment.home;
  }
}

function absolutePaths(
  { network, fileSystem }: SandboxPermissions,
  cwd: string,
  home: string,
): SandboxPermissions {
  if (!fileSystem) return { network };
  const { read = [], write = [] } = fileSystem;
  return {
    network,
    fileSystem: {
      read: read.map((path) => fromHome(path, cwd, home)),
      write: write.map((path) => fromHome(path, cwd, home)),
    },
  };
}

/** Missing paths cannot be mounted and need not be shown. */
function existingPaths({ network, fileSystem }: SandboxPermissions): SandboxPermissions {
  const { read = [], write = [] } = fileSystem ?? {};
  return { network, fileSystem: { read: read.filter(existsSync), write: write.filter(existsSync) } };
}

function fromHome(path: string, base: string, home: string): string {
  return path === '~' || path.startsWith('~/') ? join(home, path.slice(1)) : resolve(base, path);
}
