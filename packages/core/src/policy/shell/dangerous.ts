/** Options that turn a command into one that removes files or starts other programs. */
import type { Danger } from './programs/entry.js';
import { dangersInWords } from './programs.js';
import type { SimpleCommand } from './types.js';
import { literalWord } from './words.js';

export { FIND_ACTIONS } from './programs/checks.js';
export const RG_STARTERS = /^(?:--pre(?:=|$)|--hostname-bin|--search-zip$|-[A-Za-z]*z)/;

/** The first dangerous part as written. */
export function dangerIn(command: SimpleCommand): string | undefined {
  return dangersIn(command)[0]?.written;
}

/** @param handedOn texts of the line that an expansion among its words may become */
export function dangersIn({ words }: SimpleCommand, handedOn: readonly string[] = []): Danger[] {
  const open = words.filter(({ literal }) => !literal);
  if (open.length === 0) return dangersInWords(words);
  const texts = [...open.map(({ source }) => source), ...handedOn];
  const options = texts.flatMap((text) => text.replace(DEFAULT_VALUE, ' ').match(OPTION) ?? []);
  // What follows `--` would not be read as options.
  const [program, ...args] = words.filter(({ text }) => text !== '--');
  return program ? dangersInWords([program, ...args, ...options.map(literalWord)]) : [];
}

/** `{--exec=x,y}`, `${z:---exec=x}` and `x=--exec=y` hold `--exec`. */
const OPTION = /(?<![\w./-])-{1,2}[A-Za-z][^\s{},"'`]*/g;
const DEFAULT_VALUE = /\$\{\w+:?[-=+]/g;
