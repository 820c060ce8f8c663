/** Finds commands that run a script whose text is not in an existing file. */
import { statSync } from 'node:fs';
import { basename } from 'node:path';
import { type ShellContext, type WorkingDirectories, walkWord } from '../paths/working-directories.js';
import type { SimpleCommand } from '../types.js';
import { scriptFileOf } from './shell-scripts.js';

/** `cd /dev && bash stdin` runs its input; a missing file may be written by this line before it runs. */
export function runsUnseenScript(
  { name, words }: SimpleCommand,
  context: ShellContext,
  { bases, unknown, walker }: WorkingDirectories,
): boolean {
  const file = scriptFileOf(basename(name), words.slice(1));
  if (!file) return false;
  const walked = walkWord(file, bases, context, walker);
  if (unknown || !walked || walked.some(({ certainty }) => certainty === 'unknown')) return true;
  const kinds = walked.map(({ path }) => kindOf(path));
  return kinds.includes('other') || !kinds.includes('file');
}

function kindOf(path: string): 'file' | 'other' | undefined {
  const stats = statSync(path, { throwIfNoEntry: false });
  if (!stats) return undefined;
  return stats.isFile() ? 'file' : 'other';
}
