/** From what the user names (a folder, a repository, a marketplace) to the folders of plugins. */
import { existsSync, realpathSync } from 'node:fs';
import { basename, join, resolve } from 'node:path';
import type { Environment } from '../../../platform/environment.js';
import { isDirectory } from '../../../platform/files/try-read.js';
import { ConvertError } from '../convert-error.js';
import { PLUGIN_MANIFEST } from '../read/plugin-manifest.js';
import type { PluginLocation } from '../read/read-plugin.js';
import { type FetchedFolder, fetchRepository, folderInside } from './fetch-repository.js';
import {
  chooseEntry,
  entryName,
  entrySource,
  type Marketplace,
  otherFolders,
  readMarketplace,
} from './marketplace.js';

export interface PluginRequest {
  /** A folder, an address of a git repository, or owner/repository. */
  source: string;
  ref?: string;
  path?: string;
  /** One of a marketplace. */
  plugin?: string;
  /** Every plugin of a marketplace. */
  all?: boolean;
  environment: Pick<Environment, 'variables' | 'cwd' | 'home'>;
  signal?: AbortSignal;
}

export interface OpenedPlugins {
  plugins: PluginLocation[];
  /** Plugins of a marketplace that cannot be read, with `all`. */
  failures: { plugin: string; error: unknown }[];
  /** The source as it is recorded: an absolute path or an address. */
  source: string;
  /** Removes temporary copies. */
  close(): void;
}

/** @throws ConvertError, CloneError; nothing is left behind */
export async function openPlugins(request: PluginRequest): Promise<OpenedPlugins> {
  const fetched: FetchedFolder[] = [];
  const close = () => {
    for (const one of fetched) one.close();
  };
  try {
    const { dir, source } = await openRoot(request, fetched);
    const isPlugin = existsSync(join(dir, PLUGIN_MANIFEST));
    const isWanted = isPlugin && request.plugin === undefined && !request.all;
    const { market, problem } = await marketOf(dir, isWanted);
    const failures: OpenedPlugins['failures'] = [];
    const defaultName = nameOfSource(source, request.path);
    if (!market || isWanted) {
      if (request.plugin !== undefined || request.all)
        throw new ConvertError(`${dir} is not a marketplace. Leave out --plugin and --all.`);
      const skipFolders = market ? otherFolders(market, dir) : [];
      return {
        plugins: [
          {
            dir,
            ...(fetched.length > 0 && { shownAs: source }),
            defaultName,
            skipFolders,
            ...(problem !== undefined && { marketProblem: problem }),
            ...entryOfRoot(market, dir),
          },
        ],
        failures,
        source,
        close,
      };
    }
    const entries = request.all ? market.plugins : [chooseEntry(market, request.plugin)];
    const plugins: PluginLocation[] = [];
    for (const entry of entries)
      try {
        plugins.push(await openEntry(market, entry, request, fetched));
      } catch (error) {
        if (!request.all) throw error;
        failures.push({ plugin: entryName(entry), error });
      }
    return { plugins, failures, source, close };
  } catch (error) {
    close();
    throw error;
  }
}

/** Beside a plugin that is wanted itself, a marketplace that cannot be read does no harm. */
async function marketOf(
  dir: string,
  isWanted: boolean,
): Promise<{ market?: Marketplace | undefined; problem?: string }> {
  try {
    return { market: await readMarketplace(dir) };
  } catch (error) {
    if (!isWanted || !(error instanceof ConvertError)) throw error;
    return { problem: error.message.replace(/\.$/, '') };
  }
}

/** The marketplace may list the repository itself as its only plugin of that folder. */
function entryOfRoot(market: Marketplace | undefined, dir: string): Pick<PluginLocation, 'entry'> {
  const own = (market?.plugins ?? []).filter((entry) => {
    const source = entry['source'] ?? entry['path'];
    return typeof source === 'string' && /^\.?\/?$/.test(source.trim()) && market?.root === dir;
  });
  const [entry] = own;
  return own.length === 1 && entry && entry['strict'] !== false ? { entry } : {};
}

async function openEntry(
  market: Marketplace,
  entry: Readonly<Record<string, unknown>>,
  { environment, signal }: PluginRequest,
  fetched: FetchedFolder[],
): Promise<PluginLocation> {
  const source = entrySource(market, entry);
  const defaultName = entryName(entry);
  const about = { entry, ...(defaultName !== '' && { defaultName }) };
  if (source.kind === 'folder')
    return { dir: source.dir, ...about, skipFolders: otherFolders(market, source.dir) };
  const { kind: _, ...wanted } = source;
  const one = await fetchRepository({
    ...wanted,
    variables: environment.variables,
    ...(signal && { signal }),
  });
  fetched.push(one);
  const { url, path } = source;
  return { dir: one.dir, ...about, shownAs: path === undefined ? url : `${url} (${path})` };
}

const REPOSITORY = /^(?:git@|(?:https?|ssh|git|file|sso):\/\/)/i;

async function openRoot(
  { source, ref, path, environment, signal }: PluginRequest,
  fetched: FetchedFolder[],
): Promise<{ dir: string; source: string }> {
  const folder = resolve(environment.cwd, source.replace(/^~(?=$|[\\/])/, environment.home));
  const url = addressOf(source, isDirectory(folder));
  if (url !== undefined) {
    const wanted = { url, ...(ref !== undefined && { ref }), ...(path !== undefined && { path }) };
    const one = await fetchRepository({
      ...wanted,
      variables: environment.variables,
      ...(signal && { signal }),
    });
    fetched.push(one);
    return { dir: one.dir, source: url };
  }
  if (ref !== undefined) throw new ConvertError('--ref is for git repositories only.');
  if (!isDirectory(folder))
    throw new ConvertError(`Not found: ${folder}. Name a folder or the address of a repository.`);
  const root = realpathSync(folder);
  return { dir: path === undefined ? root : folderInside(root, path), source: root };
}

function addressOf(source: string, isFolder: boolean): string | undefined {
  if (REPOSITORY.test(source)) return source;
  const [, host, name] = /^(?:(github|gitlab):)?([\w.-]+\/[\w.-]+)$/.exec(source) ?? [];
  if (name === undefined || isFolder || name.startsWith('.')) return undefined;
  return `https://${host === 'gitlab' ? 'gitlab.com' : 'github.com'}/${name}.git`;
}

function nameOfSource(source: string, path: string | undefined): string {
  return basename((path ?? source).replace(/[\\/]+$/, '')).replace(/\.git$/, '') || 'plugin';
}
