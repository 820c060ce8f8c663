/** Finds commands that the arguments of a program might name, if it starts what it is given. */
import { basename } from 'node:path';
import type { ExpansionValues } from './dangerous.js';
import { isShell } from './nested/shell-scripts.js';
import { dangersInWords, neverStartsItsArguments } from './programs.js';
import type { Assignment, ParsedCommand, SimpleCommand, Word } from './types.js';

const MAX_PLACES = 5_000;
const LONGEST = 300;
const PATH_LIKE = /^[\w@.+~/-]*$/;

/**
 * Every text in its arguments and its input that might begin a command; empty for programs known never to start their
 * arguments. Undefined: there are too many.
 * @param indirectTexts texts that the program may get through a variable or a pipe
 */
export function commandsMentionedBy(
  part: SimpleCommand,
  indirectTexts: readonly string[],
): string[] | undefined {
  const { words, ownWords, name, redirections } = part;
  if (neverStartsItsArguments(words)) return [];
  // In `gdb -ex 'shell curl x'` the word parsed as the program is a script.
  const isText = !PATH_LIKE.test(words[0]?.text ?? '');
  const args = ownWords.slice(isText ? 0 : 1);
  // A script that a shell reads from its input is judged command by command.
  const inputs = redirections.filter(({ body }) => body === undefined || !isShell(basename(name)));
  const texts = [...inputs.flatMap(({ raw = '' }) => raw), ...indirectTexts];
  const found = [
    ...commandsIn(args.map(({ text }) => text).join(' ')),
    ...commandsIn([...args.filter(mayHoldScript(words)).map(({ text }) => text), ...texts].join(' '), '/'),
  ];
  return found.length > MAX_PLACES ? undefined : found;
}

/** `s/a/curl/e` and `(%pipe%curl)` may start `curl`; the path `docs/curl/a.py` does not. */
function mayHoldScript(words: readonly Word[]): (word: Word) => boolean {
  const dangers = new Set(dangersInWords(words).map(({ written }) => written));
  return ({ text }) => dangers.has(text) || !PATH_LIKE.test(text);
}

/** Values of variables and text printed into a pipe: a program of the line may read them as its script. */
export function indirectInputsIn(parsed: ParsedCommand, environment: readonly Assignment[]): string[] {
  const values = assignmentsIn(parsed, environment).map(({ value }) => value);
  return parsed.piped ? [...values, ...parsed.commands.filter(isPrinter).flatMap(printedBy)] : values;
}

/** Values that expansions may have: `x=--exec; git push $x`, `git push $(echo --exec)`. */
export function expansionValuesIn(
  parsed: ParsedCommand,
  environment: readonly Assignment[],
): ExpansionValues {
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
 * Finds `curl` in `-xcurl`, `--exec=/usr/bin/curl`, `a;curl` and `'curl x'`.
 * @param more further characters that separate words
 */
export function commandsIn(text: string, more: '' | '/' = ''): string[] {
  const bare = text.replace(/[\\"'`]/g, more === '/' ? ' ' : '');
  const plain = bare.replace(more === '/' ? /[^\w.+@~-]+/g : /[;&|(){}<>=!,:\s]+/g, ' ');
  const found: string[] = [];
  for (const match of plain.matchAll(/[^\s/]+(?=\s|$)/g)) {
    const rest = plain.slice(match.index, match.index + LONGEST);
    found.push(rest);
    // A value may be attached to a short option.
    if (/^-[A-Za-z]./.test(rest)) found.push(rest.slice(2));
    if (found.length > MAX_PLACES) break;
  }
  return found;
}
