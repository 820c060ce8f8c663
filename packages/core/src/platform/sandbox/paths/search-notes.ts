/** Warns about workspaces with too many folders to search for `.env` files. */
import { MAX_ENV_DIRECTORIES, searchEnvFiles } from './env-files.js';
import { readDirectory } from './hidden-paths.js';

/** For `gemini doctor` and `/about`: the user must know that the search was incomplete. */
export function searchNotes(workspaces: readonly string[]): string[] {
  return workspaces
    .filter((path) => !searchEnvFiles(path, () => false, readDirectory).isComplete)
    .map((path) => {
      const most = MAX_ENV_DIRECTORIES.toLocaleString('en');
      return `${path} has more than ${most} folders: .env files in the rest are not hidden from commands`;
    });
}
