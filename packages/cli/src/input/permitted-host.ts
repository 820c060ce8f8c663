/** A workspace with paths outside of it that the user has allowed to read, for one prompt. */
import { sep } from 'node:path';
import type { AtHost } from './at-resolve.js';

/** @param allowed a real path; a folder with all that is in it */
export function permittedHost(host: AtHost, allowed: string): AtHost {
  const isAllowed = (path: string) => path === allowed || path.startsWith(allowed + sep);
  return {
    getWorkspaceContext: () => host.getWorkspaceContext(),
    getFileSystemService: () => host.getFileSystemService(),
    getFileService: () => host.getFileService(),
    getFileFilteringOptions: () => host.getFileFilteringOptions(),
    validatePathAccess: (path, access) =>
      access === 'read' && isAllowed(path) ? null : host.validatePathAccess(path, access),
  };
}
