/** Fetches a repository with plugins into a temporary folder. */
import { mkdtempSync, readFileSync, realpathSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { temporaryDirectory, type Variables } from '../../../platform/environment.js';
import { isInside } from '../../../platform/files/real-path.js';
import { isDirectory } from '../../../platform/files/try-read.js';
import { ConvertError } from '../convert-error.js';

export interface RepositoryRequest {
  url: string;
  ref?: string;
  /** The commit that it must be; wins over `ref`. */
  sha?: string;
  /** Folder inside. */
  path?: string;
  variables: Variables;
  signal?: AbortSignal;
}

export interface FetchedFolder {
  dir: string;
  close(): void;
}

/** @throws ConvertError, CloneError */
export async function fetchRepository(request: RepositoryRequest): Promise<FetchedFolder> {
  const { url, ref, sha, path, variables, signal } = request;
  const root = realpathSync(mkdtempSync(join(temporaryDirectory(variables), 'gemini-plugin-')));
  const close = () => rmSync(root, { recursive: true, force: true });
  try {
    if (sha !== undefined && !/^[0-9a-f]{7,64}$/i.test(sha))
      throw new ConvertError(`${url}: "${sha.slice(0, 80)}" is not a commit. Write its hash.`);
    const { cloneRepository } = await import('../../../platform/git/clone.js');
    // Servers hand out a commit by its whole hash only.
    const wanted = sha !== undefined && sha.length >= 40 ? sha : ref;
    await cloneRepository({
      url,
      into: root,
      variables,
      ...(wanted !== undefined && { ref: wanted }),
      ...(signal && { signal }),
    });
    if (sha !== undefined) requireCommit(root, sha, url);
    return { dir: path === undefined ? root : folderInside(root, path), close };
  } catch (error) {
    close();
    throw error;
  }
}

function requireCommit(root: string, sha: string, url: string): void {
  const head = readFileSync(join(root, '.git', 'HEAD'), 'utf8').trim();
  if (head.toLowerCase().startsWith(sha.toLowerCase())) return;
  throw new ConvertError(`${url}: the commit is ${head.slice(0, 40)}, not ${sha}. Nothing was converted.`);
}

/** @throws ConvertError when the path leaves the root or is not a folder */
export function folderInside(root: string, path: string): string {
  const dir = join(root, path.replaceAll('\\', '/'));
  if (!isInside(dir, root) || !isDirectory(dir))
    throw new ConvertError(`There is no folder ${path} in the source.`);
  const real = realpathSync(dir);
  if (!isInside(real, realpathSync(root))) throw new ConvertError(`${path} leads out of the source.`);
  return real;
}
