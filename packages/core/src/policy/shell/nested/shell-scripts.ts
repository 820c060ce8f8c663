/** Finds scripts that shells and builtins run: from an argument, a file or their input. */
import { normalize } from 'node:path';
import type { SimpleCommand, Word } from '../types.js';

export interface Wrapped {
  /** The words of the started command. */
  words?: Word[];
  /** Or a script that a shell will run. */
  script?: string;
  /** The words that contain the script. */
  from?: readonly Word[];
  /** The script comes from standard input. */
  readsInput?: boolean;
  /** What it starts is not in the text. */
  dynamic?: boolean;
  transparent?: boolean;
  openArguments?: boolean;
  assignments?: Word[];
  /** Commands it would start if its options were read differently; only restrictions are matched against them. */
  alternatives?: Word[][];
}

const SHELLS = new Set(['bash', 'sh', 'zsh', 'dash', 'ksh', 'ash', 'mksh', 'fish', 'rbash']);

export function isShell(name: string): boolean {
  return SHELLS.has(name);
}

/** @param name without its folder. Undefined: it runs no script. */
export function scriptsRunBy(name: string, args: readonly Word[]): Wrapped[] | undefined {
  if (SHELLS.has(name)) return shellScript(args).map((item) => asReadBy(name, item));
  if (name === 'eval') return evaluated(args);
  if (name === '.' || name === 'source') return sourced(args);
  if (name === 'trap') return trapped(args);
  if (name === 'capsh') return shellBehindDashes(args);
  // `newgrp` opens a shell; `at` and `batch` run their input later.
  if (name === 'newgrp' || name === 'at' || name === 'batch') return [{ dynamic: true, readsInput: true }];
  // What the alias will run is not in the text.
  if (name === 'alias' && args.some(({ literal }) => !literal)) return [{ dynamic: true }];
  // Runs every program in a folder.
  if (name === 'run-parts') return [{ dynamic: true }];
  return name === 'crontab' && args.some(({ text }) => text === '-') ? [{ dynamic: true }] : undefined;
}

/** `capsh --drop=x -- -c text` */
function shellBehindDashes(args: readonly Word[]): Wrapped[] {
  const at = args.findIndex(({ text }) => text === '--' || text === '==');
  return at < 0 ? [] : shellScript(args.slice(at + 1));
}

/** The file that a shell is told to run. @param name without its folder */
export function scriptFileOf(name: string, args: readonly Word[]): Word | undefined {
  if (name === '.' || name === 'source') return sourcedFile(args);
  if (!SHELLS.has(name)) return undefined;
  let file: Word | undefined;
  shellScript(args, (word) => {
    file = word;
    return [];
  });
  return file;
}

/** `bash -c text`, `bash script`, or a shell that reads commands from its input. */
function shellScript(args: readonly Word[], ofFile = scriptFile): Wrapped[] {
  let wantsText = false;
  let readsInput = false;
  for (let index = 0; index < args.length; index++) {
    const word = args[index] as Word;
    if (!word.literal) return [{ dynamic: true }];
    const isOption = /^[-+]./.test(word.text) && word.text !== '--';
    if (isOption) {
      if (!word.text.startsWith('--')) {
        if (word.text.includes('c')) wantsText = true;
        if (word.text.startsWith('-') && word.text.includes('s')) readsInput = true;
        // `-oc pipefail text`: each `o` takes a word after the bundle.
        index += word.text.match(/[oO]/g)?.length ?? 0;
      } else if (['--rcfile', '--init-file', '--command'].includes(word.text)) return [{ dynamic: true }];
      continue;
    }
    const operand = word.text === '--' || word.text === '-' ? args[index + 1] : word;
    if (!operand) break;
    if (!wantsText && readsInput) break;
    // A script file is judged by the shell's name and arguments.
    if (!wantsText) return ofFile(operand);
    return [
      operand.literal && !operand.glob
        ? { script: operand.text, from: [operand], transparent: hasPlainOptions(args.slice(0, index)) }
        : { dynamic: true },
    ];
  }
  return [{ dynamic: true, readsInput: true }];
}

/** Others change what the script means: `-k` turns words into variables, `-O dotglob` lets `*` match hidden files. */
function hasPlainOptions(options: readonly Word[]): boolean {
  return options.every(({ text }, index) =>
    /^-[eux]*o$/.test(options[index - 1]?.text ?? '')
      ? /^(?:pipefail|errexit|nounset)$/.test(text)
      : /^-[ceuxl]+$|^-[eux]*o$|^--(?:norc|noprofile|login)$/.test(text),
  );
}

/** A script file is judged by its name; a script from a pipe or a descriptor has none. */
function scriptFile({ text, literal, glob }: Word): Wrapped[] {
  const path = normalize(text);
  const isInput = text === '-' || /^\/(?:dev\/(?:stdin|fd\/0)|proc\/(?:self|thread-self)\/fd\/0)$/.test(path);
  if (isInput) return [{ dynamic: true, readsInput: true }];
  const isDevice = /^\/+(?:dev|proc)\//.test(path) || /^\.\..*\/(?:dev|proc)\//.test(path);
  return literal && !glob && !isDevice ? [] : [{ dynamic: true }];
}

/** Syntax that `sh` (dash, ash) reads differently from bash: `((` opens two subshells, `$'` is not a quote. */
const ONLY_IN_BASH = /\$['"[]|\(\(|\[\[|&>|<<<|\|&|[<>]\(|\bfunction\b|\btime\b|\bcoproc\b|\bselect\b/;

/** Scripts are parsed as bash. If their own shell may read them differently, what they run is unknown. */
export function asReadBy(shell: string, item: Wrapped): Wrapped {
  if (item.script === undefined || shell === 'bash' || shell === 'rbash') return item;
  const isCommonForm = ['sh', 'dash', 'ash'].includes(shell) && isReadAlike(item.script);
  return isCommonForm ? item : { ...item, transparent: false, dynamic: true };
}

export function isReadAlike(script: string): boolean {
  return !ONLY_IN_BASH.test(script.replaceAll('\\\n', ''));
}

function evaluated(args: readonly Word[]): Wrapped[] {
  if (!args.every(({ literal, glob, tilde }) => literal && !glob && !tilde)) return [{ dynamic: true }];
  return [{ script: args.map(({ text }) => text).join(' '), from: args, transparent: true }];
}

function sourcedFile(args: readonly Word[]): Word | undefined {
  return args[0]?.text === '--' ? args[1] : args[0];
}

function sourced(args: readonly Word[]): Wrapped[] {
  const file = sourcedFile(args);
  return file ? scriptFile(file) : [{ dynamic: true }];
}

function trapped(args: readonly Word[]): Wrapped[] {
  const [first] = args.filter(({ text }) => text !== '--');
  if (!first || first.text.startsWith('-')) return [];
  return [first.literal ? { script: first.text, from: [first] } : { dynamic: true }];
}

/** Scripts with the expansions still in them: `rm -rf $HOME` of `bash -c "rm -rf $HOME"`. */
export function partialScriptsOf({ words, redirections }: SimpleCommand): string[] {
  const [, ...args] = words;
  const open = args.filter(({ literal }) => !literal).map(unquoted);
  const joined = open.length > 0 && args.length > 1 ? [args.map(unquoted).join(' ')] : [];
  const inputs = redirections.flatMap(({ body, raw = '' }) => (body === undefined ? unquotedText(raw) : []));
  return [...open, ...joined, ...inputs].filter((text) => /\s/.test(text.trim()));
}

function unquoted({ text, source, literal }: Word): string {
  return literal ? text : unquotedText(source);
}

/** The outer shell expands variables inside inner single quotes, so these become double quotes. */
function unquotedText(source: string): string {
  const isQuoted = source.startsWith('"');
  const plain = source.replace(/\\(["$`\\])|"/g, (_whole, character = '') => character);
  return isQuoted ? plain.replace(/'([^']*\$[^']*)'/g, '"$1"') : plain.replace(/'/g, '');
}
