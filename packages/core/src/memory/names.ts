/** The names of context files (`context.fileName`). */
import { isAbsolute } from 'node:path';
import type { MemoryProblem } from './types.js';

export const DEFAULT_CONTEXT_FILE = 'GEMINI.md';
/** In a folder without GEMINI.md the first existing one is read, if the user has configured no names. */
const OTHERS = ['AGENTS.md', 'CLAUDE.md'];

export interface ContextFileNames {
  /** All existing ones are read, in this order. */
  names: readonly string[];
  /** The first existing one is read when `names` gave nothing. */
  instead: readonly string[];
  problems: readonly MemoryProblem[];
}

const USUAL: ContextFileNames = { names: [DEFAULT_CONTEXT_FILE], instead: OTHERS, problems: [] };

export function contextFileNames(setting: string | readonly string[] | undefined): ContextFileNames {
  if (setting === undefined) return USUAL;
  const given: unknown[] = typeof setting === 'string' ? [setting] : [...setting];
  const problems: MemoryProblem[] = [];
  const names = given.flatMap((value) => {
    const name = typeof value === 'string' ? value.trim() : '';
    const problem = problemOf(name);
    if (problem) problems.push({ path: 'context.fileName', message: `"${String(value)}" ${problem}.` });
    return problem ? [] : [name];
  });
  // Only an empty list means no context files; unusable names fall back to the default.
  if (names.length === 0 && given.length > 0) return { ...USUAL, problems };
  return { names: [...new Set(names)], instead: [], problems };
}

/** `~/.gemini` also contains credentials and settings, which a project's file names must not reach. */
export function mayBeGlobal(name: string): boolean {
  return isProse(name);
}

export function isProse(path: string): boolean {
  return /\.(?:md|mdc|markdown|txt|rst|adoc)$/i.test(path);
}

function problemOf(name: string): string | undefined {
  if (name === '') return 'is not a file name and is ignored';
  if (isAbsolute(name) || /^[a-z]:/i.test(name) || name.startsWith('~')) {
    return 'must be a name, not a place, and is left out';
  }
  if (name.split(/[/\\]/).some((part) => part === '..' || part === '.')) {
    return 'may not lead out of a folder and is left out';
  }
  return /[\x00-\x1f\x7f]/.test(name) ? 'has characters no name needs and is left out' : undefined;
}
