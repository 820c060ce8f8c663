/** Where command files are looked for. */
import { join, resolve } from 'node:path';
import { globalGeminiDir, type Variables } from '@gemini-cli/core';
import type { CommandFolder } from './file.js';

export interface FolderSurroundings {
  projectRoot: string;
  env: Variables;
  /** False: what the project brings along does not count. */
  isTrusted: boolean;
  /** Active ones. */
  extensions?: readonly { name: string; id?: string; path: string }[];
}

export function commandFolders({
  projectRoot,
  env,
  isTrusted,
  extensions = [],
}: FolderSurroundings): CommandFolder[] {
  const user = join(globalGeminiDir(env), 'commands');
  const project = join(resolve(projectRoot), '.gemini', 'commands');
  const byName = [...extensions].sort((a, b) => (a.name < b.name ? -1 : 1));
  return [
    { directory: user, namespace: 'user' },
    ...(isTrusted && project !== resolve(user) ? [{ directory: project, namespace: 'workspace' }] : []),
    ...byName.map(({ name, id, path }) => ({
      directory: join(path, 'commands'),
      namespace: name,
      extension: { name, ...(id !== undefined && { id }) },
    })),
  ];
}
