/** Resolves an `@path` to a file or directory of the workspace. */
import { realpathSync, type Stats, statSync } from 'node:fs';
import { homedir } from 'node:os';
import { isAbsolute, join, relative, resolve, sep } from 'node:path';
import { codeOf, FileError, type FileHost, messageOf, type WorkspaceHost } from '@gemini-cli/core';

export type AtHost = Pick<WorkspaceHost, 'getWorkspaceContext' | 'validatePathAccess'> & FileHost;

export type Resolution =
  /** `shown` is relative to the workspace directory that holds it. */
  | { kind: 'file' | 'directory'; path: string; shown: string }
  | { kind: 'ignored'; shown: string }
  /** Exists, but cannot be read; with `outside`, its real path: the user may allow it. */
  | { kind: 'refused'; reason: string; outside?: string }
  | { kind: 'unknown' };

export interface ResolveOptions {
  /** If nothing has that path, search for a file whose name contains the text. */
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
    const resolution = await resolveExact(host, candidate);
    if (resolution.kind !== 'unknown') return resolution;
  }
  if (!search || isAbsolute(expanded) || expanded.split('/').includes('..')) return { kind: 'unknown' };
  const found = await searchByName(host, expanded, signal);
  return found === undefined ? { kind: 'unknown' } : resolveExact(host, found);
}

async function resolveExact(host: AtHost, path: string): Promise<Resolution> {
  const stat = statOf(path);
  if (stat === undefined && !(await isUnsavedFile(host, path))) return { kind: 'unknown' };
  if (typeof stat === 'string') return { kind: 'refused', reason: stat };
  const refusal = host.validatePathAccess(path, 'read');
  if (refusal !== null) return { kind: 'refused', reason: refusal, outside: realPath(path) };
  const shown = showPath(host, path);
  const options = host.getFileFilteringOptions();
  const files = host.getFileService();
  if (stat?.isDirectory()) {
    const isIgnored = files.shouldIgnoreDirectory(path, options);
    return isIgnored ? { kind: 'ignored', shown } : { kind: 'directory', path, shown };
  }
  return files.shouldIgnoreFile(path, options) ? { kind: 'ignored', shown } : { kind: 'file', path, shown };
}

/** @returns undefined when it does not exist, a string with the reason when it cannot be examined */
function statOf(path: string): Stats | string | undefined {
  try {
    return statSync(path);
  } catch (error) {
    const code = codeOf(error);
    return code === 'EACCES' || code === 'ELOOP' || code === 'EIO' ? messageOf(error) : undefined;
  }
}

/** Permission is given for what is read, not for a link to it. */
function realPath(path: string): string {
  try {
    return realpathSync(path);
  } catch {
    return path;
  }
}

/** Whether a file that is not on disk exists in the file system of the front end, e.g. as an editor buffer. */
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

/** The path relative to its workspace directory, with `/`; unchanged outside the workspace. */
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
