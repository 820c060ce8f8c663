/** In which folders of a project context files are looked for. Looks up, never down: a tree may be huge. */
import { existsSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { isInside } from '../platform/files/real-path.js';

export interface FolderSearch {
  markers: readonly string[];
  /** Most folders on the way up; the first always counts. */
  maxDirs: number;
}

/**
 * `directory` and its parents up to the nearest folder with a marker, the outermost first. Without a marker
 * there is no telling where the project begins: then only `directory` itself.
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
  // Lists of the settings are not checked item by item.
  return markers.some((marker: unknown) => {
    return typeof marker === 'string' && marker !== '' && existsSync(join(folder, marker));
  });
}
