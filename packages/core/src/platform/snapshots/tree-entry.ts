/** An entry of the tree index, and its conversions from the disk, to the log and to a record. */
import { readlinkSync, type Stats } from 'node:fs';
import type { TreeLine } from './records.js';
import type { FileState } from './types.js';

/** A changed file gets a new entry; only the hash is filled in later. */
export interface TreeEntry {
  readonly path: string;
  readonly kind: 'f' | 'd' | 'l' | 'o';
  readonly size: number;
  readonly mtimeMs: number;
  readonly ctimeMs: number;
  readonly ino: number;
  readonly mode: number;
  readonly link: string | null;
  /** Of the content; null until it is copied. */
  hash: string | null;
  /** Changed so shortly before it was read that a later change may have the same time stamp. */
  isRacy: boolean;
  /** Created only to check a racy file again, so it is copied without delay. */
  readonly isSecondLook: boolean;
}

export function toLine(entry: TreeEntry): TreeLine {
  const { path, kind, size, mtimeMs, ctimeMs, ino, mode, link, hash, isRacy } = entry;
  return [path, kind, size, mtimeMs, ctimeMs, ino, mode, kind === 'l' ? link : hash, isRacy ? 1 : 0];
}

export function fromLine(line: TreeLine): TreeEntry {
  const [path, kind, size, mtimeMs, ctimeMs, ino, mode, text, isRacy] = line;
  const isLink = kind === 'l';
  return {
    path,
    kind,
    size,
    mtimeMs,
    ctimeMs,
    ino,
    mode,
    link: isLink ? text : null,
    hash: isLink ? null : text,
    isRacy: isRacy === 1,
    isSecondLook: false,
  };
}

export function stateOf(entry: TreeEntry | null): FileState | null {
  if (entry === null) return null;
  const { kind, hash, size, mode, mtimeMs, ino } = entry;
  if (kind === 'f') return { kind: 'file', hash, size, mode, mtimeMs, ino };
  if (kind === 'l') return { kind: 'link', target: entry.link ?? '' };
  return kind === 'd' ? { kind: 'dir', mode } : { kind: 'other', ino };
}

export function isUnchanged(known: TreeEntry, stats: Stats): boolean {
  return (
    known.mtimeMs === stats.mtimeMs &&
    known.ctimeMs === stats.ctimeMs &&
    known.size === stats.size &&
    known.ino === stats.ino &&
    known.mode === (stats.mode & 0o7777) &&
    known.kind === kindOf(stats)
  );
}

export function toEntry(path: string, stats: Stats): TreeEntry {
  const kind = kindOf(stats);
  return {
    path,
    kind,
    size: stats.size,
    mtimeMs: stats.mtimeMs,
    ctimeMs: stats.ctimeMs,
    ino: stats.ino,
    mode: stats.mode & 0o7777,
    link: kind === 'l' ? linkTarget(path) : null,
    hash: null,
    isRacy: false,
    isSecondLook: false,
  };
}

function kindOf(stats: Stats): TreeEntry['kind'] {
  if (stats.isFile()) return 'f';
  if (stats.isDirectory()) return 'd';
  return stats.isSymbolicLink() ? 'l' : 'o';
}

function linkTarget(path: string): string {
  try {
    return readlinkSync(path);
  } catch {
    return '';
  }
}
