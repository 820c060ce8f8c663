/** What the footer and the summary line tell, found out after the first frame. */
import { existsSync, readFileSync } from 'node:fs';
import { dirname, isAbsolute, join, resolve } from 'node:path';
import type { Config } from '@gemini-cli/core';
import type { Surroundings } from '../store/state.js';

export async function gatherFacts(config: Config, cwd: string): Promise<Partial<Surroundings>> {
  const memory = await config
    .getMemory()
    .list()
    .catch(() => []);
  const names = new Set(memory.map((path) => path.slice(path.lastIndexOf('/') + 1)));
  return {
    model: config.getModel(),
    auth: config.getAuthType(),
    sessionId: config.getSessionId(),
    contextFiles: memory.length,
    contextFileName: names.size === 1 ? ([...names][0] ?? 'GEMINI.md') : 'context',
    sandbox: sandboxName(config),
    trusted: config.isTrustedFolder(),
    branch: gitBranch(cwd),
  };
}

function sandboxName(config: Config): string {
  if (config.getEnvironment().variables['SANDBOX']) return 'current process';
  return config.getToolSandbox() ? 'all tools' : 'no sandbox';
}

/** Read from the files of git: no process is started for a footer. */
export function gitBranch(cwd: string): string | undefined {
  const folder = findGit(cwd);
  if (!folder) return undefined;
  try {
    const head = readFileSync(join(folder, 'HEAD'), 'utf8').trim();
    const branch = /^ref: refs\/heads\/(.+)$/.exec(head)?.[1];
    return branch ?? (/^[0-9a-f]{40,64}$/.test(head) ? head.slice(0, 7) : undefined);
  } catch {
    return undefined;
  }
}

function findGit(cwd: string): string | undefined {
  for (let folder = cwd; ; folder = dirname(folder)) {
    const path = join(folder, '.git');
    if (existsSync(path)) return gitFolder(path);
    if (dirname(folder) === folder) return undefined;
  }
}

/** In a worktree `.git` is a file that says where the folder is. */
function gitFolder(path: string): string | undefined {
  try {
    const target = /^gitdir: (.+)$/m.exec(readFileSync(path, 'utf8'))?.[1]?.trim();
    if (target === undefined) return undefined;
    return isAbsolute(target) ? target : resolve(dirname(path), target);
  } catch {
    return path;
  }
}
