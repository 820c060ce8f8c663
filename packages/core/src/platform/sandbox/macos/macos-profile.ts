/** Builds the Seatbelt profile of a sandboxed command. The last matching rule decides. Pure. */
import { join } from 'node:path';
import { escapeRegex } from '../../../base/escape-regex.js';
import { HOME_SECRETS, MAC_HOME_SECRETS } from '../paths/secret-files.js';
import type { SandboxPolicy } from '../types.js';

export interface ProfileSources {
  home: string;
  /** Real paths of the temporary directories a command may use. */
  temporary: readonly string[];
}

const GIT_PROTECTED = ['hooks', 'config', 'config.worktree', 'commondir', 'modules', 'worktrees'];
const DEVICES = ['null', 'zero', 'tty', 'stdout', 'stderr', 'dtracehelper'];

/** Denies writing, except to terminals, devices like /dev/null and the `writable` paths. */
export function denyWritesExcept(writable: readonly string[]): string[] {
  const devices = [...DEVICES.map((name) => literal(`/dev/${name}`)), regex('^/dev/(ttys[0-9]+|fd/[0-9]+)$')];
  return [
    '(version 1)',
    '(allow default)',
    '(deny file-write*)',
    rule('allow file-write*', [...devices, ...writable.map(subpath)]),
  ];
}

export const NO_NETWORK = ['(deny network*)', '(deny system-socket)'];

/** No access to the keychain, the clipboard and other processes. */
export const NO_OTHER_PROGRAMS = [
  '(deny mach-lookup (global-name "com.apple.SecurityServer") (global-name "com.apple.pasteboard.1"))',
  '(deny process-info* (target others))',
  '(deny signal (target others))',
  '(allow signal (target same-sandbox))',
  '(deny mach-priv-task-port)',
];

export function profileText(rules: readonly string[]): string {
  return `${rules.filter(Boolean).join('\n')}\n`;
}

export function commandProfile(policy: SandboxPolicy, { home, temporary }: ProfileSources): string {
  const { workspace, workspaceWritable, allowGitWrites } = policy;
  const guarded = workspace.flatMap((path) => [
    join(path, '.gemini'),
    join(path, '.vscode'),
    ...(allowGitWrites ? GIT_PROTECTED.map((name) => join(path, '.git', name)) : [join(path, '.git')]),
  ]);
  return profileText([
    ...denyWritesExcept([...temporary, ...(workspaceWritable ? workspace : [])]),
    rule('deny file-write*', guarded.map(subpath)),
    // Renaming `.git` would move its protected contents away.
    rule(
      'deny file-write-unlink',
      workspace.map((path) => literal(join(path, '.git'))),
    ),
    rule('deny file-read* file-write*', [
      ...[...HOME_SECRETS, ...MAC_HOME_SECRETS].map((name) => subpath(join(home, name))),
      ...workspace.map((path) => regex(`^${escapeRegex(path)}/([^/]+/){0,5}\\.env(\\..+)?$`)),
    ]),
    rule('allow file-read*', [...policy.readOnlyPaths, ...policy.writablePaths].map(subpath)),
    rule('allow file-write*', policy.writablePaths.map(subpath)),
    rule('deny file-read* file-write*', policy.forbiddenPaths.map(subpath)),
    ...(policy.network === 'on' ? [] : NO_NETWORK),
    ...NO_OTHER_PROGRAMS,
  ]);
}

/** Empty without filters: such a rule would apply to everything. */
export function rule(action: string, filters: readonly string[]): string {
  return filters.length === 0 ? '' : `(${action}\n  ${filters.join('\n  ')})`;
}

export function subpath(path: string): string {
  return `(subpath ${quoted(path)})`;
}

function literal(path: string): string {
  return `(literal ${quoted(path)})`;
}

export function regex(pattern: string): string {
  return `(regex #"${pattern.replaceAll('"', '\\"')}")`;
}

function quoted(text: string): string {
  return `"${text.replaceAll('\\', '\\\\').replaceAll('"', '\\"')}"`;
}
