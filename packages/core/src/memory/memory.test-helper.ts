/** For tests: a home, a repository with a workspace, and a manager over these real files. */
import { mkdirSync, writeFileSync } from 'node:fs';
import { homedir } from 'node:os';
import { dirname, join } from 'node:path';
import { DEFAULT_PARAMETERS, tempDir } from '@gemini-cli/test-utils';
import { onTestFinished } from 'vitest';
import { MemoryContextManager, type MemoryPorts } from './context-files.js';
import type { MemorySettings } from './types.js';

export interface MemoryLab {
  root: string;
  /** `~/.gemini`. */
  global: string;
  /** Holds `.git`. */
  repo: string;
  /** `repo/packages/app`. */
  workspace: string;
  notices: string[];
  settings: Partial<MemorySettings>;
  ports: MemoryPorts;
  state: { trusted: boolean; directories: string[] };
  /** Relative to `root`; returns the absolute path. */
  put(path: string, content?: string | Uint8Array): string;
  manager(extra?: Partial<MemoryPorts>): MemoryContextManager;
}

export function memoryLab(): MemoryLab {
  const dir = tempDir('memory-');
  onTestFinished(() => dir.cleanup());
  const root = dir.path;
  const [global, repo] = [join(root, 'home/.gemini'), join(root, 'repo')];
  const workspace = join(repo, 'packages/app');
  for (const folder of [global, join(repo, '.git'), workspace]) mkdirSync(folder, { recursive: true });
  const notices: string[] = [];
  const state = { trusted: true, directories: [workspace] };
  const lab: MemoryLab = {
    root,
    global,
    repo,
    workspace,
    notices,
    state,
    settings: {},
    ports: {
      settings: () => ({ ...DEFAULT_PARAMETERS.memory, ...lab.settings }),
      home: homedir(),
      globalDir: global,
      privateDir: join(global, 'tmp/app/memory'),
      directories: () => state.directories,
      isTrusted: () => state.trusted,
      mask: (text) => text,
      notice: (message) => notices.push(message),
    },
    put: (path, content = '') => {
      const target = join(root, path);
      mkdirSync(dirname(target), { recursive: true });
      writeFileSync(target, content);
      return target;
    },
    manager: (extra) => new MemoryContextManager({ ...lab.ports, ...extra }),
  };
  return lab;
}
