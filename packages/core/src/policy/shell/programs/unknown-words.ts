/** Finds words of unknown value that a program may read as options. */
import type { Assignment, Word } from '../types.js';
import { type Danger, list, type Program } from './entry.js';
import { type Expansion, expansionsIn } from './expansions.js';

/** The system sets them to a path or a name; a line that sets them asks anyway. */
const SYSTEM_VARIABLES = new Set(list('HOME PWD OLDPWD USER LOGNAME TMPDIR UID EUID'));
/** Commands that print numbers, hashes, dates or absolute paths, never a leading dash. */
const PLAIN_PRINTERS =
  /^(?:pwd|nproc|whoami|mktemp(?: -d)?|date(?: ['"]?\+%[YmdHMSsFTu%:._-]*['"]?)?|git rev-parse (?:--short |--verify )?[A-Z\d~^]+|git rev-parse --show-toplevel)$/;

/** @param assigned assignments of the line, for the values of variables */
export function unknownOptions(
  program: Program,
  args: readonly Word[],
  assigned: readonly Assignment[],
): Danger[] {
  const end = program.noEnd ? -1 : args.findIndex(({ text }) => text === '--');
  const places = program.unknownPlaces?.(args) ?? args;
  return (end < 0 ? args : args.slice(0, end))
    .filter((word, index) => {
      if (word.literal || !places.includes(word)) return false;
      const isValue = takesValue(program, args[index - 1]);
      return expansionsIn(word.source).some((item) => mayBeOption(item, isValue, assigned));
    })
    .map(({ source }) => ({ written: source, option: source }));
}

/** The shell splits an unquoted expansion, so a part of its value may be an option in any position. */
function mayBeOption(expansion: Expansion, isValue: boolean, assigned: readonly Assignment[]): boolean {
  const { isSplit, isFirst, isWhole, isInName, isBeforeDash } = expansion;
  if (!isSplit && (isValue || !(isFirst || isInName))) return false;
  if (expansion.kind === 'number') return false;
  if (expansion.kind === 'command') return !PLAIN_PRINTERS.test(expansion.text.trim());
  if (expansion.kind === 'parameters') return true;
  if (isFirst && isBeforeDash && !SYSTEM_VARIABLES.has(expansion.text)) return true;
  const values = assigned.filter(({ name }) => name === expansion.text);
  if (values.length === 0) {
    const isKnown = SYSTEM_VARIABLES.has(expansion.text) || expansion.hasDefault;
    return isSplit && isFirst && !isValue && !isKnown;
  }
  // A value that is the whole word is looked up in the option table elsewhere.
  return values.some(({ value, literal }) =>
    literal
      ? (!isWhole && /(?:^|\s)-/.test(value)) || (isInName && !/^[\d.]+$/.test(value))
      : !isPlainValue(value),
  );
}

function isPlainValue(source: string): boolean {
  const found = expansionsIn(source);
  return (
    found.length > 0 &&
    found.every(({ kind, text, isFirst }) => {
      if (kind === 'number') return true;
      return kind === 'command' ? PLAIN_PRINTERS.test(text.trim()) : SYSTEM_VARIABLES.has(text) && isFirst;
    })
  );
}

/** In `sort -k "$x"` the quoted word is the value of `-k`. */
function takesValue({ valued = '', values }: Program, before: Word | undefined): boolean {
  if (!before?.literal) return false;
  if (list(values).includes(before.text)) return true;
  const letters = /^-([A-Za-z]+)$/.exec(before.text)?.[1] ?? '';
  const first = [...letters].findIndex((letter) => valued.includes(letter));
  return first >= 0 && first === letters.length - 1;
}
