/**
 * Protected names in a workspace: files that decide which programs run later, or contain secrets. One list for the
 * file tools, for redirections of commands and for the sandbox.
 */

export interface ProtectedName {
  /** For messages. */
  name: string;
  pattern: RegExp;
  isDirectory: boolean;
  /** Whether an edit that would run unasked asks the user or is denied. */
  answer: 'ask' | 'deny';
  /**
   * Read-only for sandboxed commands at the root of a workspace. `if there`: only if it exists, because `git add`
   * would commit an empty placeholder.
   */
  inToolSandbox?: 'always' | 'if there';
}

/** Matched against each part of a path, at any depth and in any case: `sub/.git/hooks` is in a nested repository. */
export const PROTECTED_NAMES: readonly ProtectedName[] = [
  { name: '.gemini', pattern: /^\.gemini$/i, isDirectory: true, answer: 'ask', inToolSandbox: 'always' },
  { name: '.git', pattern: /^\.git$/i, isDirectory: true, answer: 'deny' },
  { name: '.env', pattern: /^\.env$/i, isDirectory: false, answer: 'deny' },
  { name: '.env.*', pattern: /^\.env\../i, isDirectory: false, answer: 'ask' },
  { name: '.envrc', pattern: /^\.envrc$/i, isDirectory: false, answer: 'ask', inToolSandbox: 'if there' },
  { name: '.vscode', pattern: /^\.vscode$/i, isDirectory: true, answer: 'ask', inToolSandbox: 'always' },
  { name: 'node_modules', pattern: /^node_modules$/i, isDirectory: true, answer: 'deny' },
];

/** Worktrees that the program itself has made: inside, names count as in the project. */
const IN_WORKTREE = /^[\\/]?\.gemini[\\/]worktrees[\\/][A-Za-z0-9][\w.-]*[\\/](?!.*\.\.)/s;

/** The strictest protected name in a path relative to its workspace. */
export function protectedNameIn(path: string): ProtectedName | undefined {
  const parts = path.replace(IN_WORKTREE, '').split(/[\\/]+/);
  const found = PROTECTED_NAMES.filter(({ pattern }) => parts.some((part) => pattern.test(part)));
  return found.find(({ answer }) => answer === 'deny') ?? found[0];
}
