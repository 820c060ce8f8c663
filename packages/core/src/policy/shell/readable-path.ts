/** Files that a command may read, or name, without a question: those of the workspace that hold no secrets. */
import { sep } from 'node:path';
import { isInside } from '../../platform/files/real-path.js';
import { matchesOf } from './glob-matches.js';
import {
  answerOnce,
  foldersOf,
  homesOf,
  type Places,
  pathTextsOf,
  type Surroundings,
  walkWord,
} from './surroundings.js';
import type { Word } from './types.js';

/** Wherever the command may stand, this word leads to a file of the workspace without secrets. */
export function isReadablePath(word: Word, around: Surroundings, places: Places): boolean {
  if (word.text === '') return true;
  const { text, source, glob, tilde } = word;
  return answerOnce(places, `path ${glob} ${tilde} ${text}\0${source}`, () =>
    leadsInside(word, around, places),
  );
}

function leadsInside(word: Word, around: Surroundings, places: Places): boolean {
  if (!places.certain || isSecret(word.text, around, word.glob)) return false;
  const isReadable = (path: string) => isInWorkspace(path, around) && !isSecret(path, around, false);
  if (word.glob) {
    const leadIn = (comparesNames: boolean) =>
      foldersOf(places.reachable).every((folder) => {
        const all = matchesFrom(word, { folder, comparesNames }, around, places);
        return all?.every(isReadable) ?? false;
      });
    // Without comparing names `src/a*` and `src/b*` lead to the same files: mostly one look answers for both.
    const shape = `glob ${word.tilde && word.source} ${shapeOf(word.text)}`;
    return answerOnce(places, shape, () => leadIn(false)) || leadIn(true);
  }
  const walked = walkWord(word, places.reachable, around, places.walker);
  return walked?.every(({ path, certainty }) => certainty === 'certain' && isReadable(path)) ?? false;
}

/** Every pattern in it replaced by the same one. */
function shapeOf(glob: string): string {
  return glob.replace(/[^/]*[*?[][^/]*/g, '*');
}

/** Without a path they look where they stand. */
export function standsInside(around: Surroundings, places: Places): boolean {
  const isInside = () => foldersOf(places.reachable).every((folder) => isInWorkspace(folder, around));
  return places.certain && answerOnce(places, 'stands inside', isInside);
}

export function isInWorkspace(real: string, { workspaces }: Surroundings): boolean {
  return workspaces.some((workspace) => isInside(real, workspace));
}

/** Real paths of all that a pattern may become. Undefined: cannot be told. */
function matchesFrom(
  word: Word,
  { folder, comparesNames }: { folder: string; comparesNames: boolean },
  around: Surroundings,
  { walker }: Places,
): string[] | undefined {
  const found: string[] = [];
  for (const text of pathTextsOf(word, around) ?? ['~']) {
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

/** By its name, as written or real. A pattern may stand for a hidden name. */
function isSecret(path: string, around: Surroundings, isGlob: boolean): boolean {
  const isOfUser = homesOf(around).some(
    (home) => isInside(path, `${home}${sep}.ssh`) || isInside(path, `${home}${sep}.gemini`),
  );
  if (isOfUser) return true;
  return path
    .split(sep)
    .some((part) => /^\.env/i.test(part) || (isGlob && /^(?:\.|[[?]).*[*?[]|^\.\.?[*?[]|^\?/.test(part)));
}
