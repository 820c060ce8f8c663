/** Says why the program of a shell command cannot be started, as far as that is certain without running it. */
import { accessSync, constants, statSync } from 'node:fs';
import { delimiter, isAbsolute, join, resolve } from 'node:path';
import { shellWords } from '../../base/shell-words.js';
import type { Variables } from '../../platform/environment.js';

export interface HookPlace {
  /** Hooks run here; relative paths start here. */
  cwd: string;
  home: string;
  variables: Variables;
}

/** Words that a shell understands itself. */
const SHELL_WORDS = new Set(
  (
    '. : ! [ [[ { ( alias bg break builtin case cd command continue declare echo enable eval exec exit export false fg ' +
    'for function getopts hash if jobs kill let local printf pwd read readonly return select set shift shopt source ' +
    'test time times trap true type typeset ulimit umask unalias unset until wait while'
  ).split(' '),
);

/** Programs whose first argument is usually a script. */
const INTERPRETERS = new Set(
  'bash bun deno dash fish node perl php python python3 ruby sh tsx zsh'.split(' '),
);

/** @returns one sentence, or undefined where nothing is certainly wrong */
export function whyNotStarted(command: string, place: HookPlace): string | undefined {
  const words = (shellWords(command) ?? []).filter((word, at, all) => !isAssignment(word, at, all));
  const [program, script] = words.map((word) => expanded(word, place));
  if (program === undefined || SHELL_WORDS.has(program)) return undefined;
  const problem = program.includes('/')
    ? whyNotRun(resolve(place.cwd, program))
    : whyNotFound(program, place);
  if (problem) return problem;
  const isScript = script !== undefined && !script.startsWith('-') && /[./]/.test(script);
  return INTERPRETERS.has(program) && isScript ? whyNotRead(resolve(place.cwd, script)) : undefined;
}

function isAssignment(word: string, at: number, words: readonly string[]): boolean {
  return words.slice(0, at + 1).every((before) => /^[A-Za-z_]\w*=/.test(before)) && /=/.test(word);
}

/** Undefined: only the shell knows what this is. */
function expanded(word: string, { cwd, home }: HookPlace): string | undefined {
  const known = word
    .replace(/^~(?=\/|$)/, home)
    .replace(/\$\{?(?:GEMINI_PROJECT_DIR|CLAUDE_PROJECT_DIR|GEMINI_CWD)\b\}?/g, () => cwd)
    .replace(/\$\{?HOME\b\}?/g, () => home)
    .replace(/;$/, '');
  return /[$`*?<>|&;(){}]/.test(known) ? undefined : known;
}

function whyNotFound(program: string, { variables }: HookPlace): string | undefined {
  const directories = (variables['PATH'] ?? '').split(delimiter).filter(isAbsolute);
  if (directories.some((directory) => whyNotRun(join(directory, program)) === undefined)) return undefined;
  return `the program "${program}" was not found on PATH`;
}

function whyNotRun(path: string): string | undefined {
  const problem = whyNotRead(path);
  if (problem) return problem;
  try {
    accessSync(path, constants.X_OK);
    return undefined;
  } catch {
    return `${path} is not executable; make it so: chmod +x`;
  }
}

function whyNotRead(path: string): string | undefined {
  const stats = statOf(path);
  if (!stats) return `${path} does not exist`;
  return stats.isFile() ? undefined : `${path} is not a file`;
}

function statOf(path: string) {
  try {
    return statSync(path, { throwIfNoEntry: false });
  } catch {
    return undefined;
  }
}
