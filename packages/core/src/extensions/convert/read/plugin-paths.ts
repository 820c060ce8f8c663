/** Paths that a plugin's manifest names: they must stay inside the plugin. */
import { posix } from 'node:path';
import { fileAt, isFolder, type PluginTree } from './plugin-tree.js';

export type NamedPath = { path: string; kind: 'file' | 'folder' } | { problem: string };

/** Reads `./x`, `x`, `.\x` and `${CLAUDE_PLUGIN_ROOT}/x`. */
export function namedPath(tree: PluginTree, written: string): NamedPath {
  const plain = written
    .trim()
    .replaceAll('\\', '/')
    .replace(/^\$\{?CLAUDE_PLUGIN_ROOT\}?\/?/, './');
  if (plain === '') return { problem: 'the path is empty' };
  if (/[*?[\]{}\0]/.test(plain)) return { problem: 'patterns are not paths; name the folder' };
  if (plain.startsWith('/') || plain.startsWith('~') || /^[A-Za-z]:/.test(plain))
    return { problem: 'the path is absolute; it must stay inside the plugin' };
  const path = posix.normalize(plain).replace(/\/+$/, '').replace(/^\.$/, '');
  if (path === '..' || path.startsWith('../')) return { problem: 'the path leaves the plugin' };
  if (fileAt(tree, path)) return { path, kind: 'file' };
  if (isFolder(tree, path)) return { path, kind: 'folder' };
  return { problem: 'there is no such file or folder in the plugin' };
}

/** A key of the manifest that is a path or a list of paths. Other items are returned as they are. */
export function listOf(value: unknown): unknown[] {
  if (value === undefined || value === null) return [];
  return Array.isArray(value) ? value : [value];
}
