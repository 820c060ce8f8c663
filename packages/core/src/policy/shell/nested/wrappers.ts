/** Finds the command that a wrapper such as `sudo` or `xargs` starts. */

import type { Word } from '../types.js';
import { isShell, scriptsRunBy, type Wrapped } from './shell-scripts.js';
import { type WrapperSyntax, wrapperSyntaxOf } from './wrapper-table.js';

const FIND_STARTERS = new Set(['-exec', '-execdir', '-ok', '-okdir']);

/** @param name without its folder. Empty: it starts nothing. */
export function wrappedBy(name: string, args: readonly Word[]): Wrapped[] {
  const scripts = scriptsRunBy(name, args);
  if (scripts) return scripts;
  // `command -v curl` only prints where curl is.
  if (name === 'command' && /^-p?[vV]/.test(args[0]?.text ?? '')) return [];
  if (name === 'runuser') return startedByRunuser(args);
  if (name === 'find' || name === 'gfind' || name === 'bfs') return findCommands(args);
  if (name === 'fd' || name === 'fdfind') return fdCommands(args);
  const syntax = wrapperSyntaxOf(name);
  return syntax ? startedBy(syntax, args) : [];
}

/** With `-u` a command follows; without, it works like `su`. */
function startedByRunuser(args: readonly Word[]): Wrapped[] {
  const su = wrapperSyntaxOf('su') ?? {};
  const isDirect = args.some(({ text }) => /^-[A-Za-z]*u|^--us?/.test(text));
  if (!isDirect) return startedBy(su, args);
  return startedBy({ valued: 'ugGc', longValued: ['--user', '--group', '--supp-group', '--command'] }, args);
}

function startedBy(syntax: WrapperSyntax, args: readonly Word[]): Wrapped[] {
  const head = readHead(syntax, args);
  if (head === undefined || (syntax.openArguments && takesNameFromInput(args, head.rest)))
    return [{ dynamic: true }];
  const { found, assignments, alternatives, hasOptions, rest } = head;
  if (rest.length === 0) {
    if (found.length > 0 || !syntax.opensShell)
      return alternatives.length > 0 ? [...found, { alternatives }] : found;
    return [{ dynamic: true, alternatives }];
  }
  const transparent = Boolean(syntax.transparent) && !(hasOptions && syntax.plainOnly);
  const common = { assignments, alternatives, transparent, openArguments: syntax.openArguments };
  if (syntax.onlyForbids) return [...found, { alternatives: [rest, ...alternatives] }];
  if (syntax.programOptions)
    return found.map((item) => ({ ...item, words: [...(item.words ?? []), ...rest] }));
  if (!syntax.joins) return [...found, { ...common, words: rest }];
  const script = rest.every(({ literal }) => literal) ? rest.map(({ text }) => text).join(' ') : undefined;
  return [...found, script === undefined ? { dynamic: true } : { ...common, script, from: rest }];
}

/** The input that replaces the mark `{}` may be the command or a script. `parallel ::: 'a b'` runs `a b`. */
function takesNameFromInput(args: readonly Word[], rest: readonly Word[]): boolean {
  const [command] = rest;
  if (/^:{3,4}\+?$/.test(command?.text ?? '')) return true;
  const options = args.slice(0, args.length - rest.length).map(({ text }) => text);
  const at = options.findIndex((text) => /^-[A-Za-z]*[IiJ]|^--(?:replace|I)/.test(text));
  const given = /^(?:-[A-Za-z]*[IiJ]|--replace=)(.+)$/.exec(options[at] ?? '')?.[1];
  const mark = given ?? (/^-[A-Za-z]*[IJ]$/.test(options[at] ?? '') ? options[at + 1] : '{}');
  const isMarked = ({ text }: Word) => text.includes(mark || '{}') || text.includes('{}');
  if (command && isMarked(command)) return true;
  return startsOthers(command?.text ?? '') && rest.some(isMarked);
}

const STARTERS = new Set(['eval', '.', 'source', 'runuser', 'capsh', 'newgrp', 'at', 'batch']);

/** True for shells and wrappers. */
export function startsOthers(program: string): boolean {
  const name = program.slice(program.lastIndexOf('/') + 1);
  return isShell(name) || wrapperSyntaxOf(name) !== undefined || STARTERS.has(name);
}

interface Head {
  found: Wrapped[];
  assignments: Word[];
  alternatives: Word[][];
  hasOptions: boolean;
  /** The command and its arguments. */
  rest: Word[];
}

/** Reads everything before the command. Undefined: an expansion may be an option, an operand or the command. */
function readHead(syntax: WrapperSyntax, args: readonly Word[]): Head | undefined {
  const head: Head = { found: [], assignments: [], alternatives: [], hasOptions: false, rest: [] };
  let { operands = 0, mayStartWith } = syntax;
  let index = 0;
  for (; index < args.length; index++) {
    const word = args[index] as Word;
    if (!word.literal) return undefined;
    if (word.text === '--') {
      index += 1 + operands;
      break;
    }
    if (word.text.startsWith('-') && (word.text !== '-' || syntax.dashIsOption)) {
      head.hasOptions = true;
      const option = readOption(syntax, word, args[index + 1]);
      if (option.script) head.found.push(option.script);
      // The command if this option, against the table, took no value or did take one.
      const other = index + (option.takesNext ? 1 : 2);
      head.alternatives.push(args.slice(other));
      if (operands > 0) head.alternatives.push(args.slice(other + operands));
      if (option.takesNext) index++;
    } else if (syntax.assignments && /^[A-Za-z_]\w*=/.test(word.text)) {
      head.assignments.push(word);
    } else if (operands > 0) {
      operands--;
    } else if (mayStartWith?.test(word.text)) {
      mayStartWith = undefined;
    } else {
      break;
    }
  }
  head.rest = args.slice(Math.min(index, args.length));
  head.alternatives = head.alternatives.filter((words) => words.length > 0);
  return head;
}

interface ReadOption {
  takesNext: boolean;
  script?: Wrapped;
}

function readOption(syntax: WrapperSyntax, word: Word, next: Word | undefined): ReadOption {
  const { text } = word;
  if (text.startsWith('--')) {
    const [name = '', ...value] = text.split('=');
    if (syntax.otherLong?.includes(name)) return { takesNext: false };
    const hasValue = value.length > 0;
    const takesNext = !hasValue && namesOneOf(name, syntax.longValued);
    return { takesNext, script: started(syntax, name, takesNext ? next : joined(word, value.join('='))) };
  }
  for (let index = 1; index < text.length; index++) {
    const letter = text.charAt(index);
    if (!syntax.valued?.includes(letter)) continue;
    const attached = text.slice(index + 1);
    const takesNext = attached === '';
    return { takesNext, script: started(syntax, `-${letter}`, takesNext ? next : joined(word, attached)) };
  }
  return { takesNext: false };
}

/** True for an option in the list or an abbreviation of one. */
function namesOneOf(name: string, options: readonly string[] = []): boolean {
  return options.some((option) => option === name || (name.length > 2 && option.startsWith(name)));
}

interface Value {
  text: string;
  literal: boolean;
  word: Word;
}

function joined(word: Word, text: string): Value {
  return { text, literal: word.literal, word };
}

function started(
  { scriptOptions = [], scriptHead = '', programOptions }: WrapperSyntax,
  name: string,
  value: Word | Value | undefined,
): Wrapped | undefined {
  const isProgram = namesOneOf(name, programOptions);
  if (!isProgram && !(name.startsWith('--') ? namesOneOf(name, scriptOptions) : scriptOptions.includes(name)))
    return undefined;
  if (!value?.literal) return { dynamic: true };
  const word = 'word' in value ? value.word : value;
  if (isProgram) return { words: [{ ...word, text: value.text }], from: [word] };
  return { script: scriptHead + value.text, from: [word] };
}

function findCommands(args: readonly Word[]): Wrapped[] {
  const found: Wrapped[] = [];
  for (let index = 0; index < args.length; index++) {
    if (!FIND_STARTERS.has(args[index]?.text ?? '')) continue;
    const end = args.findIndex(({ text }, at) => at > index && (text === ';' || text === '+'));
    const words = args.slice(index + 1, end < 0 ? args.length : end);
    found.push(
      words.length > 0 && !takesNameFromInput([], words) ? { words, openArguments: true } : { dynamic: true },
    );
    index = end < 0 ? args.length : end;
  }
  return found;
}

function fdCommands(args: readonly Word[]): Wrapped[] {
  // A command attached to the option is not read.
  if (args.some(({ text }) => /^(?:-[A-Za-z]*[xX].|--exec(?:-batch)?=)/.test(text)))
    return [{ dynamic: true }];
  const start = args.findIndex(({ text }) => /^(?:-[A-Za-z]*[xX]|--exec|--exec-batch)$/.test(text));
  if (start < 0) return [];
  return [{ words: args.slice(start + 1), openArguments: true }];
}
