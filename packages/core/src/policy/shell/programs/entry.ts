/** The format of the program table, and how to find an option in all its spellings. */
import type { Word } from '../types.js';

/** An option, subcommand or script by which a program starts others, writes elsewhere or removes files. */
export interface Danger {
  /** As written in the command. */
  written: string;
  /** As listed in the table: `--upload-pack` for `--upload-p=x`. */
  option: string;
}

export interface OptionTable {
  /** Long options; programs accept any unique abbreviation. */
  long?: string;
  /** Harmless long options that look like an abbreviation of one above. */
  otherLong?: string;
  /** Short options, also inside a bundle. */
  short?: string;
  /** Short options that take a value: the rest of the bundle is that value. */
  valued?: string;
  /** Long options with one dash, with or without an attached value. */
  single?: string;
}

export interface Program extends OptionTable {
  /** Without version: `python` includes `python3.11`. */
  names: string;
  /** Text for docs/policies.md besides options and subcommands. */
  also?: string;
  subcommands?: string;
  /** Runs what its files or arguments say, whatever the options: an "always" answer covers only the words shown. */
  runsAnything?: true;
  /** A glob that matches a file named like an option is dangerous. */
  globs?: true;
  /** Other options than `valued` that take the next word as value. */
  values?: string;
  /** `--` does not end the options. */
  noEnd?: true;
  /** The words that may be dangerous options when their value is unknown. Absent: all. */
  unknownPlaces?: (args: readonly Word[]) => readonly Word[];
  check?: (args: readonly Word[]) => Danger[];
}

const lists = new Map<string, readonly string[]>();

/** The words of a table entry, split once. */
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

/** Indexes of the first operand, and of the next if the first may be an option's value: `npm --prefix . exec`. */
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

/** The words before `--`, after which there are no options. */
export function beforeEnd(args: readonly Word[]): readonly Word[] {
  const end = args.findIndex(({ text }) => text === '--');
  return end < 0 ? args : args.slice(0, end);
}

/** Finds `-I` in `-cIf`. */
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

export function matching(args: readonly Word[], pattern: RegExp): Danger[] {
  return args.filter(({ text }) => pattern.test(text)).map(({ text }) => ({ written: text, option: text }));
}
