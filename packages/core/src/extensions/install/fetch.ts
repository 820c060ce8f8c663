/** Brings the files of a source to this machine: a release or a clone of a repository, an archive, or a local folder. */
import { mkdirSync, realpathSync, rmSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { ownVariables } from '../../platform/environment.js';
import { isInside } from '../../platform/files/real-path.js';
import { entriesIn, isDirectory, tryStat } from '../../platform/files/try-read.js';
import { type ExtensionInstallMetadata, MANIFEST_FILE } from '../types.js';
import { ExtensionInstallError } from './error.js';
import type { GithubRelease } from './github/releases.js';
import type { GithubRepository } from './github/repository.js';
import type { InstallPorts } from './ports.js';
import type { ParsedSource } from './source.js';

export interface SourceWish {
  source: ParsedSource;
  ref?: string;
  autoUpdate?: boolean;
  allowPreRelease?: boolean;
  /** Folder of the extension inside the source. */
  path?: string;
  convertedFrom?: 'claude-plugin';
  conversion?: Readonly<Record<string, unknown>>;
}

export interface FetchedSource {
  /** The folder of the extension, in the source itself for a local folder. */
  dir: string;
  /** The repository that was cloned; its `.git` tells later which commit is installed. */
  clone?: string;
  metadata: ExtensionInstallMetadata;
}

/** @param into does not exist yet; the caller removes it */
export async function fetchSource(
  wish: SourceWish,
  into: string,
  ports: InstallPorts,
): Promise<FetchedSource> {
  const { source, ref, autoUpdate, allowPreRelease, path, convertedFrom, conversion } = wish;
  const common = {
    source: source.source,
    ...(autoUpdate && { autoUpdate }),
    ...(path !== undefined && { path }),
    ...(convertedFrom && { convertedFrom }),
    ...(conversion && { conversion }),
  };
  if (source.kind === 'local') {
    if (ref !== undefined || autoUpdate)
      throw new ExtensionInstallError('--ref and --auto-update are for git repositories only.');
    if (!source.isArchive)
      return { dir: folderInside(source.source, path), metadata: { ...common, type: 'local' } };
    await extract(source.source, into);
    return { dir: unwrapped(into, path), metadata: { ...common, type: 'local' } };
  }
  const wanted = {
    ...common,
    ...(ref !== undefined && { ref }),
    ...(allowPreRelease && { allowPreRelease }),
  };
  // What a plugin's repository releases is not the plugin.
  const release = source.github && !convertedFrom && (await releaseOf(source.github, wish, ports));
  if (release && (await isDownloaded(release, into, ports))) {
    const metadata = { ...wanted, type: 'github-release' as const, releaseTag: release.tag };
    return { dir: unwrapped(into, path), metadata };
  }
  await clone(wish, into, ports);
  return { dir: folderInside(into, path), clone: into, metadata: { ...wanted, type: 'git' } };
}

/** @returns undefined: clone instead */
async function releaseOf(
  repository: GithubRepository,
  { ref, allowPreRelease }: SourceWish,
  ports: InstallPorts,
): Promise<GithubRelease | undefined> {
  const { GithubHttp } = await import('./github/github-http.js');
  const { findRelease } = await import('./github/releases.js');
  const http = new GithubHttp(ports.environment, ports.signal, ports.limits);
  try {
    return await findRelease(http, repository, {
      ...(ref !== undefined && { ref }),
      ...(allowPreRelease && { allowPreRelease }),
    });
  } catch (error) {
    await requireClone(error, ports);
    return undefined;
  } finally {
    http.close();
  }
}

/** @returns false: clone instead */
async function isDownloaded(release: GithubRelease, into: string, ports: InstallPorts): Promise<boolean> {
  try {
    await downloadRelease(release, into, ports);
    return true;
  } catch (error) {
    await requireClone(error, ports);
    return false;
  }
}

/** @throws the error, unless GitHub does not answer and the user wants a clone instead */
async function requireClone(error: unknown, ports: InstallPorts): Promise<void> {
  const { GithubError } = await import('./github/github-http.js');
  if (!(error instanceof GithubError)) throw error;
  const question = `${error.message}\nThe release cannot be read. Clone the repository with git instead?`;
  if (!ports.clonesUnasked && !(await ports.ask?.(question))) throw error;
}

async function downloadRelease(release: GithubRelease, into: string, ports: InstallPorts): Promise<void> {
  const [{ GithubHttp }, { chooseFile }, { ARCHIVE_LIMITS }] = await Promise.all([
    import('./github/github-http.js'),
    import('./github/assets.js'),
    import('./archive.js'),
  ]);
  const file = chooseFile(release, { platform: process.platform, arch: process.arch });
  const http = new GithubHttp(ports.environment, ports.signal, ports.limits);
  const archive = `${into}${/\.zip$/i.test(file.name) ? '.zip' : '.tar.gz'}`;
  try {
    await http.download(file, archive, ARCHIVE_LIMITS.archiveBytes);
    await extract(archive, into);
  } finally {
    http.close();
    rmSync(archive, { force: true });
  }
}

async function extract(archive: string, into: string): Promise<void> {
  mkdirSync(into);
  const { extractExtensionArchive } = await import('./archive.js');
  await extractExtensionArchive(archive, into);
}

async function clone({ source, ref }: SourceWish, into: string, ports: InstallPorts): Promise<void> {
  const [{ cloneRepository }, { githubToken }] = await Promise.all([
    import('../../platform/git/clone.js'),
    import('./github/github-http.js'),
  ]);
  const variables = ownVariables(ports.environment);
  const token = githubToken(variables);
  mkdirSync(into);
  await cloneRepository({
    url: source.source,
    into,
    variables,
    ...(ref !== undefined && { ref }),
    ...(token && { githubToken: token }),
    ...(ports.signal && { signal: ports.signal }),
  });
}

/** Archives often hold one folder with everything. */
function unwrapped(dir: string, path: string | undefined): string {
  const [only, ...others] = entriesIn(dir);
  const hasManifest = tryStat(join(dir, path ?? '.', MANIFEST_FILE)) !== undefined;
  const wrapper = !hasManifest && others.length === 0 && only?.isDirectory() ? only.name : '.';
  return folderInside(join(dir, wrapper), path);
}

/** @throws ExtensionInstallError when the folder does not exist or leads out of the source */
function folderInside(dir: string, path = '.'): string {
  const chosen = resolve(dir, path);
  try {
    const real = realpathSync(chosen);
    if (!isInside(chosen, dir) || !isInside(real, realpathSync(dir)))
      throw new ExtensionInstallError(`--path must stay inside the source: ${path}`);
    if (isDirectory(real)) return real;
  } catch (error) {
    if (error instanceof ExtensionInstallError) throw error;
    throw new ExtensionInstallError(`There is no folder "${path}" in the source.`, { cause: error });
  }
  throw new ExtensionInstallError(`"${path}" in the source is not a folder.`);
}
