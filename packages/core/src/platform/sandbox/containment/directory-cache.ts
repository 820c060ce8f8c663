/** Caches directory listings until the directory changes, because commands follow one another. */
import { type BigIntStats, lstatSync } from 'node:fs';
import { type DirectoryEntry, type DirectoryReader, readDirectory } from '../paths/hidden-paths.js';

interface CachedListing {
  identity: string;
  entries: readonly DirectoryEntry[];
}

/** A change within one tick of the kernel's clock does not change the directory's time stamp. */
const SETTLED_MS = 100;
/** Bounds the memory of the cache. */
const MAX_CACHED = 20_000;

export function cachingReader(now: () => number = Date.now): DirectoryReader {
  const cache = new Map<string, CachedListing>();
  return (directory) => {
    const stats = lstatSync(directory, { bigint: true, throwIfNoEntry: false });
    if (!stats) return [];
    const identity = identityOf(stats);
    const known = cache.get(directory);
    if (known?.identity === identity) return known.entries;
    const entries = readDirectory(directory);
    const isSettled = now() - Number(stats.ctimeMs) > SETTLED_MS;
    if (isSettled && cache.size < MAX_CACHED) cache.set(directory, { identity, entries });
    return entries;
  };
}

function identityOf({ dev, ino, mtimeNs, ctimeNs }: BigIntStats): string {
  return `${dev} ${ino} ${mtimeNs} ${ctimeNs}`;
}
