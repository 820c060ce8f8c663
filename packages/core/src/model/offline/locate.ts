/** Finds the file or folder a user named, however loosely, without provoking tool errors. */
import { isAbsolute, posix } from 'node:path';
import { glob, listDirectory } from './calls.js';
import { ask, type Steps } from './intent.js';
import { joinPath, type Listing, parseGlob, parseListing } from './results.js';
import { bullets, code } from './say.js';

/** `problem`: nothing fits, or several places do. */
export type Located = { kind: 'file' | 'folder'; path: string } | { kind: 'unclear'; problem: string };

export function* locate(path: string): Steps<Located> {
  if (path === '.') return { kind: 'folder', path };
  // Outside the project the tools decide, by their own rules.
  if (isAbsolute(path) || /^(?:~|\.\.)(?:\/|$)/.test(path)) return { kind: 'file', path };
  const slash = path.lastIndexOf('/');
  const parent = slash < 0 ? '.' : path.slice(0, slash);
  const name = path.slice(slash + 1);
  if (slash < 0) {
    const listed = yield* ask(listDirectory(parent));
    const found = listed.ok ? entryNamed(parseListing(listed.text), name) : undefined;
    if (found) return { kind: found.kind, path: joinPath(parent, found.name) };
  }
  const found = yield* ask(glob(`**/${escapeGlob(path)}`));
  const matches = found.ok ? parseGlob(found.text) : [];
  const exact = matches.find((match) => match === path);
  if (exact !== undefined) return { kind: 'file', path: exact };
  const [first, second] = matches;
  if (first !== undefined)
    return second === undefined ? { kind: 'file', path: first } : unclear(severalFiles(path, matches));
  const within = yield* ask(glob(`**/${escapeGlob(path)}/*`));
  const folders = [
    ...new Set((within.ok ? parseGlob(within.text) : []).map((file) => file.replace(/\/[^/]*$/, ''))),
  ];
  const folder = folders.includes(path) ? path : folders[0];
  if (folder === undefined) return unclear(notFound(path));
  return folders.length === 1 || folder === path
    ? { kind: 'folder', path: folder }
    : unclear(severalFiles(path, folders));
}

/** Whether a file or folder exists, ignored ones included. Descends from the root, so that no call fails. */
export function* isThere(path: string): Steps<boolean> {
  const steps = posix.normalize(path.replaceAll('\\', '/')).split('/');
  const isOutside = isAbsolute(path) || /^(?:~|\.\.)(?:\/|$)/.test(path);
  for (let depth = isOutside ? steps.length - 1 : 0; depth < steps.length; depth++) {
    const folder = steps.slice(0, depth).join('/') || (isOutside ? '/' : '.');
    const listed = yield* ask(listDirectory(folder, { includeIgnored: true }));
    const { folders, files } = parseListing(listed.ok ? listed.text : '');
    const name = steps[depth] ?? '';
    if (!folders.includes(name) && !files.includes(name)) return false;
  }
  return true;
}

/** The entry of that name, else with other case, else the only one with that name before its extension. */
function entryNamed(listing: Listing, name: string): { kind: 'file' | 'folder'; name: string } | undefined {
  const wanted = name.toLowerCase();
  const entries = [
    ...listing.files.map((file) => ({ kind: 'file' as const, name: file })),
    ...listing.folders.map((folder) => ({ kind: 'folder' as const, name: folder })),
  ];
  const exact = entries.find((entry) => entry.name === name);
  const loose = entries.find((entry) => entry.name.toLowerCase() === wanted);
  const stem = entries.filter(
    (entry) => entry.kind === 'file' && entry.name.toLowerCase().startsWith(`${wanted}.`),
  );
  return exact ?? loose ?? (stem.length === 1 ? stem[0] : undefined);
}

function unclear(problem: string): Located {
  return { kind: 'unclear', problem };
}

function severalFiles(path: string, paths: readonly string[]): string {
  const shown = paths.slice(0, 10).map(code);
  const more = paths.length > shown.length ? [`and ${paths.length - shown.length} more`] : [];
  return `${code(path)} fits ${paths.length} places. Which one?\n\n${bullets([...shown, ...more])}`;
}

function notFound(path: string): string {
  return `I found no file or folder ${code(path)} in this project (ignored files left aside). Try ${code('list files')}.`;
}

export function escapeGlob(text: string): string {
  return text.replace(/[\\*?[\]{}()!+@|]/g, '\\$&');
}
