/** Fetches the newest state of a remote repository into an empty folder, without its history; tells its newest commit. */
import type { Variables } from '../environment.js';
import { CloneError, requireArgument, runRemoteGit } from './remote.js';

export interface CloneOptions {
  url: string;
  /** Branch, tag or commit. Absent: the default branch. */
  ref?: string;
  /** Exists and is empty. */
  into: string;
  variables: Variables;
  /** Sent to github.com over https, and to no other host. */
  githubToken?: string;
  signal?: AbortSignal;
}

/** @returns the commit @throws CloneError */
export async function cloneRepository({ url, ref, into, ...options }: CloneOptions): Promise<string> {
  for (const value of [url, ref ?? '']) requireArgument(value);
  const what = `fetch ${url}${ref === undefined ? '' : ` (${ref})`}`;
  const run = (...step: string[]) => runRemoteGit(step, { ...options, cwd: into }, what);
  await run('init', '--quiet');
  await run('fetch', '--quiet', '--depth', '1', '--no-tags', '--', url, ref ?? 'HEAD');
  await run('checkout', '--quiet', '--detach', 'FETCH_HEAD');
  return (await run('rev-parse', 'HEAD')).trim();
}

export interface RemoteCommitOptions extends Omit<CloneOptions, 'into'> {
  /** Any folder that exists. */
  cwd: string;
  timeoutMs?: number;
}

const COMMIT = /^[0-9a-f]{40,64}$/;

/** The commit that a branch, tag or HEAD of the repository names now. @throws CloneError */
export async function remoteCommit({ url, ref = 'HEAD', ...options }: RemoteCommitOptions): Promise<string> {
  for (const value of [url, ref]) requireArgument(value);
  if (COMMIT.test(ref)) return ref;
  // `^{}` is the commit that an annotated tag names.
  const out = await runRemoteGit(['ls-remote', '--', url, ref, `${ref}^{}`], options, `ask ${url}`);
  const found = new Map(
    out.split('\n').map((line) => {
      const [commit = '', name = ''] = line.split('\t');
      return [name, commit] as const;
    }),
  );
  const names = [ref, `refs/tags/${ref}^{}`, `refs/tags/${ref}`, `refs/heads/${ref}`, `${ref}^{}`];
  const commit = names.map((name) => found.get(name)).find(Boolean);
  if (!commit) throw new CloneError(`${url} has no branch or tag "${ref}".`);
  return commit;
}
