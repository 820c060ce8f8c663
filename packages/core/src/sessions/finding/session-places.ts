/** The directories of a project's sessions and their files. */
import { statSync } from 'node:fs';
import { isAbsolute } from 'node:path';
import type { Storage } from '../../platform/storage/storage.js';
import { projectHashOf } from './project-hash.js';

export interface SessionPlaces {
  /** Where we write. */
  chatsDir: string;
  /** Older places, read only. */
  readOnlyDirs: readonly string[];
  /** Directories with one entry per session: `<session id>` or `session-<session id>…`. */
  projectTempDir: string;
}

/**
 * @param sessionStorageDir `general.sessionStorageDir`: absolute or with `~`; anything else is ignored
 * @param home what `~` stands for
 */
export function sessionPlaces(storage: Storage, sessionStorageDir?: string, home?: string): SessionPlaces {
  const directory = expanded(sessionStorageDir, home);
  return {
    chatsDir: storage.getChatsDir(directory),
    readOnlyDirs: [
      storage.getSeedChatsDir(projectHashOf(storage.getProjectRoot())),
      ...(directory && isOwn(directory) ? [directory] : []),
    ],
    projectTempDir: storage.getProjectTempDir(),
  };
}

function expanded(directory: string | undefined, home = '~'): string | undefined {
  if (!directory) return undefined;
  const path = directory.replace(/^~(?=$|[/\\])/, () => home);
  return isAbsolute(path) ? path : undefined;
}

/** In a shared directory such as `/tmp/gemini` another user may have planted files. */
function isOwn(directory: string): boolean {
  const user = process.getuid?.();
  if (user === undefined) return true;
  return statSync(directory, { throwIfNoEntry: false })?.uid === user;
}
