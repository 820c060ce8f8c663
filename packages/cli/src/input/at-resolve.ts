/** What an `@path` names: a file or directory of the workspace, or nothing we know. */
import { type Stats, statSync } from 'node:fs';
import { homedir } from 'node:os';
import { isAbsolute, join, relative, resolve, sep } from 'node:path';
import { codeOf, FileError, type FileHost, messageOf, type WorkspaceHost } from '@gemini-cli/core';

export type AtHost = Pick<WorkspaceHost, 'getWorkspaceContext' | 'validatePathAccess'> & FileHost;

export type Resolution =
  /** `shown` is relative to the workspace directory that holds it. */
  | { kind: 'file' | 'directory'; path: string; shown: string }
  | { kind: 'ignored'; shown: string }
  /** It exists, but may not or cannot be read. */
  | { kind: 'refused'; reason: string }
  | { kind: 'unknown' };

export interface ResolveOptions {
  /** Look for a file whose name contains the text when there is none at that path. */
  search: boolean;
  signal: AbortSignal;
}

export async function resolveReference(
  host: AtHost,
  path: string,
  { search, signal }: ResolveOptions,
): Promise<Resolution> {
  if (path.includes('\0')) return { kind: 'unknown' };
  const expanded = expandHome(path);
  const roots = host.getWorkspaceContext().getDirectories();
  const candidates = isAbsolute(expanded) ? [expanded] : roots.map((root) => resolve(root, expanded));
  for (const candidate of candidates) {
    const resolution = await lookAt(host, candidate);
    if (resolution.kind !== 'unknown') return resolution;
  }
  if (!search || isAbsolute(expanded) || expanded.split('/').includes('..')) return { kind: 'unknown' };
  const found = await searchByName(host, expanded, signal);
  return found === undefined ? { kind: 'unknown' } : lookAt(host, found);
}

async function lookAt(host: AtHost, path: string): Promise<Resolution> {
  const stat = statOf(path);
  if (stat === undefined && !(await isUnsavedFile(host, path))) return { kind: 'unknown' };
  if (typeof stat === 'string') return { kind: 'refused', reason: stat };
  const refusal = host.validatePathAccess(path, 'read');
  if (refusal !== null) return { kind: 'refused', reason: refusal };
  const shown = showPath(host, path);
  const options = host.getFileFilteringOptions();
  const files = host.getFileService();
  if (stat?.isDirectory()) {
    const isIgnored = files.shouldIgnoreDirectory(path, options);
    return isIgnored ? { kind: 'ignored', shown } : { kind: 'directory', path, shown };
  }
  return files.shouldIgnoreFile(path, options) ? { kind: 'ignored', shown } : { kind: 'file', path, shown };
}

/** Undefined: not there. A text: why it cannot even be looked at. */
function statOf(path: string): Stats | string | undefined {
  try {
    return statSync(path);
  } catch (error) {
    const code = codeOf(error);
    return code === 'EACCES' || code === 'ELOOP' || code === 'EIO' ? messageOf(error) : undefined;
  }
}

/** Whether a file that is not on disk exists in the file system that was put in its place. */
async function isUnsavedFile(host: AtHost, path: string): Promise<boolean> {
  const authorize = (realPath: string) => host.validatePathAccess(realPath, 'read');
  try {
    await host.getFileSystemService().inspect(path, { authorize });
    return true;
  } catch (error) {
    if (error instanceof FileError) return false;
    throw error;
  }
}

async function searchByName(host: AtHost, name: string, signal: AbortSignal): Promise<string | undefined> {
  const literal = name.replace(/[*?[\]{}()!+@|\\]/g, '\\$&');
  const { files } = await host.getFileService().findFiles({
    roots: [...host.getWorkspaceContext().getDirectories()],
    include: [`**/*${literal}*`],
    exclude: ['**/node_modules/**', '**/.git/**'],
    options: host.getFileFilteringOptions(),
    limit: 1,
    signal,
  });
  return files[0];
}

/** Relative to the workspace directory it is in, with `/`; elsewhere as it is. */
export function showPath(host: AtHost, path: string): string {
  for (const root of host.getWorkspaceContext().getDirectories()) {
    const shown = relative(root, path);
    const isInside = shown !== '..' && !shown.startsWith(`..${sep}`) && !isAbsolute(shown);
    if (isInside) return shown === '' ? '.' : shown.split(sep).join('/');
  }
  return path;
}

function expandHome(path: string): string {
  return path === '~' || path.startsWith('~/') ? join(homedir(), path.slice(1)) : path;
}
