/** Finds options by which a command removes files or starts other programs. */

import { literalWord } from './parsing/words.js';
import type { Danger } from './programs/entry.js';
import { dangersInWords, unknownInWords } from './programs.js';
import type { Assignment, SimpleCommand } from './types.js';

export { FIND_ACTIONS } from './programs/checks.js';

/** Values that expansions in a command may have. */
export interface ExpansionValues {
  texts: readonly string[];
  assigned: readonly Assignment[];
}

export function dangerIn(command: SimpleCommand): string | undefined {
  return dangersIn(command)[0]?.written;
}

export function dangersIn(
  { words }: SimpleCommand,
  { texts: indirectTexts, assigned }: ExpansionValues = { texts: [], assigned: [] },
): Danger[] {
  const open = words.filter(({ literal }) => !literal);
  if (open.length === 0) return dangersInWords(words);
  const texts = [...open.map(({ source }) => source), ...indirectTexts];
  const options = texts.flatMap((text) => text.replace(DEFAULT_VALUE, ' ').match(OPTION) ?? []);
  // Without `--`, because the added options would count as operands after it.
  const [program, ...args] = words.filter(({ text }) => text !== '--');
  const known = program ? dangersInWords([program, ...args, ...options.map(literalWord)]) : [];
  return [...known, ...unknownInWords(words, assigned)];
}

/** Finds `--exec` in `{--exec=x,y}`, `${z:---exec=x}` and `x=--exec=y`. */
const OPTION = /(?<![\w./-])-{1,2}[A-Za-z][^\s{},"'`]*/g;
const DEFAULT_VALUE = /\$\{\w+:?[-=+]/g;
