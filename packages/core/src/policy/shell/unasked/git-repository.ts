/** Finds the repository git would use in a folder, searching like git: upwards, `.git` before a bare repository. */
import { lstatSync, readFileSync, realpathSync, statSync } from 'node:fs';
import { basename, dirname, join, resolve, sep } from 'node:path';
import { readGitConfig } from './git-config.js';

export interface GitRepository {
  /** Root of the working tree. */
  top: string;
  gitDir: string;
  /** Where settings and objects are; for a linked worktree, the main repository's git directory. */
  commonDir: string;
}

/** `doubtful`: git might use a bare repository, a submodule, or a repository of another folder. */
export type FoundRepository = GitRepository | 'none' | 'doubtful';

/** @param directory a real path */
export function repositoryOf(directory: string): FoundRepository {
  for (let current = directory; ; current = dirname(current)) {
    const found = repositoryAt(current);
    if (found !== 'none') return found;
    if (dirname(current) === current) return 'none';
  }
}

/** The repository of exactly this folder. */
function repositoryAt(top: string): FoundRepository {
  const gitDir = join(top, '.git');
  const kind = kindOf(gitDir);
  if (kind === 'file') return linkedWorktree(top, gitDir);
  if (kind === 'other') return 'doubtful';
  if (kind === 'directory' && kindOf(join(gitDir, 'HEAD')) !== 'missing') {
    return isGitDirectory(gitDir) ? { top, gitDir, commonDir: gitDir } : 'doubtful';
  }
  return looksLikeGitDirectory(top) ? 'doubtful' : 'none';
}

/** A repository inside another one's working tree. @param commonDir of the outer one, where its submodules are kept */
export function submoduleAt(top: string, commonDir: string): GitRepository | undefined {
  const found = repositoryAt(top);
  if (typeof found !== 'string') return found;
  try {
    const gitDir = targetOf(join(top, '.git'), top);
    const isKept = gitDir.startsWith(join(commonDir, 'modules') + sep) && isGitDirectory(gitDir);
    return isKept ? { top, gitDir, commonDir: gitDir } : undefined;
  } catch {
    return undefined;
  }
}

/** An incomplete repository counts, too. */
export function looksLikeGitDirectory(path: string): boolean {
  if (kindOf(join(path, 'HEAD')) === 'missing') return false;
  return ['objects', 'refs', 'commondir'].some((name) => kindOf(join(path, name)) !== 'missing');
}

function isGitDirectory(path: string): boolean {
  const isFolder = (name: string) => kindOf(join(path, name)) === 'directory';
  return isFolder('objects') && isFolder('refs') && kindOf(join(path, 'commondir')) === 'missing';
}

/** Accepted only if the main repository points back: a `.git` file that names a repository proves nothing. */
function linkedWorktree(top: string, file: string): FoundRepository {
  try {
    const gitDir = targetOf(file, top);
    if (isSubmoduleOf(gitDir, top)) return { top, gitDir, commonDir: gitDir };
    const commonDir = realpathSync(resolve(gitDir, smallFile(join(gitDir, 'commondir')).replace(/\n+$/, '')));
    const back = resolve(gitDir, smallFile(join(gitDir, 'gitdir')).replace(/\n+$/, ''));
    const isKnown = realpathSync(back) === realpathSync(file);
    const isOfMain = dirname(gitDir) === join(commonDir, 'worktrees') && isGitDirectory(commonDir);
    return isKnown && isOfMain ? { top, gitDir, commonDir } : 'doubtful';
  } catch {
    return 'doubtful';
  }
}

/** The git directory lies outside the working tree and names this folder as its working tree. */
function isSubmoduleOf(gitDir: string, top: string): boolean {
  if (gitDir.startsWith(top + sep) || !isGitDirectory(gitDir)) return false;
  const [folder, ...others] = (readGitConfig(join(gitDir, 'config')) ?? []).filter(
    ({ name }) => name === 'core.worktree',
  );
  return folder !== undefined && others.length === 0 && resolve(gitDir, folder.value) === top;
}

/** The git directory that a `.git` file names. */
function targetOf(file: string, top: string): string {
  const target = /^gitdir: (.+?)\n*$/s.exec(smallFile(file))?.[1];
  if (target === undefined) throw new Error('it points nowhere');
  return realpathSync(resolve(top, target));
}

const MAX_BYTES = 4096;

function smallFile(path: string): string {
  const { size } = statSync(path);
  if (size > MAX_BYTES) throw new Error(`${basename(path)} is too large`);
  return readFileSync(path, 'utf8');
}

function kindOf(path: string): 'missing' | 'directory' | 'file' | 'other' {
  try {
    const stats = lstatSync(path, { throwIfNoEntry: false });
    if (!stats) return 'missing';
    return stats.isDirectory() ? 'directory' : stats.isFile() ? 'file' : 'other';
  } catch {
    return 'missing';
  }
}
