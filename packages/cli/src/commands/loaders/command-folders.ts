/** The folders that may contain command files: the user's, the project's, those of extensions. */
import { join, resolve } from 'node:path';
import { globalGeminiDir, type Variables } from '@gemini-cli/core';
import type { CommandFolder } from './file.js';

export interface CommandFolderOptions {
  projectRoot: string;
  env: Variables;
  /** False: the project's commands are not loaded. */
  isTrusted: boolean;
  /** Enabled extensions. */
  extensions?: readonly { name: string; id?: string; path: string }[];
}

export function commandFolders({
  projectRoot,
  env,
  isTrusted,
  extensions = [],
}: CommandFolderOptions): CommandFolder[] {
  const user = join(globalGeminiDir(env), 'commands');
  const project = join(resolve(projectRoot), '.gemini', 'commands');
  const byName = [...extensions].sort((a, b) => (a.name < b.name ? -1 : 1));
  return [
    { directory: user, namespace: 'user' },
    ...(isTrusted && project !== resolve(user) ? [{ directory: project, namespace: 'workspace' }] : []),
    ...byName.map(({ name, id, path }) => ({
      directory: join(path, 'commands'),
      namespace: name,
      extension: { name, path, ...(id !== undefined && { id }) },
    })),
  ];
}
