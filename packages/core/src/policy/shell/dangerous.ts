/** Options that turn a command into one that removes files or starts other programs. */
import type { Danger } from './programs/entry.js';
import { dangersInWords } from './programs.js';
import type { SimpleCommand } from './types.js';

export { FIND_ACTIONS } from './programs/checks.js';
export const RG_STARTERS = /^(?:--pre(?:=|$)|--hostname-bin|--search-zip$|-[A-Za-z]*z)/;

/** The first dangerous part as written. */
export function dangerIn(command: SimpleCommand): string | undefined {
  return dangersIn(command)[0]?.written;
}

export function dangersIn({ words }: SimpleCommand): Danger[] {
  return dangersInWords(words);
}
