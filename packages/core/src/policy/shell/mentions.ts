/** Commands that the words of a program might be, if it starts what they name. */
import { basename } from 'node:path';
import type { HandedOn } from './dangerous.js';
import { dangersInWords, startsNoWords } from './programs.js';
import { isShell } from './shell-scripts.js';
import type { Assignment, ParsedCommand, SimpleCommand, Word } from './types.js';

const MOST_PLACES = 5_000;
const LONGEST = 300;
const PATH_LIKE = /^[\w@.+~/-]*$/;

/**
 * Every place in its own words and its input where a command might begin; none for programs known to start nothing they
 * are told. Undefined: there are too many.
 * @param handedOn texts of the line that it may get in another way
 */
export function commandsMentionedBy(part: SimpleCommand, handedOn: readonly string[]): string[] | undefined {
  const { words, ownWords, name, redirections } = part;
  if (startsNoWords(words)) return [];
  // `gdb -ex 'shell curl x'`: what was taken for the program is a text.
  const isText = !PATH_LIKE.test(words[0]?.text ?? '');
  const args = ownWords.slice(isText ? 0 : 1);
  // A script that a shell reads as its input is judged command by command.
  const inputs = redirections.filter(({ body }) => body === undefined || !isShell(basename(name)));
  const texts = [...inputs.flatMap(({ raw = '' }) => raw), ...handedOn];
  const found = [
    ...commandsIn(args.map(({ text }) => text).join(' ')),
    ...commandsIn([...args.filter(mayHoldScript(words)).map(({ text }) => text), ...texts].join(' '), '/'),
  ];
  return found.length > MOST_PLACES ? undefined : found;
}

/** `s/a/curl/e` and `(%pipe%curl)` hold `curl`; the path `docs/curl/a.py` does not. */
function mayHoldScript(words: readonly Word[]): (word: Word) => boolean {
  const dangers = new Set(dangersInWords(words).map(({ written }) => written));
  return ({ text }) => dangers.has(text) || !PATH_LIKE.test(text);
}

/** Values of variables, and what is printed into a pipe: programs of the line may read it as their script. */
export function textsHandedOn(parsed: ParsedCommand, environment: readonly Assignment[]): string[] {
  const values = assignmentsIn(parsed, environment).map(({ value }) => value);
  return parsed.piped ? [...values, ...parsed.commands.filter(isPrinter).flatMap(printedBy)] : values;
}

/** What an expansion in the words of a command may become: `x=--exec; git push $x`, `git push $(echo --exec)`. */
export function optionsHandedOn(parsed: ParsedCommand, environment: readonly Assignment[]): HandedOn {
  const printed = parsed.commands
    .filter(({ name }) => /^(?:echo|printf)$/.test(basename(name)))
    .flatMap(({ words }) => words.slice(1).map(({ text }) => text));
  const assigned = assignmentsIn(parsed, environment);
  return { texts: [...assigned.map(({ value }) => value), ...printed], assigned };
}

function assignmentsIn(
  { commands, assignments }: ParsedCommand,
  environment: readonly Assignment[],
): Assignment[] {
  const own = commands.flatMap((command) => command.assignments);
  return [...environment, ...assignments, ...own];
}

function isPrinter({ name }: SimpleCommand): boolean {
  return /^(?:echo|printf|cat|tee|tac|rev)$/.test(basename(name));
}

function printedBy({ name, words, redirections }: SimpleCommand): string[] {
  const isOfWords = /^(?:echo|printf)$/.test(basename(name));
  const given = isOfWords ? words.slice(1).map(({ text }) => text) : [];
  return [...given, ...redirections.flatMap(({ raw = '' }) => raw)];
}

/**
 * `-xcurl`, `--exec=/usr/bin/curl`, `a;curl` and `'curl x'` all hold `curl`.
 * @param more further characters that stand between words
 */
export function commandsIn(text: string, more: '' | '/' = ''): string[] {
  const bare = text.replace(/[\\"'`]/g, more === '/' ? ' ' : '');
  const plain = bare.replace(more === '/' ? /[^\w.+@~-]+/g : /[;&|(){}<>=!,:\s]+/g, ' ');
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
