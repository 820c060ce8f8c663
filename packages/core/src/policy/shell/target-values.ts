/** The values that the target of a removal may have, as far as the text tells. */
import { basename } from 'node:path';
import { homesOf, type Place, type Surroundings } from './surroundings.js';
import type { Assignment, ParsedCommand, Word } from './types.js';

export interface Values {
  values: string[];
  /** It may be anything. */
  unknown: boolean;
}

const MOST_VALUES = 64;
/** Its name, its operator with what follows; other operators (`${x%y}`, `${x/a/b}`) make what nobody sees here. */
const VARIABLE = /\$(?:\{([A-Za-z_]\w*)(?:(:?[-=+?])([^}]*)|\[[^\]}]*\]|%\/|([^}]+))?\}|([A-Za-z_]\w*))/;
/** What stands for a value that is not in the text. */
const UNSEEN = '$(cat)';

/** @param bases where the command may stand */
export function valuesOfWord(
  word: Word,
  assignments: readonly Assignment[],
  around: Surroundings,
  bases: readonly Place[],
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
  // A string with escapes that cannot be read, or one that is translated.
  if (/\$["']/.test(word.source)) return { values: [], unknown: true };
  let values = expandBraces(word.source.replace(/\\([^$`])/g, '$1').replace(/["']/g, ''));
  for (let round = 0; round < 8; round++) {
    if (values.length > MOST_VALUES) return { values: [], unknown: true };
    if (!values.some((value) => /[$`]/.test(value))) break;
    values = values.flatMap((value) => expandOnce(value, assignments, around, bases));
  }
  const open = values.filter((value) => /[$`]/.test(value));
  // `{${HOME},x}`, or braces in the values of a loop.
  const known = values.filter((value) => !/[$`]/.test(value)).flatMap(expandBraces);
  const isWhole = /^"[^"]*"$/.test(word.source);
  const splitsOtherwise = !isWhole && assignments.some(({ name }) => name === 'IFS');
  return {
    values: isWhole ? known : known.flatMap(splitByBlanks),
    unknown: splitsOtherwise || known.length > MOST_VALUES || open.some(isAnything),
  };
}

/** All that may be in force, also those before a command. What a builtin changes on the way is not seen. */
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
    .map(({ text }) => ({ name: /^\w*/.exec(text)?.[0] ?? '', value: UNSEEN, literal: false }));
  return [...all, ...declared];
}

function splitByBlanks(value: string): string[] {
  return /\s/.test(value) ? [value, ...value.split(/\s+/).filter(Boolean)] : [value];
}

/** A quoted tilde is a name. */
function escapeTilde(text: string): string {
  return text.startsWith('~') ? `./${text}` : text;
}

/** A temporary folder is what `mktemp` makes; nothing else is known about the output of a command. */
function isAnything(value: string): boolean {
  return !/^\$\(\s*mktemp\b[^)|;&<>`$\n]*\)$/.test(value);
}

function expandOnce(
  value: string,
  assignments: readonly Assignment[],
  around: Surroundings,
  bases: readonly Place[],
): string[] {
  const directory =
    /\$\(\s*pwd(?: -[LP])?\s*\)|`\s*pwd(?: -[LP])?\s*`|\$\(\s*git rev-parse --show-toplevel\s*\)/;
  if (directory.test(value))
    return namesOf(around, bases).map((name) => value.replace(directory, () => name));
  const match = VARIABLE.exec(value);
  if (!match || value.search(/[$`]/) < (match.index ?? 0)) return [value];
  const name = match[1] ?? match[5] ?? '';
  const put = (text: string) =>
    value.slice(0, match.index) + text + value.slice(match.index + match[0].length);
  const candidates = assignedTo(name, assignments);
  const inherited = inheritedBy(name, around, bases);
  const [, , operator = '', operand = '', other] = match;
  // The assignment may stand where it does not run.
  if (inherited.length > 0) candidates.push(...inherited);
  else if (candidates.length === 0 && !/^:?[-=?]$/.test(operator)) candidates.push('');
  if (other !== undefined) candidates.push(UNSEEN);
  if (/[-=+]$/.test(operator)) candidates.push(operand);
  return candidates.map((text) => put(text.replace(/["']/g, '')));
}

function assignedTo(name: string, assignments: readonly Assignment[]): string[] {
  const isSelfReference = (text: string) => new RegExp(`\\$(?:\\{[!#]?)?${name}(?!\\w)`).test(text);
  const found = assignments.filter((item) => item.name === name);
  return found.flatMap((item) => {
    // `read x` and the like: it comes from the input. `x=$x/y` and `x+=y`: it was made step by step.
    if (item.value === '' || (!item.literal && isSelfReference(item.value))) return [UNSEEN];
    const list = /^\(([\s\S]*)\)$/.exec(item.value)?.[1];
    return item.literal || list === undefined ? [item.value] : list.trim().split(/\s+/);
  });
}

function inheritedBy(name: string, around: Surroundings, bases: readonly Place[]): string[] {
  if (name === 'HOME') return homesOf(around);
  const given = around.env[name];
  const own = given ? [given] : [];
  return /^(?:OLD)?PWD$/.test(name) ? [...namesOf(around, bases), ...own] : own;
}

/** Of the folders that the command may stand in. */
function namesOf({ cwd }: Surroundings, bases: readonly Place[]): string[] {
  return [...new Set([cwd, ...bases.flatMap(({ logical, real }) => [logical, real])])];
}

/** A sequence such as `{a..c}` becomes a glob that matches all of it. */
function expandBraces(written: string): string[] {
  const text = written.replace(/(?<!\$)\{[^{},]*\.\.[^{},]*\}/g, '*');
  const match = /(?<!\$)\{([^{}]*,[^{}]*)\}/.exec(text);
  if (!match) return [text];
  const [whole, body = ''] = match;
  const parts = body.split(',').slice(0, MOST_VALUES);
  return parts
    .flatMap((part) =>
      expandBraces(text.slice(0, match.index) + part + text.slice(match.index + whole.length)).slice(
        0,
        MOST_VALUES,
      ),
    )
    .slice(0, MOST_VALUES * 2);
}
