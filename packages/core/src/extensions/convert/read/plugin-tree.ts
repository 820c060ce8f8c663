/** Lists the files of a plugin. What leads out of it, or is neither file nor folder, is left out and named. */
import { lstatSync, readdirSync, readlinkSync, realpathSync, statSync } from 'node:fs';
import { join, relative, sep } from 'node:path';
import { codeOf } from '../../../base/errors.js';
import { isInside } from '../../../platform/files/real-path.js';
import { ConvertError } from '../convert-error.js';
import type { PluginFile, PluginLink, ReportRow } from '../types.js';

/** More than any public plugin has. */
const MAX_ENTRIES = 20_000;
const MAX_BYTES = 200 * 1024 * 1024;
const CONTROL = /[\p{Cc}\p{Cf}\p{Cs}]/u;

export interface TreeOptions {
  /** Names that are not entered at any depth. */
  skipNames: ReadonlySet<string>;
  /** Absolute folders that are not entered: other plugins, the output of an earlier conversion. */
  skipFolders: readonly string[];
  /** Files and folders at most. */
  maxEntries?: number;
}

export interface PluginTree {
  root: string;
  files: ReadonlyMap<string, PluginFile>;
  links: ReadonlyMap<string, PluginLink>;
  folders: ReadonlySet<string>;
  rows: ReportRow[];
  /** Folders that were not entered because of their names. */
  skipped: string[];
}

/** @throws ConvertError when it is too large or cannot be read */
export function readTree(
  folder: string,
  { skipNames, skipFolders, maxEntries = MAX_ENTRIES }: TreeOptions,
): PluginTree {
  const root = realpathSync(folder);
  const files = new Map<string, PluginFile>();
  const links = new Map<string, PluginLink>();
  const folders = new Set<string>();
  const rows: ReportRow[] = [];
  const skipped: string[] = [];
  const total = { entries: 0, bytes: 0 };
  const leaveOut = (source: string, reason: string) =>
    rows.push({ action: 'skipped', kind: 'file', source, reason });
  const look = (dir: string, below: string) => {
    for (const name of namesIn(dir)) {
      const [absolute, path] = [join(dir, name), below === '' ? name : `${below}/${name}`];
      if (++total.entries > maxEntries) throw tooLarge(root, maxEntries);
      const stats = lstatSync(absolute);
      if (CONTROL.test(name)) leaveOut(path, 'its name has control characters');
      else if (stats.isSymbolicLink()) {
        const link = linkInside(absolute, path, root);
        if (link) links.set(path, link);
        else leaveOut(path, 'a link that leads out of the plugin, or nowhere');
      } else if (stats.isDirectory()) {
        if (skipFolders.includes(absolute)) continue;
        if (skipNames.has(name)) {
          skipped.push(path);
          continue;
        }
        folders.add(path);
        look(absolute, path);
      } else if (stats.isFile()) {
        total.bytes += stats.size;
        if (total.bytes > MAX_BYTES) throw tooLarge(root, maxEntries);
        files.set(path, { path, absolute, size: stats.size, isExecutable: (stats.mode & 0o100) !== 0 });
      } else leaveOut(path, 'neither a file nor a folder');
    }
  };
  look(root, '');
  return { root, files, links, folders, rows, skipped };
}

function tooLarge(root: string, maxEntries: number): ConvertError {
  return new ConvertError(
    `${root} is too large for a plugin: over ${maxEntries} files or ${MAX_BYTES / 1024 / 1024} MB. ` +
      'Name the folder of the plugin itself, or remove what does not belong to it.',
  );
}

function namesIn(dir: string): string[] {
  try {
    return readdirSync(dir).sort();
  } catch (error) {
    throw new ConvertError(`${dir} cannot be read (${codeOf(error)}). Check its permissions.`, {
      cause: error,
    });
  }
}

function linkInside(absolute: string, path: string, root: string): PluginLink | undefined {
  try {
    readlinkSync(absolute);
    const real = realpathSync(absolute);
    if (!isInside(real, root) || real === root) return undefined;
    return {
      path,
      leadsTo: relative(root, real).split(sep).join('/'),
      isFolder: statSync(real).isDirectory(),
    };
  } catch {
    return undefined;
  }
}

/** The path without links of the plugin itself: `skills/x/a.md` where `skills/x` is a link to `shared/x`. */
export function withoutLinks({ links }: Pick<PluginTree, 'links'>, path: string): string {
  let at = path;
  // Links were resolved completely, so each part is replaced at most once.
  for (const parts = path.split('/'), seen: string[] = []; parts.length > 0; ) {
    seen.push(parts.shift() ?? '');
    const link = links.get(seen.join('/'));
    if (!link) continue;
    at = [link.leadsTo, ...parts].join('/');
    break;
  }
  return at;
}

/** Files below a folder, in the order of their paths; a folder that is a link is followed. */
export function filesBelow(tree: PluginTree, folder: string): PluginFile[] {
  const real = withoutLinks(tree, folder);
  const prefix = real === '' ? '' : `${real}/`;
  const own = [...tree.files.values()].filter(({ path }) => path.startsWith(prefix));
  const linked = [...tree.links.values()]
    .filter(({ path }) => path.startsWith(prefix))
    .flatMap((link): PluginFile[] => {
      if (link.isFolder)
        return filesAt(tree, link.leadsTo).map((file) => ({
          ...file,
          path: `${link.path}${file.path.slice(link.leadsTo.length)}`,
        }));
      const file = tree.files.get(link.leadsTo);
      return file ? [{ ...file, path: link.path }] : [];
    });
  return [...own, ...linked]
    .map((file) => ({
      ...file,
      path: folder === '' ? file.path : `${folder}/${file.path.slice(prefix.length)}`,
    }))
    .sort((a, b) => (a.path < b.path ? -1 : 1));
}

function filesAt(tree: PluginTree, folder: string): PluginFile[] {
  return [...tree.files.values()].filter(({ path }) => path.startsWith(`${folder}/`));
}

/** The file at a path, also through links. */
export function fileAt(tree: PluginTree, path: string): PluginFile | undefined {
  const direct = tree.files.get(path);
  if (direct) return direct;
  const link = tree.links.get(path);
  const real = link ? link.leadsTo : withoutLinks(tree, path);
  const file = tree.files.get(real);
  return file && { ...file, path };
}

export function isFolder(tree: PluginTree, path: string): boolean {
  return path === '' || tree.folders.has(withoutLinks(tree, path));
}
