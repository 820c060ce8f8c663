/** Commands that the words of a program might be, if it starts what they name. */
import { startsNoWords } from './programs.js';
import type { SimpleCommand } from './types.js';

const MOST_PLACES = 500;
const LONGEST = 300;

/** Every place in its own words where a command might begin; none for programs known to start nothing they are told. */
export function commandsMentionedBy({ words, ownWords }: SimpleCommand): string[] {
  if (startsNoWords(words)) return [];
  // `gdb -ex 'shell curl x'`: what was taken for the program is a text.
  const isText = /\s/.test(words[0]?.text ?? '');
  return commandsIn(
    ownWords
      .slice(isText ? 0 : 1)
      .map(({ text }) => text)
      .join(' '),
  );
}

/** `-xcurl`, `--exec=/usr/bin/curl`, `a;curl` and `'curl x'` all hold `curl`. */
export function commandsIn(text: string): string[] {
  const plain = text.replace(/[\\"'`]/g, '').replace(/[;&|(){}<>=!,:\s]+/g, ' ');
  const found: string[] = [];
  for (const match of plain.matchAll(/[^\s/]+(?=\s|$)/g)) {
    const rest = plain.slice(match.index, match.index + LONGEST);
    found.push(rest);
    // The value of a short option may be joined to it.
    if (/^-[A-Za-z]./.test(rest)) found.push(rest.slice(2));
    if (found.length > MOST_PLACES) break;
  }
  return found;
}
