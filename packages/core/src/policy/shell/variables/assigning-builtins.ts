/** Finds variables that builtins set: `printf -v PATH`, `read PATH` and `export 'PATH=.'` are assignments, too. */

import type { Assignment, Word } from '../types.js';
import { namesInExpression } from './arithmetic.js';
import { UNKNOWN_VARIABLE } from './assignments.js';
import { OPEN_EXPRESSION } from './expressions.js';

export interface BuiltinAssignments {
  assignments: Assignment[];
  /** Texts that the builtin evaluates as arithmetic (`let`, `declare -i`). */
  expressions?: string[];
}

/** @param program without its folder. Undefined: it sets no variables. */
export function setByBuiltin(program: string, args: readonly Word[]): BuiltinAssignments | undefined {
  switch (program) {
    case 'printf':
      return { assignments: optionNames(args, 'v', 'v') };
    case 'wait':
      return { assignments: optionNames(args, 'p', 'p') };
    case 'read':
      return { assignments: [...optionNames(args, 'adinNptu', 'a'), ...operandNames(args, 'adinNptu')] };
    case 'mapfile':
    case 'readarray':
      return { assignments: operandNames(args, 'dnOsuCc') };
    case 'getopts':
      return { assignments: args.slice(1, 2).map(named) };
    case 'coproc':
      return { assignments: args.length > 1 ? args.slice(0, 1).map(named) : [] };
    case 'unset':
      return { assignments: isForFunctions(args) ? [] : operandNames(args, '') };
    case 'let':
      return { assignments: args.flatMap(evaluated), expressions: args.map(expressionOf) };
    case 'export':
    case 'readonly':
    case 'declare':
    case 'typeset':
    case 'local':
      return declared(args);
    default:
      return undefined;
  }
}

interface Options {
  letters: string;
  values: { letter: string; value: Word | undefined }[];
  operands: readonly Word[];
}

/** Options end at the first operand, as builtins read them. @param valued letters that take a value */
function readOptions(args: readonly Word[], valued: string): Options {
  const options: Options = { letters: '', values: [], operands: [] };
  let index = 0;
  for (; index < args.length; index++) {
    const word = args[index] as Word;
    if (word.text === '--') {
      index++;
      break;
    }
    if (!/^[-+]./.test(word.text)) break;
    const at = [...word.text].findIndex((letter, place) => place > 0 && valued.includes(letter));
    options.letters += word.text.slice(1, at < 0 ? undefined : at);
    if (at < 0) continue;
    const attached = word.text.slice(at + 1);
    const value = attached ? { ...word, text: attached } : args[++index];
    options.values.push({ letter: word.text.charAt(at), value });
  }
  return { ...options, operands: args.slice(index) };
}

function optionNames(args: readonly Word[], valued: string, naming: string): Assignment[] {
  const { values, operands } = readOptions(args, valued);
  const given = values.filter(({ letter }) => naming.includes(letter)).map(({ value }) => value);
  // An expansion may become an option.
  const maybe = operands.slice(0, 1).filter(mayBeOption);
  return [...given.flatMap((value) => (value ? [named(value)] : [])), ...maybe.map(() => UNKNOWN_VARIABLE)];
}

function operandNames(args: readonly Word[], valued: string): Assignment[] {
  return readOptions(args, valued).operands.map(named);
}

function isForFunctions(args: readonly Word[]): boolean {
  return readOptions(args, '').letters.includes('f');
}

function mayBeOption({ literal, source }: Word): boolean {
  return !literal && /^["'\\]*[-$`{]/.test(source);
}

/** `NAME`, `NAME=value` or `NAME[subscript]`. */
function named(word: Word): Assignment {
  if (word.glob && !/^\w+\[\w*\]/.test(word.text)) return UNKNOWN_VARIABLE;
  const match = /^([A-Za-z_]\w*)(?:\[[^\]]*\])?(?:\+?=([\s\S]*))?$/.exec(word.text);
  if (match) {
    const value = match[2] ?? '';
    // In `export A="b"` the word still has its quotes.
    const isKnown = match[2] !== undefined && (word.literal || !/[$`]/.test(value));
    return { name: match[1] ?? '', value: isKnown ? value.replace(/["']/g, '') : value, literal: isKnown };
  }
  // Bash refuses a literal word that is not a valid name, so nothing is set.
  return word.literal ? { name: '1', value: '', literal: true } : UNKNOWN_VARIABLE;
}

function evaluated({ text, literal }: Word): Assignment[] {
  const names = literal ? namesInExpression(text) : undefined;
  return names?.map((name) => ({ name, value: '', literal: false })) ?? [UNKNOWN_VARIABLE];
}

function declared(args: readonly Word[]): BuiltinAssignments {
  const { letters, operands } = readOptions(args, '');
  if (/[fF]/.test(letters)) return { assignments: [] };
  const own = operands.map(named);
  // `declare -n a=PATH`: setting a sets PATH.
  const referred = letters.includes('n') ? own.map(referredBy) : [];
  return { assignments: [...own, ...referred], expressions: letters.includes('i') ? [OPEN_EXPRESSION] : [] };
}

function referredBy({ value, literal }: Assignment): Assignment {
  // Without a value, the next assignment to it chooses the variable.
  return literal && value !== ''
    ? { name: value.replace(/\[.*$/s, ''), value: '', literal: false }
    : UNKNOWN_VARIABLE;
}

function expressionOf({ literal, text }: Word): string {
  return literal ? text : OPEN_EXPRESSION;
}
