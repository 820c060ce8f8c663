/** Scripts whose text is not in a file that exists: what they run is not known. */
import { statSync } from 'node:fs';
import { basename } from 'node:path';
import { scriptFileOf } from './shell-scripts.js';
import { type Places, type Surroundings, walkWord } from './surroundings.js';
import type { SimpleCommand } from './types.js';

/** `cd /dev && bash stdin` runs its input; a file that this line writes first may hold anything. */
export function runsUnseenScript(
  { name, words }: SimpleCommand,
  around: Surroundings,
  { bases, unknown, walker }: Places,
): boolean {
  const file = scriptFileOf(basename(name), words.slice(1));
  if (!file) return false;
  const walked = walkWord(file, bases, around, walker);
  if (unknown || !walked || walked.some(({ certainty }) => certainty === 'unknown')) return true;
  const kinds = walked.map(({ path }) => kindOf(path));
  return kinds.includes('other') || !kinds.includes('file');
}

function kindOf(path: string): 'file' | 'other' | undefined {
  const stats = statSync(path, { throwIfNoEntry: false });
  if (!stats) return undefined;
  return stats.isFile() ? 'file' : 'other';
}
