/**
 * Names of a workspace that decide which programs run later, or hold secrets. One list for the file tools, for
 * redirections of commands and for the sandbox: what one of them holds back the others hold back, too.
 */

export interface ProtectedName {
  /** As users know it. */
  name: string;
  pattern: RegExp;
  isDirectory: boolean;
  /** What an unasked edit of it gets; a question can be answered with yes. */
  answer: 'ask' | 'deny';
  /**
   * Read-only at the root of a workspace that sandboxed commands write. `if there`: an empty file in place of an absent
   * one would be committed by `git add`.
   */
  inToolSandbox?: 'always' | 'if there';
}

/** Each is a whole part of a path, at any depth, in any case: `sub/.git/hooks` is that of a nested repository. */
export const PROTECTED_NAMES: readonly ProtectedName[] = [
  { name: '.gemini', pattern: /^\.gemini$/i, isDirectory: true, answer: 'ask', inToolSandbox: 'always' },
  { name: '.git', pattern: /^\.git$/i, isDirectory: true, answer: 'deny' },
  { name: '.env', pattern: /^\.env$/i, isDirectory: false, answer: 'deny' },
  { name: '.env.*', pattern: /^\.env\../i, isDirectory: false, answer: 'ask' },
  { name: '.envrc', pattern: /^\.envrc$/i, isDirectory: false, answer: 'ask', inToolSandbox: 'if there' },
  { name: '.vscode', pattern: /^\.vscode$/i, isDirectory: true, answer: 'ask', inToolSandbox: 'always' },
  { name: 'node_modules', pattern: /^node_modules$/i, isDirectory: true, answer: 'deny' },
];

/** The strictest of those that stand in a path. */
export function protectedNameIn(path: string): ProtectedName | undefined {
  const parts = path.split(/[\\/]+/);
  const found = PROTECTED_NAMES.filter(({ pattern }) => parts.some((part) => pattern.test(part)));
  return found.find(({ answer }) => answer === 'deny') ?? found[0];
}
