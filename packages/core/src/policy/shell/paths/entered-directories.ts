/** Finds directories that commands change to (`cd`), or start other commands in (`env -C`). */
import { basename } from 'node:path';
import { literalWord } from '../parsing/words.js';
import type { SimpleCommand, Word } from '../types.js';

/** Undefined: the directory is not in the text. */
export type EnteredDirectory = Word | 'home' | undefined;

export function directoriesEntered({ name, words }: SimpleCommand): EnteredDirectory[] {
  const args = words.slice(1);
  switch (basename(name)) {
    case 'cd':
    case 'pushd':
      return [ofChangeDirectory(args)];
    case 'env':
    case 'sudo':
    case 'doas':
      return ofOption(args, /^-[A-Za-z]*[CD]/, /^--c(?:h(?:d(?:ir?)?)?)?(?:=|$)/);
    case 'chroot':
      return args.slice(0, 1).map(literalOnly);
    case 'unshare':
      return ofOption(args, /^-[A-Za-z]*w/, /^--wd?(?:=|$)/);
    default:
      return [];
  }
}

function ofChangeDirectory(args: readonly Word[]): EnteredDirectory {
  const end = args.findIndex(({ text }) => text === '--');
  const target =
    args.slice(0, end < 0 ? args.length : end).find(({ text }) => !/^-[A-Za-z@]+$/.test(text)) ??
    (end < 0 ? undefined : args[end + 1]);
  if (!target || /^"?\$(?:HOME|\{HOME\})"?$/.test(target.source)) return 'home';
  return target.text === '-' ? undefined : literalOnly(target);
}

/** `-C dir`, `-Cdir`, `--chdir=dir`, `--chdir dir`. */
function ofOption(args: readonly Word[], short: RegExp, long: RegExp): EnteredDirectory[] {
  return args.flatMap((word, index) => {
    const { text } = word;
    const match = text.startsWith('--') ? long.exec(text) : short.exec(text);
    if (!match) return [];
    const value = text.slice(match[0].length);
    if (match[0].endsWith('=') || value !== '')
      return [literalOnly({ ...word, ...literalWord(value), literal: word.literal })];
    const next = args[index + 1];
    return next ? [literalOnly(next)] : [];
  });
}

function literalOnly(word: Word): EnteredDirectory {
  return word.literal && !word.glob ? word : undefined;
}
