/** Renders the directory tree for the first message. Limited in entries and directories, so always quick. */
import { type Dirent, existsSync, opendirSync } from 'node:fs';
import { join } from 'node:path';
import { ALWAYS_SKIPPED_DIRECTORIES, type FileDiscoveryService } from './file-discovery.js';
import type { GitScope, IgnoreFilter } from './ignore-filter.js';

export interface FolderStructureOptions {
  maxItems?: number;
}

interface Item {
  name: string;
  isDirectory: boolean;
  /** Absent: a file, or a directory that is shown closed. */
  children?: Item[];
}

/** A directory to read while the limit allows it. */
interface Pending {
  item: Item;
  path: string;
  scope(): GitScope | undefined;
}

const MAX_ENTRIES_READ = 1000;

/**
 * Breadth first, so that the upper levels are complete before a lower one begins. Ignored files are not
 * shown; ignored and always skipped directories are shown closed.
 */
export function describeFolder(
  root: string,
  discovery: FileDiscoveryService,
  { maxItems = 200 }: FolderStructureOptions = {},
): string {
  const filter = discovery.createFilter();
  const opened = filter.open(root);
  const top: Item = { name: root.replace(/\/$/, ''), isDirectory: true };
  const queue: Pending[] = [
    { item: top, path: root, scope: () => (opened === 'ignored' ? undefined : opened) },
  ];
  let shown = 0;
  let left = 0;
  let isCut = false;
  for (let next = queue.shift(); next && shown < maxItems; next = queue.shift()) {
    const listing = list(next, filter);
    const kept = listing.pending.slice(0, maxItems - shown);
    next.item.children = kept.map(({ item }) => item);
    queue.push(...kept.filter(({ isClosed }) => !isClosed));
    shown += kept.length;
    left += listing.pending.length - kept.length;
    isCut ||= listing.isCut;
  }
  const notes = [`Up to ${maxItems} files and folders; "..." marks a folder whose contents are not listed.`];
  if (left > 0) notes.push(`Entries of the listed folders left out: ${isCut ? 'more than ' : ''}${left}.`);
  return `${notes.join(' ')}\n\n${render(top, '').join('\n')}`;
}

interface Listing {
  pending: (Pending & { isClosed: boolean })[];
  /** The directory has more entries than were read. */
  isCut: boolean;
}

/** What may be shown of one directory: subdirectories first, each group by name. */
function list(directory: Pending, filter: IgnoreFilter): Listing {
  const { entries, isCut } = readEntries(directory.path);
  const scope = directory.scope();
  const pending = entries.flatMap((entry) => {
    const isDirectory = entry.isDirectory();
    const path = join(directory.path, entry.name);
    const isIgnored = filter.isIgnored(scope, path, isDirectory);
    if (isIgnored && !isDirectory) return [];
    return {
      item: { name: entry.name, isDirectory },
      path,
      scope: () => filter.enter(scope, path, (name) => existsSync(join(path, name))),
      isClosed: !isDirectory || isIgnored || ALWAYS_SKIPPED_DIRECTORIES.includes(entry.name),
    };
  });
  return { pending, isCut };
}

function readEntries(path: string): { entries: Dirent[]; isCut: boolean } {
  const entries: Dirent[] = [];
  try {
    const directory = opendirSync(path, { bufferSize: 256 });
    try {
      for (let entry = directory.readSync(); entry; entry = directory.readSync()) {
        if (entries.length === MAX_ENTRIES_READ) return { entries: entries.sort(byKindAndName), isCut: true };
        entries.push(entry);
      }
    } finally {
      directory.closeSync();
    }
  } catch {
    // The directory vanished or is unreadable: show the entries read so far.
  }
  return { entries: entries.sort(byKindAndName), isCut: false };
}

function byKindAndName(a: Dirent, b: Dirent): number {
  const kinds = Number(b.isDirectory()) - Number(a.isDirectory());
  return kinds !== 0 ? kinds : a.name < b.name ? -1 : 1;
}

function render(item: Item, indent: string): string[] {
  // A name may contain line breaks, which would break the tree.
  const name = item.name.replace(/[\x00-\x1f\x7f]/g, '?');
  if (!item.isDirectory) return [indent + name];
  if (!item.children) return [`${indent}${name}/...`];
  return [`${indent}${name}/`, ...item.children.flatMap((child) => render(child, `${indent}  `))];
}
