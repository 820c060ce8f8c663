/** Builds the sandbox policy of a command line from the mode, the grants of this session and the saved ones. Pure. */
import { ApprovalMode, type SandboxPermissions } from '../../../protocol/confirmation.js';
import { DEFAULT_LIMITS, type SandboxLimits, type SandboxPolicy } from '../types.js';
import type { SandboxFile, SandboxMode } from './config-file.js';

export interface CommandPolicySources {
  workspace: string;
  /** Readable, not writable. */
  includeDirectories: readonly string[];
  /** Our own directories that a command may write: the project's temporary directory. */
  temporaryDirectories: readonly string[];
  forbiddenPaths: readonly string[];
  mode: SandboxMode;
  file: SandboxFile;
  /** Names of all programs in the command line, as parsed by policy; empty: unknown. */
  programs: readonly string[];
  /** Approved for this call or this session. */
  granted: readonly SandboxPermissions[];
  limits?: SandboxLimits;
}

export function commandPolicy(sources: CommandPolicySources): SandboxPolicy {
  const { workspace, includeDirectories, temporaryDirectories, forbiddenPaths, file, granted } = sources;
  const programs = sources.programs.map((program) => program.split('/').at(-1) ?? program);
  const mode = file.modes[sources.mode];
  const saved = sharedGrant(programs, file);
  const isOpen = mode.network === true || saved.network || granted.some(({ network }) => network);
  const hosts = Array.isArray(mode.network) ? mode.network : [];
  return {
    workspace: [workspace],
    readOnlyPaths: [...includeDirectories, ...granted.flatMap(({ fileSystem }) => fileSystem?.read ?? [])],
    writablePaths: [
      ...temporaryDirectories,
      ...saved.paths,
      ...granted.flatMap(({ fileSystem }) => fileSystem?.write ?? []),
    ],
    forbiddenPaths,
    network: isOpen ? 'on' : hosts.length > 0 ? { allowHosts: hosts } : 'off',
    workspaceWritable: !mode.readonly,
    allowGitWrites: !mode.readonly && programs.length > 0 && programs.every((program) => program === 'git'),
    limits: sources.limits ?? DEFAULT_LIMITS,
  };
}

const MODES: Readonly<Record<ApprovalMode, SandboxMode>> = {
  [ApprovalMode.PLAN]: 'plan',
  [ApprovalMode.DEFAULT]: 'default',
  [ApprovalMode.AUTO_EDIT]: 'accepting_edits',
  [ApprovalMode.YOLO]: 'yolo',
};

export function sandboxMode(mode: ApprovalMode): SandboxMode {
  return MODES[mode];
}

/** Only what every program of the line was granted: in `npm install && other`, other must not get npm's rights. */
function sharedGrant(
  programs: readonly string[],
  { commands }: SandboxFile,
): { network: boolean; paths: string[] } {
  const [first, ...rest] = programs.map((program) => commands.get(program));
  if (!first || rest.includes(undefined)) return { network: false, paths: [] };
  return {
    network: first.allowNetwork && rest.every((grant) => grant?.allowNetwork),
    paths: first.allowedPaths.filter((path) => rest.every((grant) => grant?.allowedPaths.includes(path))),
  };
}
