/** Whether there is a newer version of an extension. Only reads. */
import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { messageOf } from '../../base/errors.js';
import { ownVariables, temporaryDirectory } from '../../platform/environment.js';
import { ExtensionInstallError } from '../install/error.js';
import { fetchSource, type SourceWish } from '../install/fetch.js';
import type { InstallPorts } from '../install/ports.js';
import { parseSource } from '../install/source.js';
import { readManifest } from '../manifest/read-manifest.js';
import { ExtensionUpdateStatus, type GeminiCLIExtension } from '../types.js';
import { headCommit } from './head-commit.js';

export interface UpdateCheck {
  status: ExtensionUpdateStatus;
  /** What is newer: a version, a tag or a commit. */
  newer?: string;
  /** Why it cannot be checked. */
  message?: string;
}

const CHECK_MS = 10_000;

type Checked = Pick<GeminiCLIExtension, 'version' | 'installPath' | 'installMetadata' | 'migratedTo'>;

export async function checkForUpdate(extension: Checked, ports: InstallPorts): Promise<UpdateCheck> {
  const { installMetadata: metadata } = extension;
  if (!metadata || metadata.type === 'link') return { status: ExtensionUpdateStatus.NotUpdatable };
  if (metadata.type === 'local' && !existsSync(metadata.source))
    return { status: ExtensionUpdateStatus.NotUpdatable, message: `its source ${metadata.source} is gone` };
  const { timeout, limited } = withTimeLimit(ports);
  try {
    const moved = await reachableMigration(extension, limited);
    if (moved) return { status: ExtensionUpdateStatus.UpdateAvailable, newer: moved.newer };
    return await newest(wishOf(extension, ports), extension, limited);
  } catch (error) {
    const message = timeout.aborted ? 'the source did not answer in time' : messageOf(error);
    return { status: ExtensionUpdateStatus.Error, message };
  }
}

function withTimeLimit(ports: InstallPorts): { timeout: AbortSignal; limited: InstallPorts } {
  const limits = { silenceMs: CHECK_MS, totalMs: CHECK_MS, ...ports.limits };
  const timeout = AbortSignal.timeout(limits.totalMs);
  const signal = ports.signal ? AbortSignal.any([ports.signal, timeout]) : timeout;
  return { timeout, limited: { ...ports, signal, limits } };
}

/** What an update installs: the source that the extension moved to if that answers, else where it came from. */
export async function updateWish(extension: Checked, ports: InstallPorts): Promise<SourceWish> {
  const moved = await reachableMigration(extension, withTimeLimit(ports).limited);
  return moved?.wish ?? wishOf(extension, ports);
}

/** Whatever is at the new source is newer than what is installed. */
async function reachableMigration(
  extension: Checked,
  ports: InstallPorts,
): Promise<{ wish: SourceWish; newer: string } | undefined> {
  try {
    const wish = migration(extension, ports);
    if (!wish) return undefined;
    const { newer } = await newest(wish, { ...extension, installPath: '' }, ports);
    return newer === undefined ? undefined : { wish, newer };
  } catch {
    return undefined; // not reachable, or not an address
  }
}

function migration({ migratedTo, installMetadata }: Checked, ports: InstallPorts): SourceWish | undefined {
  if (migratedTo === undefined) return undefined;
  const source = parseSource(migratedTo, ports.environment);
  if (source.source === installMetadata?.source || source.kind === 'local') return undefined;
  const { autoUpdate, allowPreRelease } = installMetadata ?? {};
  return { source, ...(autoUpdate && { autoUpdate }), ...(allowPreRelease && { allowPreRelease }) };
}

function wishOf({ installMetadata }: Checked, ports: InstallPorts): SourceWish {
  if (!installMetadata) throw new ExtensionInstallError('It is not known where it came from.');
  const { source, type: _, releaseTag: __, ...options } = installMetadata;
  return { ...options, source: parseSource(source, ports.environment) };
}

async function newest(wish: SourceWish, extension: Checked, ports: InstallPorts): Promise<UpdateCheck> {
  const { source } = wish;
  if (source.kind === 'local') return compared(extension.version, await localVersion(wish, ports));
  const { type, releaseTag } = extension.installMetadata ?? {};
  if (source.github && (type === 'github-release' || extension.installPath === '')) {
    const tag = await releaseTagOf(wish, ports);
    if (tag !== undefined) return compared(extension.installPath === '' ? undefined : releaseTag, tag);
  }
  const [{ remoteCommit }, { githubToken }] = await Promise.all([
    import('../../platform/git/clone.js'),
    import('../install/github/github-http.js'),
  ]);
  const variables = ownVariables(ports.environment);
  const token = githubToken(variables);
  const commit = await remoteCommit({
    url: source.source,
    cwd: ports.globalDir,
    variables,
    timeoutMs: CHECK_MS,
    ...(wish.ref !== undefined && { ref: wish.ref }),
    ...(token && { githubToken: token }),
    ...(ports.signal && { signal: ports.signal }),
  });
  return compared(extension.installPath === '' ? undefined : headCommit(extension.installPath), commit);
}

function compared(installed: string | undefined, there: string | undefined): UpdateCheck {
  if (there === undefined) return { status: ExtensionUpdateStatus.NotUpdatable };
  if (installed === there) return { status: ExtensionUpdateStatus.UpToDate };
  return { status: ExtensionUpdateStatus.UpdateAvailable, newer: there };
}

async function releaseTagOf(wish: SourceWish, ports: InstallPorts): Promise<string | undefined> {
  const { source, ref, allowPreRelease } = wish;
  if (source.kind === 'local' || !source.github) return undefined;
  const [{ GithubHttp }, { findRelease }] = await Promise.all([
    import('../install/github/github-http.js'),
    import('../install/github/releases.js'),
  ]);
  const http = new GithubHttp(ports.environment, ports.signal, ports.limits);
  try {
    const options = { ...(ref !== undefined && { ref }), ...(allowPreRelease && { allowPreRelease }) };
    return (await findRelease(http, source.github, options))?.tag;
  } finally {
    http.close();
  }
}

async function localVersion(wish: SourceWish, ports: InstallPorts): Promise<string> {
  const folder = mkdtempSync(join(temporaryDirectory(ports.environment.variables), 'gemini-extension-'));
  try {
    const { dir } = await fetchSource(wish, join(folder, 'source'), ports);
    if (wish.convertedFrom) {
      const { pluginVersion } = await import('../convert/plugin-version.js');
      return await pluginVersion(dir, wish.conversion, ports.environment);
    }
    const { manifest, problems } = readManifest(dir, { workspacePath: ports.environment.cwd });
    if (manifest) return manifest.version;
    const reason = problems.map(({ message }) => message).join(' ');
    throw new ExtensionInstallError(reason.replaceAll(dir, wish.source.source));
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
