/** A marketplace lists plugins: folders of its own repository, or other repositories. */
import { realpathSync } from 'node:fs';
import { join, posix, resolve } from 'node:path';
import { isObject, objectOf } from '../../../base/objects.js';
import { isInside } from '../../../platform/files/real-path.js';
import { isDirectory, tryStat } from '../../../platform/files/try-read.js';
import { ConvertError } from '../convert-error.js';
import { MARKETPLACE } from '../read/plugin-manifest.js';
import { readJson } from '../read/read-texts.js';

export type EntrySource =
  | { kind: 'folder'; dir: string }
  | { kind: 'git'; url: string; ref?: string; sha?: string; path?: string };

export interface Marketplace {
  file: string;
  root: string;
  plugins: readonly Readonly<Record<string, unknown>>[];
  renames: Readonly<Record<string, unknown>>;
  pluginRoot: string;
}

/** Undefined: the folder has none. @throws ConvertError */
export async function readMarketplace(dir: string): Promise<Marketplace | undefined> {
  const file = join(dir, MARKETPLACE);
  const stats = tryStat(file);
  if (!stats?.isFile()) return undefined;
  const value = await readJson({ path: MARKETPLACE, absolute: file, size: stats.size, isExecutable: false });
  const root = objectOf(value);
  const plugins = entriesOf(root['plugins']);
  if (plugins.length === 0)
    throw new ConvertError(`${file} lists no plugins. Name the folder of a plugin instead.`);
  const { pluginRoot } = objectOf(root['metadata']);
  return {
    file,
    root: realpathSync(dir),
    plugins,
    renames: objectOf(root['renames']),
    pluginRoot: typeof pluginRoot === 'string' ? pluginRoot : '',
  };
}

/** A list, or a map from names to entries. */
function entriesOf(plugins: unknown): Record<string, unknown>[] {
  if (Array.isArray(plugins)) return plugins.filter(isObject);
  return Object.entries(objectOf(plugins)).flatMap(([name, entry]) =>
    isObject(entry) ? [{ name, ...entry }] : typeof entry === 'string' ? [{ name, source: entry }] : [],
  );
}

export function entryName(entry: Readonly<Record<string, unknown>>): string {
  return typeof entry['name'] === 'string' ? entry['name'] : '';
}

/** @param wanted `--plugin` @throws ConvertError that lists the names */
export function chooseEntry(
  market: Marketplace,
  wanted: string | undefined,
): Readonly<Record<string, unknown>> {
  const names = market.plugins.map(entryName);
  const list = names.filter((name) => name !== '').join(', ');
  if (wanted === undefined) {
    const [only, ...more] = market.plugins;
    if (only && more.length === 0) return only;
    throw new ConvertError(
      `${market.file} lists several plugins. Choose one with --plugin, or all with --all: ${list}`,
    );
  }
  const renamed = Object.hasOwn(market.renames, wanted) ? market.renames[wanted] : undefined;
  const found = market.plugins.find((entry) => entryName(entry) === wanted || entryName(entry) === renamed);
  if (!found) throw new ConvertError(`${market.file} lists no plugin "${wanted}". It has: ${list}`);
  return found;
}

/** @throws ConvertError for a source that cannot be read here */
export function entrySource(market: Marketplace, entry: Readonly<Record<string, unknown>>): EntrySource {
  const source = entry['source'] ?? entry['path'];
  const where = `${market.file}: ${entryName(entry) || 'a plugin without a name'}`;
  if (typeof source === 'string') return { kind: 'folder', dir: folderOf(market, source, where) };
  const fields = objectOf(source);
  const text = (key: string) => {
    const value = fields[key];
    return typeof value === 'string' && value.trim() !== '' ? value.trim() : undefined;
  };
  const optional = (...keys: ('ref' | 'sha' | 'path')[]) =>
    Object.fromEntries(keys.flatMap((key) => (text(key) === undefined ? [] : [[key, text(key)]])));
  switch (fields['source']) {
    case 'github': {
      const repo = text('repo');
      if (repo === undefined || !/^[\w.-]+\/[\w.-]+$/.test(repo))
        throw new ConvertError(`${where}: "repo" must be owner/name.`);
      return { kind: 'git', url: `https://github.com/${repo}.git`, ...optional('ref', 'sha', 'path') };
    }
    case 'url':
    case 'git':
    case 'git-subdir': {
      const url = text('url');
      if (url === undefined) throw new ConvertError(`${where}: "url" is missing.`);
      return { kind: 'git', url: addressOf(url), ...optional('ref', 'sha', 'path') };
    }
    case 'directory':
    case 'local': {
      const path = text('path');
      if (path === undefined) throw new ConvertError(`${where}: "path" is missing.`);
      return { kind: 'folder', dir: folderOf(market, path, where) };
    }
    case 'archive':
      throw new ConvertError(
        `${where}: it is the archive ${text('url') ?? ''}, which is not fetched. Download and unpack it, and name its folder.`,
      );
    case 'command':
      throw new ConvertError(
        `${where}: its folder is printed by the command "${(text('command') ?? '').slice(0, 80)}", which is not run. Run it, and name the folder.`,
      );
    case 'pip':
      throw new ConvertError(
        `${where}: it is the Python package ${text('package') ?? ''}, which is not fetched. Download it, and name its folder.`,
      );
    case 'npm':
      throw new ConvertError(
        `${where}: it is the npm package ${text('package') ?? ''}, which is not fetched. Download it, and name its folder.`,
      );
    default:
      throw new ConvertError(`${where}: its source is not known. Name the folder of the plugin instead.`);
  }
}

/** `owner/repository` is one of GitHub. */
function addressOf(url: string): string {
  return /^[\w-][\w.-]*\/[\w.-]+$/.test(url) ? `https://github.com/${url.replace(/\.git$/, '')}.git` : url;
}

/** `metadata.pluginRoot` counts only for plain names. */
function folderOf({ root, pluginRoot }: Marketplace, written: string, where: string): string {
  const plain = written.trim().replaceAll('\\', '/');
  const isRelative = plain.startsWith('.');
  const path = posix.normalize(isRelative ? plain : posix.join(pluginRoot.replaceAll('\\', '/'), plain));
  if (
    plain.startsWith('/') ||
    /^[A-Za-z]:/.test(plain) ||
    path === '..' ||
    path.startsWith('../') ||
    path.startsWith('/')
  )
    throw new ConvertError(`${where}: its source "${written.slice(0, 80)}" leaves the marketplace.`);
  const dir = resolve(root, path);
  if (!isDirectory(dir)) {
    const hint = /^\w[\w.-]*\/[\w.-]+$/.test(written)
      ? ` If it is a repository, convert it by its address: https://github.com/${written}`
      : '';
    throw new ConvertError(`${where}: there is no folder ${path}.${hint}`);
  }
  if (!isInside(realpathSync(dir), root))
    throw new ConvertError(
      `${where}: its source "${written.slice(0, 80)}" is a link that leaves the marketplace.`,
    );
  return realpathSync(dir);
}

/** Folders of the other plugins that lie inside this one: they are not part of it. */
export function otherFolders(market: Marketplace, dir: string): string[] {
  return market.plugins.flatMap((entry) => {
    const source = entry['source'] ?? entry['path'];
    if (typeof source !== 'string') return [];
    try {
      const other = entrySource(market, entry);
      return other.kind === 'folder' && other.dir !== dir && isInside(other.dir, dir) ? [other.dir] : [];
    } catch {
      return [];
    }
  });
}
