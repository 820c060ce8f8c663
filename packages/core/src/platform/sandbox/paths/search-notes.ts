/** Says where a workspace has more folders than are searched before a command is sandboxed. */
import { MOST_ENV_DIRECTORIES, searchEnvFiles } from './env-files.js';
import { readDirectory } from './hidden-paths.js';

/** For `gemini doctor` and `/about`: a search that ends early must not look like one that found nothing. */
export function searchNotes(workspaces: readonly string[]): string[] {
  return workspaces
    .filter((path) => !searchEnvFiles(path, () => false, readDirectory).isComplete)
    .map((path) => {
      const most = MOST_ENV_DIRECTORIES.toLocaleString('en');
      return `${path} has more than ${most} folders: .env files in the rest are not hidden from commands`;
    });
}
