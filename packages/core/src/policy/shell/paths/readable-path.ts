/** Decides which files a command may read or name unasked: files of the workspace that hold no secrets. */
import { sep } from 'node:path';
import { isInside } from '../../../platform/files/real-path.js';
import type { Word } from '../types.js';
import { matchesOf } from './glob-matches.js';
import {
  answerOnce,
  foldersOf,
  homesOf,
  pathTextsOf,
  type ShellContext,
  type WorkingDirectories,
  walkWord,
} from './working-directories.js';

/** From every possible working directory the word leads to a file of the workspace without secrets. */
export function isReadablePath(word: Word, context: ShellContext, directories: WorkingDirectories): boolean {
  if (word.text === '') return true;
  const { text, source, glob, tilde } = word;
  return answerOnce(directories, `path ${glob} ${tilde} ${text}\0${source}`, () =>
    leadsInside(word, context, directories),
  );
}

function leadsInside(word: Word, context: ShellContext, directories: WorkingDirectories): boolean {
  if (!directories.certain || isSecret(word.text, context, word.glob)) return false;
  const isReadable = (path: string) => isInWorkspace(path, context) && !isSecret(path, context, false);
  if (word.glob) {
    const leadIn = (comparesNames: boolean) =>
      foldersOf(directories.reachable).every((folder) => {
        const all = matchesFrom(word, { folder, comparesNames }, context, directories);
        return all?.every(isReadable) ?? false;
      });
    // Without comparing names `src/a*` and `src/b*` match the same files, so one cached answer usually serves both.
    const shape = `glob ${word.tilde && word.source} ${shapeOf(word.text)}`;
    return answerOnce(directories, shape, () => leadIn(false)) || leadIn(true);
  }
  const walked = walkWord(word, directories.reachable, context, directories.walker);
  return walked?.every(({ path, certainty }) => certainty === 'certain' && isReadable(path)) ?? false;
}

/** Every glob in it replaced by `*`. */
function shapeOf(glob: string): string {
  return glob.replace(/[^/]*[*?[][^/]*/g, '*');
}

/** For commands that read their working directory when they get no path. */
export function standsInside(context: ShellContext, directories: WorkingDirectories): boolean {
  const isInside = () => foldersOf(directories.reachable).every((folder) => isInWorkspace(folder, context));
  return directories.certain && answerOnce(directories, 'stands inside', isInside);
}

export function isInWorkspace(real: string, { workspaces }: ShellContext): boolean {
  return workspaces.some((workspace) => isInside(real, workspace));
}

/** Real paths that a glob may match. Undefined: they cannot be determined. */
function matchesFrom(
  word: Word,
  { folder, comparesNames }: { folder: string; comparesNames: boolean },
  context: ShellContext,
  { walker }: WorkingDirectories,
): string[] | undefined {
  const found: string[] = [];
  for (const text of pathTextsOf(word, context) ?? ['~']) {
    const parts = text.split(/\/+/);
    const first = parts.findIndex((part) => /[*?[]/.test(part));
    if (first < 0 || parts.slice(first).includes('..')) return undefined;
    const start = walker.walk(parts.slice(0, first).join(sep) || (text.startsWith(sep) ? sep : '.'), folder);
    const pattern = [start.path === sep ? '' : start.path, ...parts.slice(first)].join(sep);
    const matches = matchesOf(pattern, comparesNames);
    if (start.certainty !== 'certain' || !matches) return undefined;
    const walked = matches.map((match) => walker.walk(match, folder));
    if (walked.some(({ certainty }) => certainty !== 'certain')) return undefined;
    found.push(...walked.map(({ path }) => path));
  }
  return found;
}

/** By its name, as written or real. A glob may match a hidden name. */
function isSecret(path: string, context: ShellContext, isGlob: boolean): boolean {
  const isOfUser = homesOf(context).some(
    (home) => isInside(path, `${home}${sep}.ssh`) || isInside(path, `${home}${sep}.gemini`),
  );
  if (isOfUser) return true;
  return path
    .split(sep)
    .some((part) => /^\.env/i.test(part) || (isGlob && /^(?:\.|[[?]).*[*?[]|^\.\.?[*?[]|^\?/.test(part)));
}
