/** The git branch and root of a folder, for commands and the footer. */
import { existsSync, readFileSync } from 'node:fs';
import { dirname, isAbsolute, join, resolve } from 'node:path';

export class GitService {
  constructor(private readonly cwd: string) {}

  /** Branch name, or the short commit hash; undefined outside a repository. */
  async branch(): Promise<string | undefined> {
    return gitBranch(this.cwd);
  }

  /** The folder that holds `.git`. */
  async root(): Promise<string | undefined> {
    return gitRoot(this.cwd);
  }
}

/** Reads the files of git: starting a process for every footer would be slow. */
export function gitBranch(cwd: string): string | undefined {
  const root = gitRoot(cwd);
  const folder = root && gitFolder(join(root, '.git'));
  if (!folder) return undefined;
  try {
    const head = readFileSync(join(folder, 'HEAD'), 'utf8').trim();
    const branch = /^ref: refs\/heads\/(.+)$/.exec(head)?.[1];
    return branch ?? (/^[0-9a-f]{40,64}$/.test(head) ? head.slice(0, 7) : undefined);
  } catch {
    return undefined;
  }
}

/** The nearest folder, from `cwd` upwards, that has a `.git`. */
function gitRoot(cwd: string): string | undefined {
  for (let folder = cwd; ; folder = dirname(folder)) {
    if (existsSync(join(folder, '.git'))) return folder;
    if (dirname(folder) === folder) return undefined;
  }
}

/** In a worktree `.git` is a file with the path of the real folder. */
function gitFolder(path: string): string | undefined {
  try {
    const target = /^gitdir: (.+)$/m.exec(readFileSync(path, 'utf8'))?.[1]?.trim();
    if (target === undefined) return undefined;
    return isAbsolute(target) ? target : resolve(dirname(path), target);
  } catch {
    return path;
  }
}
