/** The Seatbelt profile of one sandboxed command on macOS. Of several rules that match, the last one decides. Pure. */
import { join } from 'node:path';
import { HOME_SECRETS, MAC_HOME_SECRETS } from '../paths/secret-files.js';
import type { SandboxPolicy } from '../types.js';

export interface ProfileSources {
  home: string;
  /** Real paths of the temporary directories a command may use. */
  temporary: readonly string[];
}

const GIT_PROTECTED = ['hooks', 'config', 'config.worktree', 'commondir', 'modules', 'worktrees'];
export const TERMINAL_DEVICES = [
  '/dev/null',
  '/dev/zero',
  '/dev/tty',
  '/dev/stdout',
  '/dev/stderr',
  '/dev/dtracehelper',
];

export function commandProfile(policy: SandboxPolicy, { home, temporary }: ProfileSources): string {
  const { workspace, workspaceWritable, allowGitWrites } = policy;
  const guarded = workspace.flatMap((path) => [
    join(path, '.gemini'),
    join(path, '.vscode'),
    ...(allowGitWrites ? GIT_PROTECTED.map((name) => join(path, '.git', name)) : [join(path, '.git')]),
  ]);
  const rules = [
    '(version 1)',
    '(allow default)',
    '(deny file-write*)',
    rule('allow file-write*', [
      ...TERMINAL_DEVICES.map(literal),
      regex('^/dev/(ttys[0-9]+|fd/[0-9]+)$'),
      ...temporary.map(subpath),
      ...(workspaceWritable ? workspace.map(subpath) : []),
    ]),
    rule('deny file-write*', guarded.map(subpath)),
    // Renaming a directory would take what is protected in it along.
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
    ...(policy.network === 'on' ? [] : ['(deny network*)', '(deny system-socket)']),
    '(deny mach-lookup (global-name "com.apple.SecurityServer") (global-name "com.apple.pasteboard.1"))',
    '(deny process-info* (target others))',
    '(deny signal (target others))',
    '(allow signal (target same-sandbox))',
    '(deny mach-priv-task-port)',
  ];
  return `${rules.filter(Boolean).join('\n')}\n`;
}

/** Empty when there is nothing to say: a rule without a filter would speak about everything. */
export function rule(action: string, filters: readonly string[]): string {
  return filters.length === 0 ? '' : `(${action}\n  ${filters.join('\n  ')})`;
}

export function subpath(path: string): string {
  return `(subpath ${quoted(path)})`;
}

export function literal(path: string): string {
  return `(literal ${quoted(path)})`;
}

export function regex(pattern: string): string {
  return `(regex #"${pattern.replaceAll('"', '\\"')}")`;
}

function quoted(text: string): string {
  return `"${text.replaceAll('\\', '\\\\').replaceAll('"', '\\"')}"`;
}

export function escapeRegex(text: string): string {
  return text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&');
}
