/**
 * Walks a path as the kernel does: part by part, and a link is followed before the `..` behind it counts.
 * `link/../x` lies beside what the link points to, not beside the link.
 */
import { lstatSync, readlinkSync, realpathSync } from 'node:fs';
import { dirname, isAbsolute, parse, sep } from 'node:path';

/**
 * `certain`: this is where the kernel arrives. `guessed`: a `..` follows something that is not a folder now, so the path
 * is the one by its text. `unknown`: a ring of links, or `/proc`, where every process finds something else.
 */
export type Certainty = 'certain' | 'guessed' | 'unknown';

export interface WalkedPath {
  /** Absolute, without links and `..`; parts that do not exist are appended as they are. */
  path: string;
  certainty: Certainty;
}

type Entry = { kind: 'missing' | 'directory' | 'other' } | { kind: 'link'; target: string };

/** As many as Linux follows in one path. */
const MOST_LINKS = 40;
/** Their links mean the process that looks. */
const OF_PROCESS = /^\/proc(?:\/|$)/;
const SEPARATORS = process.platform === 'win32' ? /[\\/]+/ : /\/+/;
const MISSING: Entry = { kind: 'missing' };

/** Remembers what it has looked at: to be used for one decision only. */
export class PathWalker {
  private readonly seen = new Map<string, Entry>();

  /** @param base a real, absolute folder, from which a relative path counts */
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
      const entry = this.look(next, current);
      if (entry.kind !== 'link') {
        current = next;
        continue;
      }
      if (++links > MOST_LINKS) return { path: sep, certainty: 'unknown' };
      pending.push(...partsOf(entry.target));
      if (isAbsolute(entry.target)) current = parse(entry.target).root;
    }
    return { path: withItsOwnCase(current), certainty };
  }

  /** Of a path without links. */
  isDirectory(path: string): boolean {
    return this.look(path).kind === 'directory';
  }

  exists(path: string): boolean {
    return this.look(path).kind !== 'missing';
  }

  /** In a folder that is known to be missing, there is nothing to look at. */
  private look(path: string, folder?: string): Entry {
    const known = this.seen.get(path);
    if (known) return known;
    const isNowhere = folder !== undefined && this.seen.get(folder)?.kind === 'missing';
    const entry = isNowhere ? MISSING : entryOf(path);
    this.seen.set(path, entry);
    return entry;
  }
}

/** The last one first: they are taken from the end. */
function partsOf(path: string): string[] {
  return path
    .slice(isAbsolute(path) ? parse(path).root.length : 0)
    .split(SEPARATORS)
    .reverse();
}

/** What we may not look at, a command of the same user cannot use either. */
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

/** Where the disk takes `A` for `a`, one file would have many paths. */
function withItsOwnCase(path: string): string {
  if (process.platform === 'linux') return path;
  try {
    return realpathSync.native(path);
  } catch {
    return path;
  }
}
