/** Finds commands that name the inbox of auto memory, which only the user may review. */
import { join, relative, resolve, sep } from 'node:path';
import { isInside } from '../../platform/files/real-path.js';
import { valuesOfWord } from './paths/target-values.js';
import {
  foldersOf,
  pathTextsOf,
  type ShellContext,
  type WorkingDirectories,
  workingDirectoriesOf,
} from './paths/working-directories.js';
import type { ParsedCommand, SimpleCommand, Word } from './types.js';

/** Only what the text shows; the sandbox blocks the rest. */
export function namesMemoryInbox(
  parsed: ParsedCommand,
  context: ShellContext,
  { bases, walker }: WorkingDirectories = workingDirectoriesOf(parsed, context),
): boolean {
  const root = join(context.home, '.gemini', 'tmp');
  const roots = [...new Set([root, walker.walk(root, sep).path])];
  // Unique, since a wrapper and the command it starts share words.
  const texts = [...new Set(parsed.commands.flatMap(wordsOf))]
    .flatMap((word) => valuesOfWord(word, parsed.assignments, context, bases).values)
    .flatMap(withoutOption)
    .flatMap((text) => pathTextsOf({ text, tilde: text.startsWith('~') }, context) ?? []);
  const folders = foldersOf(bases);
  const isIn = (path: string) => roots.some((root) => isInbox(path, root));
  return [...new Set(texts)].some(
    (text) =>
      folders.some((folder) => isIn(walker.walk(text, folder).path)) ||
      // With `..` the path by its text may differ from the real one.
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

/** A glob may match the name; one that begins with a wildcard never matches a hidden name. */
function mayBe(written: string, name: string): boolean {
  if (!/[*?[]/.test(written)) return written.toLowerCase() === name;
  if (name.startsWith('.') && /^[*?]/.test(written)) return false;
  const pattern = written.replace(/\[[^\]]*\]|[*?]|[^\w]/g, (part) => {
    if (part === '*') return '.*';
    return part === '?' || part.length > 1 ? '.' : `\\${part}`;
  });
  return new RegExp(`^${pattern}$`, 'i').test(name);
}
