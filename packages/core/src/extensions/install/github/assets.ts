/** Chooses the file of a GitHub release that fits this machine. */

import { ExtensionInstallError } from '../error.js';
import { isArchive } from '../source.js';
import type { GithubRelease } from './releases.js';

export interface Machine {
  platform: string;
  arch: string;
}

export interface ChosenFile {
  /** For the name of the downloaded file. */
  name: string;
  /** Readable without a token, if the repository is public. */
  url: string;
  /** The same file through the API, which takes a token. */
  apiUrl?: string;
}

const ARCHITECTURE =
  /(?:^|[._-])(?:x64|x86_64|x86-64|amd64|arm64|aarch64|armv?\d*|ia32|x86|i[36]86|riscv64|ppc64|s390x)(?=[._-]|$)/i;
const PLATFORM = /(?:^|[._-])(?:darwin|linux|win32|macos|osx|windows|win64|freebsd)(?=[._-]|$)/i;

/**
 * `<platform>.<arch>.*`, then `<platform>.*` for all architectures, then the only archive if it is for every platform,
 * else the source. @throws ExtensionInstallError when there are files for this platform, but not for this architecture
 */
export function chooseFile(release: GithubRelease, { platform, arch }: Machine): ChosenFile {
  const archives = release.assets.filter(({ name }) => isArchive(name));
  const ofPlatform = archives.filter(({ name }) => name.toLowerCase().startsWith(`${platform}.`));
  const exact = ofPlatform.find(({ name }) => name.toLowerCase().startsWith(`${platform}.${arch}.`));
  const chosen = exact ?? ofPlatform.find(({ name }) => !ARCHITECTURE.test(stem(name)));
  if (chosen) return chosen;
  if (ofPlatform.length > 0) {
    const names = ofPlatform.map(({ name }) => name).join(', ');
    throw new ExtensionInstallError(
      `Release ${release.tag} has no archive for ${platform} on ${arch}, only: ${names}. Ask its author for one.`,
    );
  }
  const [only] = archives;
  if (only && archives.length === 1 && !PLATFORM.test(stem(only.name)) && !ARCHITECTURE.test(stem(only.name)))
    return only;
  const source = platform === 'win32' ? release.zipball : release.tarball;
  if (source) return { name: platform === 'win32' ? 'source.zip' : 'source.tar.gz', url: source };
  throw new ExtensionInstallError(`Release ${release.tag} has no archive that fits ${platform} on ${arch}.`);
}

function stem(name: string): string {
  return name.replace(/\.(?:zip|tar\.gz|tgz)$/i, '');
}
