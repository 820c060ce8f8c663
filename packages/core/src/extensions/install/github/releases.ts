/** Releases of a GitHub repository, as its API describes them. */
import { isObject } from '../../../base/objects.js';
import { ExtensionInstallError } from '../error.js';
import type { GithubHttp } from './github-http.js';
import type { GithubRepository } from './repository.js';

export interface GithubRelease {
  tag: string;
  assets: readonly { name: string; url: string; apiUrl?: string }[];
  tarball?: string;
  zipball?: string;
}

export interface ReleaseWish {
  /** Tag of the release. */
  ref?: string;
  allowPreRelease?: boolean;
}

/**
 * The release with the tag, the latest, or (for pre-releases, or where none is marked as latest) the most recent.
 * @returns undefined when there is none @throws UserError when GitHub cannot be asked
 */
export async function findRelease(
  http: GithubHttp,
  { owner, repo }: GithubRepository,
  { ref, allowPreRelease }: ReleaseWish,
): Promise<GithubRelease | undefined> {
  const base = `repos/${owner}/${repo}/releases`;
  if (ref !== undefined) return readRelease(await http.getJson(`${base}/tags/${encodeURIComponent(ref)}`));
  if (!allowPreRelease) {
    const latest = readRelease(await http.getJson(`${base}/latest`));
    if (latest) return latest;
  }
  const all = await http.getJson(`${base}?per_page=10`);
  const recent = Array.isArray(all)
    ? all.find((entry) => isObject(entry) && entry['draft'] !== true)
    : undefined;
  return readRelease(recent);
}

function readRelease(value: unknown): GithubRelease | undefined {
  if (value === undefined) return undefined;
  const tag = isObject(value) ? value['tag_name'] : undefined;
  if (!isObject(value) || typeof tag !== 'string' || tag === '' || /[\0-\x1f]/.test(tag))
    throw new ExtensionInstallError('GitHub answered with something that is not a release.');
  const assets = Array.isArray(value['assets']) ? value['assets'] : [];
  const [tarball, zipball] = [addressOf(value['tarball_url']), addressOf(value['zipball_url'])];
  return {
    tag,
    assets: assets.flatMap(readAsset),
    ...(tarball && { tarball }),
    ...(zipball && { zipball }),
  };
}

function readAsset(value: unknown): GithubRelease['assets'][number][] {
  if (!isObject(value)) return [];
  const { name } = value;
  const [url, apiUrl] = [addressOf(value['browser_download_url']), addressOf(value['url'])];
  if (typeof name !== 'string' || !url) return [];
  return [{ name, url, ...(apiUrl && { apiUrl }) }];
}

function addressOf(value: unknown): string | undefined {
  return typeof value === 'string' && /^https?:\/\//i.test(value) && URL.canParse(value) ? value : undefined;
}
