/** Finds removals in texts that a shell will run later: printed ones, arguments of `xargs sh -c` and of `env -S`. */
import { basename } from 'node:path';
import { isShell } from '../nested/shell-scripts.js';
import { startsOthers } from '../nested/wrappers.js';
import { literalWord, textOf } from '../parsing/words.js';
import type { ParsedCommand, SimpleCommand, Word } from '../types.js';

const REMOVERS = [
  ...'rm rmdir mv find bfs shred unlink truncate chmod chown chgrp rimraf trash trash-put rsync tar zip'.split(
    ' ',
  ),
  ...'dd tee cp install ln wipefs blkdiscard'.split(' '),
];

/** On some systems the GNU programs are called `grm`, `gfind` and so on. */
export function removerOf(name: string): string | undefined {
  const plain = basename(name);
  return REMOVERS.find((item) => plain === item || plain === `g${item}`);
}

export function removersLike(pattern: RegExp): string[] {
  return REMOVERS.filter((name) => pattern.test(name));
}

/** Commands in texts, found by splitting at blanks and separators instead of parsing. */
export function roughCommandsIn(parsed: ParsedCommand): SimpleCommand[] {
  // Includes scripts that the line itself writes: `echo x > s; sh s`.
  const runsTexts = parsed.commands.some(
    ({ name, dynamic }) =>
      isShell(basename(name)) || /^(?:\.|source)$/.test(name) || (dynamic && startsOthers(basename(name))),
  );
  const printed = runsTexts ? parsed.commands.flatMap(textsPrintedBy) : [];
  return [...printed, ...parsed.commands.flatMap(textsGivenTo)].flatMap(roughCommands);
}

/** Words that commands of the line print, which `xargs` may read. */
export function wordsPrintedIn({ commands }: ParsedCommand): Word[] {
  return commands.flatMap(textsPrintedBy).flatMap(roughWords);
}

function textsPrintedBy({ name, words, redirections }: SimpleCommand): string[] {
  const bodies = redirections.flatMap(({ body, raw }) => body ?? raw ?? []);
  if (!/^(?:echo|printf)$/.test(basename(name))) return bodies;
  const texts = words.slice(1).map(({ text, source, tilde }) => (tilde ? source : text));
  return [texts.join(' ').replace(/\\n/g, '\n'), ...bodies];
}

function textsGivenTo({ name, words, dynamic }: SimpleCommand): string[] {
  const args = words.slice(1).map(({ text }) => text);
  // `env -S` reads `\_` as a blank.
  if (basename(name) === 'env')
    return args.filter((text) => /\\/.test(text)).map((text) => text.replace(/^--?[\w-]*[S=]|\\./g, ' '));
  return dynamic && /^(?:xargs|parallel)$/.test(basename(name)) ? args.filter((text) => /\s/.test(text)) : [];
}

function roughCommands(text: string): SimpleCommand[] {
  return text.split(/[;&|\n]+/).flatMap((part) => {
    const words = roughWords(part.replace(/\$?[()]|`/g, ' '));
    const start = words.findIndex((word) => removerOf(word.text) !== undefined);
    return start < 0 ? [] : [commandOf(words.slice(start))];
  });
}

function roughWords(text: string): Word[] {
  return text
    .split(/\s+/)
    .map((item) => item.replace(/["'\\]/g, ''))
    .filter(Boolean)
    .map((item) => {
      const isOpen = item.includes('{}');
      return {
        ...literalWord(item),
        source: isOpen ? '$(cat)' : item,
        literal: !isOpen && !/[$`{]/.test(item),
        glob: /[*?[]/.test(item),
        tilde: item.startsWith('~'),
      };
    });
}

export function commandOf(words: Word[], like?: SimpleCommand): SimpleCommand {
  return {
    assignments: [],
    redirections: [],
    via: [],
    dynamic: false,
    transparent: false,
    alternatives: [],
    openArguments: false,
    ...like,
    name: words[0]?.text ?? '',
    words,
    text: textOf(words),
    ownWords: words,
  };
}
