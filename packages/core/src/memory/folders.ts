/** Lists the folders to search for context files: only parents, because a tree may be huge. */
import { existsSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { isInside } from '../platform/files/real-path.js';

export interface FolderSearch {
  markers: readonly string[];
  /** Maximum number of folders; the first always counts. */
  maxDirs: number;
}

/**
 * `directory` and its parents up to the nearest folder with a marker, the outermost first. Without a marker the start of
 * the project is unknown: then only `directory` itself.
 */
export function foldersUpFrom(directory: string, { markers, maxDirs }: FolderSearch): string[] {
  const folders: string[] = [];
  for (let folder = directory; folders.length < Math.max(1, maxDirs); folder = dirname(folder)) {
    folders.unshift(folder);
    if (hasMarker(folder, markers)) return folders;
    if (dirname(folder) === folder || markers.length === 0) break;
  }
  return [directory];
}

/** `folder` and its parents up to the nearest marker or the workspace directory, the outermost first. */
export function foldersBetween(workspace: string, folder: string, search: FolderSearch): string[] {
  const folders: string[] = [];
  for (let current = folder; isInside(current, workspace); current = dirname(current)) {
    folders.unshift(current);
    const isEnd = current === workspace || hasMarker(current, search.markers);
    if (isEnd || folders.length >= Math.max(1, search.maxDirs)) break;
  }
  return folders;
}

function hasMarker(folder: string, markers: readonly string[]): boolean {
  // Settings do not check the items of this list.
  return markers.some((marker: unknown) => {
    return typeof marker === 'string' && marker !== '' && existsSync(join(folder, marker));
  });
}
