/** Version and other texts that name the extension. */
import type { CheckedExtension } from './checked-extension.js';

const NUMBER = '(?:0|[1-9]\\d*)';
const SEMVER = new RegExp(`^v?${NUMBER}\\.${NUMBER}\\.${NUMBER}(?:-[\\w.-]+)?(?:\\+[\\w.-]+)?$`);

export function checkIdentity({ manifest, warn }: CheckedExtension): void {
  const { version, migratedTo } = manifest;
  if (!SEMVER.test(version))
    warn('version', `"${version}" is not a semantic version. Write three numbers, such as 1.2.3.`);
  if (migratedTo !== undefined && !/^(?:https?|ssh|git|sso):\/\/|^git@|^[\w.-]+\/[\w.-]+$/.test(migratedTo))
    warn('migratedTo', `"${migratedTo}" is not the address of a repository.`);
}
