/** Where a command would run. */
import { isAbsolute, join, normalize, resolve } from 'node:path';
import type { SimpleCommand, Word } from './types.js';

export interface Surroundings {
  cwd: string;
  /** Real paths. */
  workspaces: readonly string[];
  home: string;
  env: Readonly<Record<string, string | undefined>>;
}

/** A literal path of a command line, absolute; `~user` stays what it is. */
export function pathOfWord(
  { text, tilde }: Pick<Word, 'text' | 'tilde'>,
  base: string,
  home: string,
): string {
  if (tilde && /^~(?:\/|$)/.test(text)) return normalize(join(home, text.slice(1)));
  return isAbsolute(text) ? normalize(text) : resolve(base, text);
}

export interface Places {
  /** Where the commands may stand when a `cd` came before. */
  bases: string[];
  /** Some `cd` went to a place that is not in the text. */
  unknown: boolean;
}

const MOST_BASES = 16;

/** Every directory some command of the line may run in. */
export function placesOf(commands: readonly SimpleCommand[], { cwd, home }: Surroundings): Places {
  const bases = [cwd];
  let unknown = false;
  for (const { name, words } of commands) {
    if (name !== 'cd' && name !== 'pushd') continue;
    const target = words.slice(1).find(({ text }) => !/^-[A-Za-z@]+$/.test(text) && text !== '--');
    if (!target) bases.push(home);
    else if (/^"?\$(?:HOME|\{HOME\})"?$/.test(target.source)) bases.push(home);
    else if (!target.literal || target.glob || target.text === '-') unknown = true;
    else for (const base of [...bases]) bases.push(pathOfWord(target, base, home));
    if (bases.length > MOST_BASES) return { bases: bases.slice(0, MOST_BASES), unknown: true };
  }
  return { bases: [...new Set(bases)], unknown };
}
