/** Commands that name the inbox of auto memory: what waits there is for the user alone to judge. */
import { join, relative, resolve, sep } from 'node:path';
import { isInside } from '../../platform/files/real-path.js';
import { foldersOf, type Places, pathTextsOf, placesOf, type Surroundings } from './surroundings.js';
import { valuesOfWord } from './target-values.js';
import type { ParsedCommand, SimpleCommand, Word } from './types.js';

/** As far as the text tells; a sandbox sees to the rest. */
export function namesMemoryInbox(
  parsed: ParsedCommand,
  around: Surroundings,
  { bases, walker }: Places = placesOf(parsed, around),
): boolean {
  const root = join(around.home, '.gemini', 'tmp');
  const roots = [...new Set([root, walker.walk(root, sep).path])];
  // A wrapper and what it starts share their words.
  const texts = [...new Set(parsed.commands.flatMap(wordsOf))]
    .flatMap((word) => valuesOfWord(word, parsed.assignments, around, bases).values)
    .flatMap(withoutOption)
    .flatMap((text) => pathTextsOf({ text, tilde: text.startsWith('~') }, around) ?? []);
  const folders = foldersOf(bases);
  const isIn = (path: string) => roots.some((root) => isInbox(path, root));
  return [...new Set(texts)].some(
    (text) =>
      folders.some((folder) => isIn(walker.walk(text, folder).path)) ||
      // Read by its text it is another path only with these.
      (text.includes('..') && bases.some(({ logical }) => isIn(resolve(logical, text)))),
  );
}

function wordsOf({ words, redirections }: SimpleCommand): Word[] {
  return [...words, ...redirections.flatMap(({ target }) => target ?? [])];
}

/** `--output=file`, `of=file`. */
function withoutOption(text: string): string[] {
  const at = text.indexOf('=');
  return at < 0 ? [text] : [text, text.slice(at + 1)];
}

/** `<root>/<project>/memory/.inbox` and below. */
function isInbox(path: string, root: string): boolean {
  if (!isInside(path, root)) return false;
  const [project = '', memory = '', inbox = ''] = relative(root, path).split(sep);
  return project !== '' && project !== '..' && mayBe(memory, 'memory') && mayBe(inbox, '.inbox');
}

/** A pattern may stand for the name; one that begins with a wildcard never does for a hidden one. */
function mayBe(written: string, name: string): boolean {
  if (!/[*?[]/.test(written)) return written.toLowerCase() === name;
  if (name.startsWith('.') && /^[*?]/.test(written)) return false;
  const pattern = written.replace(/\[[^\]]*\]|[*?]|[^\w]/g, (part) => {
    if (part === '*') return '.*';
    return part === '?' || part.length > 1 ? '.' : `\\${part}`;
  });
  return new RegExp(`^${pattern}$`, 'i').test(name);
}
