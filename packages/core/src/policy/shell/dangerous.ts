/** Options that turn a command into one that removes files or starts other programs. */
import type { Danger } from './programs/entry.js';
import { dangersInWords, unknownInWords } from './programs.js';
import type { Assignment, SimpleCommand } from './types.js';
import { literalWord } from './words.js';

export { FIND_ACTIONS } from './programs/checks.js';

/** What the expansions among the words of a command may become. */
export interface HandedOn {
  texts: readonly string[];
  assigned: readonly Assignment[];
}

/** The first dangerous part as written. */
export function dangerIn(command: SimpleCommand): string | undefined {
  return dangersIn(command)[0]?.written;
}

export function dangersIn(
  { words }: SimpleCommand,
  { texts: handedOn, assigned }: HandedOn = { texts: [], assigned: [] },
): Danger[] {
  const open = words.filter(({ literal }) => !literal);
  if (open.length === 0) return dangersInWords(words);
  const texts = [...open.map(({ source }) => source), ...handedOn];
  const options = texts.flatMap((text) => text.replace(DEFAULT_VALUE, ' ').match(OPTION) ?? []);
  // What follows `--` would not be read as options.
  const [program, ...args] = words.filter(({ text }) => text !== '--');
  const known = program ? dangersInWords([program, ...args, ...options.map(literalWord)]) : [];
  return [...known, ...unknownInWords(words, assigned)];
}

/** `{--exec=x,y}`, `${z:---exec=x}` and `x=--exec=y` hold `--exec`. */
const OPTION = /(?<![\w./-])-{1,2}[A-Za-z][^\s{},"'`]*/g;
const DEFAULT_VALUE = /\$\{\w+:?[-=+]/g;
