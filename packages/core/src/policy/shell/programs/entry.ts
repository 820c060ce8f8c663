/** One line of the table of programs, and how its options are found in all their spellings. */
import type { Word } from '../types.js';

/** An option, a subcommand or a script by which a program starts others, writes elsewhere or removes. */
export interface Danger {
  /** As it stands in the command. */
  written: string;
  /** As the table has it: `--upload-pack` for `--upload-p=x`. */
  option: string;
}

export interface OptionTable {
  /** Long options; programs take any unique beginning of them. */
  long?: string;
  /** Long options that are a beginning of one above, and mean something else. */
  otherLong?: string;
  /** Letters, also in the middle of a bundle. */
  short?: string;
  /** Letters that take a value: what follows them in a bundle are no letters. */
  valued?: string;
  /** Long options with one dash, with or without a value behind them. */
  single?: string;
}

export interface Program extends OptionTable {
  /** Without version: `python` stands for `python3.11`, too. */
  names: string;
  /** What is printed besides options and subcommands. */
  also?: string;
  subcommands?: string;
  /** It runs what its files or words say, whatever the options: an answer for it holds for the words shown. */
  runsAnything?: true;
  /** A file whose name begins with a dash would be an option. */
  globs?: true;
  /** Options whose value is the next word, besides the letters. */
  values?: string;
  /** `--` does not end its options. */
  noEnd?: true;
  /** The words that may be dangerous options when their value is not known; all of them if left out. */
  unknownPlaces?: (args: readonly Word[]) => readonly Word[];
  check?: (args: readonly Word[]) => Danger[];
}

const lists = new Map<string, readonly string[]>();

/** The words of a line of the table, split once. */
export function list(text = ''): readonly string[] {
  const known = lists.get(text) ?? text.split(/\s+/).filter(Boolean);
  lists.set(text, known);
  return known;
}

export function dangersOf(program: Program, args: readonly Word[]): Danger[] {
  const starters = list(program.subcommands);
  const subcommand =
    starters.length > 0 &&
    maybeSubcommands(args)
      .map((at) => args[at]?.text ?? '')
      .find((text) => starters.includes(text));
  return [
    ...dangerousOptions(program, args),
    ...(subcommand ? [{ written: subcommand, option: subcommand }] : []),
    ...(program.globs ? optionsByGlob(args) : []),
    ...(program.check?.(args) ?? []),
  ];
}

/** Places: the first operand; and the next, where the first may be the value of an option: `npm --prefix . exec`. */
export function maybeSubcommands(args: readonly Word[]): number[] {
  const found: number[] = [];
  for (const [index, { text }] of args.entries()) {
    if (text.startsWith('-')) continue;
    found.push(index);
    if (!args[index - 1]?.text.startsWith('-')) break;
  }
  return found;
}

export function dangerousOptions(table: OptionTable, args: readonly Word[]): Danger[] {
  const long = list(table.long);
  const single = list(table.single);
  const other = new Set(list(table.otherLong));
  return beforeEnd(args).flatMap(({ text }): Danger[] => {
    const [name = ''] = text.split('=');
    if (text.startsWith('--')) {
      if (other.has(name)) return [];
      const option = long.find((item) => item === name) ?? long.find((item) => item.startsWith(name));
      const alike = option ?? single.find((item) => text.slice(1).startsWith(item));
      return alike ? [{ written: text, option: alike }] : [];
    }
    const option = single.find((item) => text.startsWith(item)) ?? letterIn(text, table.short, table.valued);
    return option ? [{ written: text, option }] : [];
  });
}

/** What stands behind `--` are no options. */
export function beforeEnd(args: readonly Word[]): readonly Word[] {
  const end = args.findIndex(({ text }) => text === '--');
  return end < 0 ? args : args.slice(0, end);
}

/** `-I` of `-cIf`. */
export function letterIn(text: string, letters = '', valued = ''): string | undefined {
  if (!/^-[^-]/.test(text)) return undefined;
  for (const letter of text.slice(1)) {
    if (letters.includes(letter)) return `-${letter}`;
    if (valued.includes(letter)) return undefined;
  }
  return undefined;
}

function optionsByGlob(args: readonly Word[]): Danger[] {
  return beforeEnd(args)
    .filter(({ text, glob }) => glob && /^[-*?[]/.test(text))
    .map(({ text }) => ({ written: text, option: text }));
}

/** Every word that the pattern matches. */
export function matching(args: readonly Word[], pattern: RegExp): Danger[] {
  return args.filter(({ text }) => pattern.test(text)).map(({ text }) => ({ written: text, option: text }));
}
