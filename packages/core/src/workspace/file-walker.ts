/** Walks directory trees: sorted, without following links, without ignored directories, interruptible. */
import type { Dirent } from 'node:fs';
import { join } from 'node:path';
import { entriesIn } from '../platform/files/try-read.js';
import type { GitScope, IgnoreFilter } from './ignore-filter.js';

export interface WalkedFile {
  path: string;
  /** Relative to the root of the walk, with `/`. */
  relative: string;
  name: string;
  isSymlink: boolean;
  isIgnored: boolean;
}

export interface WalkRequest {
  root: string;
  filter: IgnoreFilter;
  /** False skips the directory. Not called for the root. */
  entersDirectory(relative: string, name: string): boolean;
  /** Also report ignored files; those in ignored directories up to a bounded number. */
  reportIgnored?: boolean;
  signal?: AbortSignal;
  /** How long the walk may block the thread at a time, in milliseconds. */
  sliceMs?: number;
}

interface Folder {
  path: string;
  relative: string;
  /** The scope of the parent; for the root of the walk its own. */
  scope: GitScope | undefined;
  isRoot: boolean;
  isIgnored: boolean;
}

const MAX_IGNORED_ENTRIES = 20_000;
const SLICE_MS = 12;

/**
 * The regular files and links of one directory after the other. Throws the signal's reason when aborted.
 * Directories that vanish or cannot be read are skipped.
 */
export async function* walkFolders(request: WalkRequest): AsyncGenerator<WalkedFile[]> {
  const { root, signal, sliceMs = SLICE_MS } = request;
  signal?.throwIfAborted();
  const scope = request.filter.open(root);
  const isIgnored = scope === 'ignored';
  if (isIgnored && !request.reportIgnored) return;
  const pending: Folder[] = [
    { path: root, relative: '', scope: isIgnored ? undefined : scope, isRoot: true, isIgnored },
  ];
  let ignoredEntries = 0;
  let sliceEnd = performance.now() + sliceMs;
  for (let folder = pending.pop(); folder; folder = pending.pop()) {
    const entries = entriesOf(folder.path);
    if (folder.isIgnored) ignoredEntries += entries.length;
    if (ignoredEntries > MAX_IGNORED_ENTRIES && folder.isIgnored) continue;
    const { files, subfolders } = classifyEntries(folder, entries, request);
    pending.push(...subfolders.reverse());
    if (files.length > 0) yield files;
    if (performance.now() < sliceEnd) continue;
    await new Promise<void>((resolve) => setImmediate(resolve));
    signal?.throwIfAborted();
    sliceEnd = performance.now() + sliceMs;
  }
}

function classifyEntries(
  folder: Folder,
  entries: Dirent[],
  { filter, entersDirectory, reportIgnored }: WalkRequest,
): { files: WalkedFile[]; subfolders: Folder[] } {
  const has = (name: string) => entries.some((entry) => entry.name === name);
  const scope = folder.isRoot ? folder.scope : filter.enter(folder.scope, folder.path, has);
  const files: WalkedFile[] = [];
  const subfolders: Folder[] = [];
  for (const entry of entries) {
    const { name } = entry;
    const isDirectory = entry.isDirectory();
    const isSymlink = entry.isSymbolicLink();
    if (!isDirectory && !isSymlink && !entry.isFile()) continue;
    const path = join(folder.path, name);
    const relative = folder.relative === '' ? name : `${folder.relative}/${name}`;
    if (isDirectory && !entersDirectory(relative, name)) continue;
    const isIgnored = folder.isIgnored || filter.isIgnored(scope, path, isDirectory);
    if (isIgnored && !reportIgnored) continue;
    if (isDirectory) subfolders.push({ path, relative, scope, isRoot: false, isIgnored });
    else files.push({ path, relative, name, isSymlink, isIgnored });
  }
  return { files, subfolders };
}

function entriesOf(directory: string): Dirent[] {
  return entriesIn(directory).sort(byName);
}

function byName(a: Dirent, b: Dirent): number {
  return a.name < b.name ? -1 : a.name > b.name ? 1 : 0;
}
