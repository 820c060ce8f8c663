/** Remembers what is in directories, as long as they have not changed: commands come one after the other. */
import { type BigIntStats, lstatSync } from 'node:fs';
import { type DirectoryEntry, type DirectoryReader, readDirectory } from '../paths/hidden-paths.js';

interface Remembered {
  identity: string;
  entries: readonly DirectoryEntry[];
}

/** A change within one tick of the kernel's clock does not show in the time of the directory. */
const SETTLED_MS = 100;
/** Beyond it, memory is worth more than time. */
const MOST_REMEMBERED = 20_000;

export function rememberingReader(now: () => number = Date.now): DirectoryReader {
  const remembered = new Map<string, Remembered>();
  return (directory) => {
    const stats = lstatSync(directory, { bigint: true, throwIfNoEntry: false });
    if (!stats) return [];
    const identity = identityOf(stats);
    const known = remembered.get(directory);
    if (known?.identity === identity) return known.entries;
    const entries = readDirectory(directory);
    const isSettled = now() - Number(stats.ctimeMs) > SETTLED_MS;
    if (isSettled && remembered.size < MOST_REMEMBERED) remembered.set(directory, { identity, entries });
    return entries;
  };
}

function identityOf({ dev, ino, mtimeNs, ctimeNs }: BigIntStats): string {
  return `${dev} ${ino} ${mtimeNs} ${ctimeNs}`;
}
