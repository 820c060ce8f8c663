/** Commands that only read, in forms that cannot do anything else. */
import { isAbsolute, sep } from 'node:path';
import { isInside, realPathOf } from '../../platform/real-path.js';
import { FIND_ACTIONS, RG_STARTERS } from './dangerous.js';
import { matchesOf } from './glob-matches.js';
import { type Places, pathOfWord, type Surroundings } from './surroundings.js';
import type { SimpleCommand, Word } from './types.js';

/** Their words are no paths and no option of theirs does harm. */
const WORDS_ONLY = new Set([
  'echo',
  'expr',
  'false',
  'id',
  'pwd',
  'seq',
  'tr',
  'true',
  'uname',
  'whoami',
  'numfmt',
  'which',
]);
/** They read the files named; no option of theirs writes or starts anything. */
const READERS = new Set([
  'cat',
  'cd',
  'cut',
  'head',
  'ls',
  'nl',
  'paste',
  'rev',
  'stat',
  'tail',
  'wc',
  'tac',
]);

const GIT_READERS = new Set(['status', 'log', 'diff', 'show']);
/** Git takes beginnings of its long options, too. */
const GIT_FORBIDDEN = /^(?:-c|--conf|--out|--ext|--textc|--exec|--pag|--no-ind|--git|--work|-[A-Za-z]*o)/;
const BRANCH_LISTING =
  /^(?:-a|-r|-v|-vv|--all|--remotes|--list|--show-current|--verbose|--merged|--no-merged|--contains|--sort=.*|--format=.*|--column|--no-color|-i|--ignore-case)$/;
/** On the way through a tree, `grep -R` and `rg -L` read what links point to. */
const FOLLOWS_LINKS = /^-[A-Za-z]*R|^--deref/;
const RG_FOLLOWS_LINKS = /^-[A-Za-z]*L|^--follow/;
const TRUSTED_BINARIES = /^\/(?:usr\/(?:local\/)?|opt\/homebrew\/)?bin\/rg$/;

export function isKnownSafe(command: SimpleCommand, around: Surroundings, places: Places): boolean {
  if (command.words.length === 0) return true;
  // What it starts is judged as a command of its own.
  if (command.transparent) return !command.dynamic;
  if (command.dynamic) return false;
  const [first, ...args] = command.words;
  if (!first?.literal) return false;
  const { name } = command;
  if (WORDS_ONLY.has(name)) return true;
  if (name === '[' || name === '[[' || name === 'test') return true;
  // The names it sets are looked at with all other assignments.
  if (name === 'export') return args.every(({ text }) => /^[A-Za-z_]\w*(?:=|$)/.test(text));
  if (command.openArguments || !standsInside(around, places)) return false;
  if (isAbsolute(name)) return TRUSTED_BINARIES.test(name) && isSafeRg(args, around, places);
  return (
    isSafeForm(name, args) &&
    pathsOf(name, args).every((word) => isReadablePath(word, around, places, name === 'ls'))
  );
}

/** Without a path they look where they stand. */
function standsInside({ workspaces }: Surroundings, { bases, unknown }: Places): boolean {
  if (unknown) return false;
  return bases.map(realPathOf).every((base) => workspaces.some((workspace) => isInside(base, workspace)));
}

function isSafeForm(name: string, args: readonly Word[]): boolean {
  if (READERS.has(name)) return args.every(({ literal }) => literal);
  if (name === 'grep') return args.every(({ literal, text }) => literal && !FOLLOWS_LINKS.test(text));
  if (!args.every(({ literal, glob }, index) => literal && (!glob || isPatternOf(name, args, index))))
    return false;
  const texts = args.map(({ text }) => text);
  switch (name) {
    case 'uniq':
      return texts.filter((text) => !text.startsWith('-')).length <= 1;
    case 'base64':
      return !texts.some((text) => /^-[A-Za-z]*o|^--o/.test(text));
    case 'find':
      return !texts.some((text) => FIND_ACTIONS.test(text) || text === '-files0-from');
    case 'git':
      return isSafeGit(texts);
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

/** Quoted globs have no glob flag; an unquoted one is fine only where no file can become an option. */
function isPatternOf(name: string, args: readonly Word[], index: number): boolean {
  return name === 'git' && args.slice(0, index).some(({ text }) => text === '--');
}

function isSafeGit(texts: readonly string[]): boolean {
  const rest = texts[0] === '--no-pager' ? texts.slice(1) : texts;
  const [subcommand = '', ...args] = rest;
  const options = args.slice(0, args.includes('--') ? args.indexOf('--') : args.length);
  if (options.some((text) => GIT_FORBIDDEN.test(text))) return false;
  if (GIT_READERS.has(subcommand)) return true;
  return subcommand === 'branch' && args.every((text) => BRANCH_LISTING.test(text));
}

function isSafeRg(args: readonly Word[], around: Surroundings, places: Places): boolean {
  if (!args.every(({ literal, glob }) => literal && !glob)) return false;
  if (args.some(({ text }) => RG_STARTERS.test(text) || RG_FOLLOWS_LINKS.test(text))) return false;
  return pathsOf('rg', args).every((word) => isReadablePath(word, around, places));
}

/** All words that may name a file. */
function pathsOf(name: string, args: readonly Word[]): Word[] {
  const words: Word[] = [];
  const hasPattern = name === 'grep' || name === 'rg';
  let patternSeen = !hasPattern || args.some(({ text }) => /^-[A-Za-z]*[ef]|^--(?:regexp|file)/.test(text));
  let onlyOperands = false;
  for (const word of args) {
    const { text } = word;
    if (text === '--' && !onlyOperands) {
      onlyOperands = true;
    } else if (!onlyOperands && text.startsWith('-') && text !== '-') {
      const values = valuesIn(text).filter((value) => /[/.~]/.test(value));
      words.push(...values.map((value) => ({ ...word, text: value, tilde: value.startsWith('~') })));
    } else if (!patternSeen) {
      patternSeen = true;
    } else if (name === 'git' && text.includes(':')) {
      words.push(word, { ...word, text: text.slice(text.indexOf(':') + 1) || '.' });
    } else {
      words.push(word);
    }
  }
  return words;
}

/** Of `-nf/etc/passwd` nobody knows where the letters end. */
function valuesIn(option: string): string[] {
  const value = /^--?[\w-]+=(.*)$/s.exec(option)?.[1];
  if (value !== undefined || option.startsWith('--')) return [value ?? option.slice(2)];
  const letters = /^-[A-Za-z]*/.exec(option)?.[0] ?? '-';
  return [option.slice(2), option.slice(letters.length)];
}

/** @param namesOnly what a glob leads to is listed, not read */
function isReadablePath(
  word: Word,
  { workspaces, home }: Surroundings,
  places: Places,
  namesOnly = false,
): boolean {
  if (word.text === '') return true;
  if (word.tilde && !/^~(?:\/|$)/.test(word.text)) return false;
  return places.bases.every((base) => {
    const path = pathOfWord(word, base, home);
    if (isSecret(path, home, word.glob)) return false;
    const all = word.glob ? matchesOf(path) : [path];
    const candidates = namesOnly ? all?.slice(0, 1) : all;
    return candidates?.every((candidate) => {
      const real = realPathOf(candidate);
      return !isSecret(real, home, false) && workspaces.some((workspace) => isInside(real, workspace));
    });
  });
}

function isSecret(path: string, home: string, isGlob: boolean): boolean {
  if (isInside(path, `${home}${sep}.ssh`) || isInside(path, `${home}${sep}.gemini`)) return true;
  return path
    .split(sep)
    .some(
      (part) =>
        /^\.env(?:$|[.\-_*?[])/i.test(part) || (isGlob && /^(?:\.|[[?]).*[*?[]|^\.\.?[*?[]|^\?/.test(part)),
    );
}
