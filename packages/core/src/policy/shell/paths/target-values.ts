/** Computes the values that a word may have, such as the target of a removal, as far as the text shows. */
import { basename } from 'node:path';
import type { Assignment, ParsedCommand, Word } from '../types.js';
import { homesOf, type ShellContext, type WorkingDirectory } from './working-directories.js';

export interface Values {
  values: string[];
  /** It may have any other value, too. */
  unknown: boolean;
}

const MAX_VALUES = 64;
/** Name and operator with operand; the result of other operators (`${x%y}`, `${x/a/b}`) is not computed. */
const VARIABLE = /\$(?:\{([A-Za-z_]\w*)(?:(:?[-=+?])([^}]*)|\[[^\]}]*\]|%\/|([^}]+))?\}|([A-Za-z_]\w*))/;
/** Placeholder for a value that is not in the text. */
const UNKNOWN_VALUE = '$(cat)';

/** @param bases possible working directories of the command */
export function valuesOfWord(
  word: Word,
  assignments: readonly Assignment[],
  context: ShellContext,
  bases: readonly WorkingDirectory[],
): Values {
  if (word.literal)
    return {
      values: [
        word.tilde || word.glob
          ? word.source.replace(/\\(.)/g, '$1').replace(/["']/g, '')
          : escapeTilde(word.text),
      ],
      unknown: false,
    };
  // `$'…'` with unknown escapes, or a translated `$"…"`.
  if (/\$["']/.test(word.source)) return { values: [], unknown: true };
  let values = expandBraces(word.source.replace(/\\([^$`])/g, '$1').replace(/["']/g, ''));
  for (let round = 0; round < 8; round++) {
    if (values.length > MAX_VALUES) return { values: [], unknown: true };
    if (!values.some((value) => /[$`]/.test(value))) break;
    values = values.flatMap((value) => expandOnce(value, assignments, context, bases));
  }
  const open = values.filter((value) => /[$`]/.test(value));
  // Braces remain in `{${HOME},x}` and in the values of a loop.
  const known = values.filter((value) => !/[$`]/.test(value)).flatMap(expandBraces);
  const isWhole = /^"[^"]*"$/.test(word.source);
  const splitsOtherwise = !isWhole && assignments.some(({ name }) => name === 'IFS');
  return {
    values: isWhole ? known : known.flatMap(splitByBlanks),
    unknown: splitsOtherwise || known.length > MAX_VALUES || open.some(isAnything),
  };
}

/** All assignments of the line. If a builtin changes the value (`declare -i`), it counts as unknown. */
export function assignmentsIn({
  assignments,
  commands,
}: Pick<ParsedCommand, 'assignments' | 'commands'>): Assignment[] {
  const all = [...assignments, ...commands.flatMap((command) => command.assignments)];
  const declared = commands
    .filter(({ name }) => /^(?:declare|typeset|local|export|readonly)$/.test(basename(name)))
    .flatMap(({ words }) => {
      const args = words.slice(1);
      const isChanged = args.some(({ text }) => /^-[A-Za-z]*[niluc]/.test(text));
      return args.filter(({ text }) => isChanged || /^\w+\+=[^(]/.test(text));
    })
    .map(({ text }) => ({ name: /^\w*/.exec(text)?.[0] ?? '', value: UNKNOWN_VALUE, literal: false }));
  return [...all, ...declared];
}

function splitByBlanks(value: string): string[] {
  return /\s/.test(value) ? [value, ...value.split(/\s+/).filter(Boolean)] : [value];
}

/** A quoted tilde is part of a file name. */
function escapeTilde(text: string): string {
  return text.startsWith('~') ? `./${text}` : text;
}

/** False only for `mktemp`, whose output is a new temporary folder. */
function isAnything(value: string): boolean {
  return !/^\$\(\s*mktemp\b[^)|;&<>`$\n]*\)$/.test(value);
}

function expandOnce(
  value: string,
  assignments: readonly Assignment[],
  context: ShellContext,
  bases: readonly WorkingDirectory[],
): string[] {
  const directory =
    /\$\(\s*pwd(?: -[LP])?\s*\)|`\s*pwd(?: -[LP])?\s*`|\$\(\s*git rev-parse --show-toplevel\s*\)/;
  if (directory.test(value))
    return namesOf(context, bases).map((name) => value.replace(directory, () => name));
  const match = VARIABLE.exec(value);
  if (!match || value.search(/[$`]/) < (match.index ?? 0)) return [value];
  const name = match[1] ?? match[5] ?? '';
  const put = (text: string) =>
    value.slice(0, match.index) + text + value.slice(match.index + match[0].length);
  const candidates = assignedTo(name, assignments);
  const inherited = inheritedBy(name, context, bases);
  const [, , operator = '', operand = '', other] = match;
  // The assignment may not run, so the inherited value counts, too.
  if (inherited.length > 0) candidates.push(...inherited);
  else if (candidates.length === 0 && !/^:?[-=?]$/.test(operator)) candidates.push('');
  if (other !== undefined) candidates.push(UNKNOWN_VALUE);
  if (/[-=+]$/.test(operator)) candidates.push(operand);
  return candidates.map((text) => put(text.replace(/["']/g, '')));
}

function assignedTo(name: string, assignments: readonly Assignment[]): string[] {
  const isSelfReference = (text: string) => new RegExp(`\\$(?:\\{[!#]?)?${name}(?!\\w)`).test(text);
  const found = assignments.filter((item) => item.name === name);
  return found.flatMap((item) => {
    // Unknown after `read x`, which takes input, and after `x=$x/y` and `x+=y`, which build it step by step.
    if (item.value === '' || (!item.literal && isSelfReference(item.value))) return [UNKNOWN_VALUE];
    const list = /^\(([\s\S]*)\)$/.exec(item.value)?.[1];
    return item.literal || list === undefined ? [item.value] : list.trim().split(/\s+/);
  });
}

function inheritedBy(name: string, context: ShellContext, bases: readonly WorkingDirectory[]): string[] {
  if (name === 'HOME') return homesOf(context);
  const given = context.env[name];
  const own = given ? [given] : [];
  return /^(?:OLD)?PWD$/.test(name) ? [...namesOf(context, bases), ...own] : own;
}

/** Names of the possible working directories. */
function namesOf({ cwd }: ShellContext, bases: readonly WorkingDirectory[]): string[] {
  return [...new Set([cwd, ...bases.flatMap(({ logical, real }) => [logical, real])])];
}

/** A sequence such as `{a..c}` becomes the glob `*`. */
function expandBraces(written: string): string[] {
  const text = written.replace(/(?<!\$)\{[^{},]*\.\.[^{},]*\}/g, '*');
  const match = /(?<!\$)\{([^{}]*,[^{}]*)\}/.exec(text);
  if (!match) return [text];
  const [whole, body = ''] = match;
  const parts = body.split(',').slice(0, MAX_VALUES);
  return parts
    .flatMap((part) =>
      expandBraces(text.slice(0, match.index) + part + text.slice(match.index + whole.length)).slice(
        0,
        MAX_VALUES,
      ),
    )
    .slice(0, MAX_VALUES * 2);
}
