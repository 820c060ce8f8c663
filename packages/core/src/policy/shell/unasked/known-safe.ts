/** Decides whether a command only reads files of the workspace, so that it runs unasked. */
import { isAbsolute } from 'node:path';
import { FIND_ACTIONS } from '../dangerous.js';
import { literalWord } from '../parsing/words.js';
import { hasEntryLikeOption } from '../paths/glob-matches.js';
import { isReadablePath, standsInside } from '../paths/readable-path.js';
import { valuesOfWord } from '../paths/target-values.js';
import type { ShellContext, WorkingDirectories } from '../paths/working-directories.js';
import { list } from '../programs/entry.js';
import { dangersInWords } from '../programs.js';
import type { Assignment, SimpleCommand, Word } from '../types.js';
import { showsSecretVariable } from '../variables/secret-variables.js';
import { isUnaskedGit } from './git-unasked.js';

/** Programs whose arguments are not paths and whose options do no harm. */
const WORDS_ONLY = new Set(list('echo expr false id pwd seq tr true uname whoami numfmt which'));
/** Programs that read the files they are given; none of their options writes or starts anything. */
const READERS = new Set(list('cat cd cut head ls nl paste rev stat tail wc tac'));

/**
 * Options of readers that lead to other files: following links in a tree (`ls -L`, `grep -R`, `find -L`), and lists of
 * file names in a file. Long options may be abbreviated.
 */
const LEADS_ELSEWHERE: Readonly<Record<string, RegExp>> = {
  ls: /^-[A-Za-z0-9]*L|^--de/,
  grep: /^-[A-Za-z0-9]*[RS]|^--der/,
  find: /^-[A-Za-z]*L|^-follow$|^-files0-from$/,
  wc: /^--f/,
};
const RG_FOLLOWS_LINKS = /^-[A-Za-z0-9]*L|^--follow/;
const TRUSTED_BINARIES = /^\/(?:usr\/(?:local\/)?|opt\/homebrew\/)?bin\/rg$/;

/** @param assignments of the whole line */
export function isKnownSafe(
  command: SimpleCommand,
  context: ShellContext,
  directories: WorkingDirectories,
  assignments: readonly Assignment[] = [],
): boolean {
  if (command.words.length === 0) return true;
  if (command.dynamic) return false;
  // The command it starts is judged separately.
  if (command.transparent) return true;
  const [first, ...args] = command.words;
  if (!first?.literal || showsSecretVariable(args, assignments, context.env)) return false;
  const { name } = command;
  const isReadable = (word: Word) => isReadablePath(word, context, directories);
  // A glob in a value expands to file names.
  const mayNameFiles = ({ literal, value }: Assignment) => literal && /[/~]/.test(value) && isPattern(value);
  if (!assignments.filter(mayNameFiles).every(({ value }) => isReadable(valueWord(value)))) return false;
  if (WORDS_ONLY.has(name))
    return args.every((word) => isHarmlessWord(name, word) || (word.literal && isReadable(word)));
  if (name === '[' || name === '[[' || name === 'test')
    return args.every((word) => isReadableOperand(word, context, directories, assignments));
  // The variables it sets are checked with all other assignments. Without a name it prints every variable.
  if (name === 'export')
    return args.length > 0 && args.every(({ text }) => /^[A-Za-z_]\w*(?:=|$)/.test(text));
  if (command.openArguments || !standsInside(context, directories)) return false;
  if (isAbsolute(name)) return TRUSTED_BINARIES.test(name) && isSafeRg(args, context, directories);
  if (name === 'git') return isUnaskedGit(args, context, directories);
  if (!isSafeForm(name, args) || mayMatchOption(name, args, directories)) return false;
  return pathsOf(name, args).every((word) => isReadablePath(word, context, directories));
}

/** The word does not expand to file names and tells nothing about a file. */
function isHarmlessWord(program: string, { literal, glob, source, text }: Word): boolean {
  if (program === 'which' && text.includes('/')) return false;
  // Text in quotes, arithmetic or a command substitution is not a glob here.
  return literal ? !glob : !isPattern(source.replace(/"[^"]*"|\$\(\([^()]*\)\)|\$\([^()]*\)/g, ''));
}

function isPattern(text: string): boolean {
  return /[*?[]/.test(text.replace(/\$\{?[?*]|\[[@*0-9]+\]/g, ''));
}

function valueWord(text: string): Word {
  return { ...literalWord(text), glob: /[*?[]/.test(text), tilde: text.startsWith('~') };
}

/** A test reveals whether a file exists, so what may be a path must lead into the workspace. */
function isReadableOperand(
  word: Word,
  context: ShellContext,
  directories: WorkingDirectories,
  assignments: readonly Assignment[],
): boolean {
  if (word.literal)
    return (!word.glob && !/[/~]/.test(word.text)) || isReadablePath(word, context, directories);
  const isPath = /[/~]/.test(word.source);
  const isSetHere = assignments.some(({ name }) => word.source.includes(name));
  if (!isPath && !isSetHere) return true;
  const { values, unknown } = valuesOfWord(word, assignments, context, directories.reachable);
  if (unknown) return !isPath;
  return values
    .filter((text) => /[/~]/.test(text))
    .every((text) => isReadablePath(valueWord(text), context, directories));
}

function isSafeForm(name: string, args: readonly Word[]): boolean {
  const texts = args.map(({ text }) => text);
  const elsewhere = Object.hasOwn(LEADS_ELSEWHERE, name) ? LEADS_ELSEWHERE[name] : undefined;
  if (!args.every(({ literal }) => literal) || texts.some((text) => elsewhere?.test(text))) return false;
  if (READERS.has(name) || name === 'grep') return true;
  // An unquoted glob may match a file named like an option.
  if (args.some(({ glob }) => glob)) return false;
  switch (name) {
    case 'uniq':
      // The second file is written.
      return operandsOf(texts).length <= 1;
    case 'base64':
      return !texts.some((text) => /^-[A-Za-z]*o|^--o/.test(text));
    case 'find':
      return !texts.some((text) => FIND_ACTIONS.test(text));
    case 'sed':
      return (
        texts.length >= 2 &&
        texts[0] === '-n' &&
        /^\d+(?:,\d+)?p$/.test(texts[1] ?? '') &&
        !texts.slice(2).some((text) => text.startsWith('-'))
      );
    default:
      return false;
  }
}

/** A glob may match a file named `-R`. */
function mayMatchOption(name: string, args: readonly Word[], { reachable }: WorkingDirectories): boolean {
  if (!Object.hasOwn(LEADS_ELSEWHERE, name) || !args.some(({ glob, text }) => glob && /^[*?[-]/.test(text)))
    return false;
  return reachable.some(({ real }) => hasEntryLikeOption(real));
}

/** A single dash is an operand: standard input. */
function operandsOf(texts: readonly string[]): string[] {
  const end = texts.indexOf('--');
  const options = end < 0 ? texts : texts.slice(0, end);
  const behind = end < 0 ? [] : texts.slice(end + 1);
  return [...options.filter((text) => text === '-' || !text.startsWith('-')), ...behind];
}

function isSafeRg(args: readonly Word[], context: ShellContext, directories: WorkingDirectories): boolean {
  if (!args.every(({ literal, glob }) => literal && !glob)) return false;
  if (dangersInWords([literalWord('rg'), ...args]).length > 0) return false;
  if (args.some(({ text }) => RG_FOLLOWS_LINKS.test(text))) return false;
  return pathsOf('rg', args).every((word) => isReadablePath(word, context, directories));
}

/** All words that may name a file. */
function pathsOf(name: string, args: readonly Word[]): Word[] {
  const words: Word[] = [];
  const hasPattern = name === 'grep' || name === 'rg';
  let patternSeen =
    !hasPattern || args.some(({ text }) => /^-[A-Za-z0-9]*[ef]|^--(?:reg|fi|exclude-f)/.test(text));
  let onlyOperands = false;
  for (const word of args) {
    const { text } = word;
    if (text === '--' && !onlyOperands) {
      onlyOperands = true;
    } else if (!onlyOperands && text.startsWith('-') && text !== '-') {
      words.push(...valuesIn(text).map((value) => optionValue(word, value)));
    } else if (!patternSeen) {
      patternSeen = true;
    } else {
      words.push(word);
    }
  }
  return words;
}

function optionValue(word: Word, text: string): Word {
  const value = valueWord(text);
  return { ...value, literal: word.literal, glob: word.glob && value.glob };
}

/** All possible values of an option: in `-nf/etc/passwd` it is not known where the letters end. */
function valuesIn(option: string): string[] {
  const value = /^--?[\w-]+=(.*)$/s.exec(option)?.[1];
  if (value !== undefined || option.startsWith('--')) return [value ?? option.slice(2)];
  const letters = /^-[A-Za-z0-9]*/.exec(option)?.[0] ?? '-';
  const starts = Array.from({ length: Math.min(letters.length, MAX_LETTERS) - 1 }, (_, index) => index + 2);
  return [...new Set([...starts, letters.length])].map((start) => option.slice(start));
}

/** More bundled options than this are not expected. */
const MAX_LETTERS = 12;
