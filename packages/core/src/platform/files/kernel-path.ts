/**
 * Resolves a path as the kernel does, part by part: a link is followed before the `..` after it applies, so
 * `link/../x` is beside the target of the link, not beside the link.
 */
import { lstatSync, readlinkSync, realpathSync } from 'node:fs';
import { dirname, isAbsolute, parse, sep } from 'node:path';

/**
 * `certain`: the kernel resolves it to this path. `guessed`: a `..` follows a part that is not a folder, so it was
 * resolved by its text. `unknown`: a loop of links, or `/proc`, which differs for every process.
 */
export type Certainty = 'certain' | 'guessed' | 'unknown';

export interface WalkedPath {
  /** Absolute, without links and `..`; parts that do not exist are kept. */
  path: string;
  certainty: Certainty;
}

type Entry = { kind: 'missing' | 'directory' | 'other' } | { kind: 'link'; target: string };

/** The limit of Linux for one path. */
const MAX_LINKS = 40;
/** Its links depend on the process that reads them. */
const OF_PROCESS = /^\/proc(?:\/|$)/;
const SEPARATORS = process.platform === 'win32' ? /[\\/]+/ : /\/+/;
const MISSING: Entry = { kind: 'missing' };

/** Caches what it has read, so use one instance for one decision only. */
export class PathWalker {
  private readonly seen = new Map<string, Entry>();

  /** @param base real, absolute folder for relative paths */
  walk(path: string, base: string): WalkedPath {
    const pending = partsOf(path);
    let current = isAbsolute(path) ? parse(path).root : base;
    let certainty: Certainty = 'certain';
    let links = 0;
    for (let part = pending.pop(); part !== undefined; part = pending.pop()) {
      if (part === '' || part === '.') continue;
      if (part === '..') {
        if (!this.isDirectory(current)) certainty = 'guessed';
        current = dirname(current);
        continue;
      }
      const next = current.endsWith(sep) ? current + part : current + sep + part;
      if (OF_PROCESS.test(next)) return { path: next, certainty: 'unknown' };
      const entry = this.entryAt(next, current);
      if (entry.kind !== 'link') {
        current = next;
        continue;
      }
      if (++links > MAX_LINKS) return { path: sep, certainty: 'unknown' };
      pending.push(...partsOf(entry.target));
      if (isAbsolute(entry.target)) current = parse(entry.target).root;
    }
    return { path: withCaseOnDisk(current), certainty };
  }

  /** @param path without links */
  isDirectory(path: string): boolean {
    return this.entryAt(path).kind === 'directory';
  }

  exists(path: string): boolean {
    return this.entryAt(path).kind !== 'missing';
  }

  /** Saves a read when the parent folder is known to be missing. */
  private entryAt(path: string, folder?: string): Entry {
    const known = this.seen.get(path);
    if (known) return known;
    const isFolderMissing = folder !== undefined && this.seen.get(folder)?.kind === 'missing';
    const entry = isFolderMissing ? MISSING : entryOf(path);
    this.seen.set(path, entry);
    return entry;
  }
}

/** In reverse order: the walk takes them from the end. */
function partsOf(path: string): string[] {
  return path
    .slice(isAbsolute(path) ? parse(path).root.length : 0)
    .split(SEPARATORS)
    .reverse();
}

/** A path that we cannot read counts as missing: a command of the same user cannot use it either. */
function entryOf(path: string): Entry {
  try {
    const stats = lstatSync(path, { throwIfNoEntry: false });
    if (!stats) return MISSING;
    if (stats.isSymbolicLink()) return { kind: 'link', target: readlinkSync(path) };
    return { kind: stats.isDirectory() ? 'directory' : 'other' };
  } catch {
    return MISSING;
  }
}

/** On a case-insensitive disk one file has many spellings. */
function withCaseOnDisk(path: string): string {
  if (process.platform === 'linux') return path;
  try {
    return realpathSync.native(path);
  } catch {
    return path;
  }
}
