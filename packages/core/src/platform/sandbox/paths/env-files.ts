/** Finds the `.env` files of a workspace, which are hidden from sandboxed commands. */
import { join } from 'node:path';
import { type DirectoryReader, existing, type HiddenPath, readDirectory } from './hidden-paths.js';

export interface EnvSearch {
  files: HiddenPath[];
  /** False: there are too many folders to search all. */
  isComplete: boolean;
}

const ENV_FILE = /^\.env(?:\..+)?$/i;
const ENVRC = /^\.envrc$/i;
const ENV_DEPTH = 6;
/** Folders with thousands of directories and no secrets of the project. */
const NOT_SEARCHED = new Set([
  ...['node_modules', '.git', '.hg', '.svn', 'vendor', 'target', '.venv', 'site-packages', '__pycache__'],
  ...['.cache', '.gradle', '.tox', '.mypy_cache', '.pytest_cache'],
]);
/** Searching more would take longer than the command itself. */
export const MAX_ENV_DIRECTORIES = 4_000;

/** `.env` and `.env.*`, down to depth 6; for a link, the real path of its target. */
export function envFiles(workspace: string, read: DirectoryReader = readDirectory): HiddenPath[] {
  return searchEnvFiles(workspace, (name) => ENV_FILE.test(name), read).files;
}

/** Also `.envrc`. The caller must show tracked files to git, which would report an empty `.envrc` as a change. */
export function envFilesAndEnvrc(workspace: string, read: DirectoryReader): HiddenPath[] {
  return searchEnvFiles(workspace, (name) => ENV_FILE.test(name) || ENVRC.test(name), read).files;
}

/** Breadth first, so that in a large tree only the deepest folders are skipped. */
export function searchEnvFiles(
  workspace: string,
  isWanted: (name: string) => boolean,
  read: DirectoryReader,
): EnvSearch {
  const files: HiddenPath[] = [];
  let level = [workspace];
  let visited = 0;
  for (let depth = 1; depth <= ENV_DEPTH; depth++) {
    const next: string[] = [];
    for (const directory of level) {
      if (++visited > MAX_ENV_DIRECTORIES) return { files, isComplete: false };
      for (const { name, kind } of read(directory)) {
        if (isWanted(name)) files.push(...envFile(join(directory, name), kind === 'link'));
        else if (kind === 'directory' && !NOT_SEARCHED.has(name)) next.push(join(directory, name));
      }
    }
    level = next;
  }
  return { files, isComplete: true };
}

/** A link to a system file is not a secret, and hiding its target would break every command. */
function envFile(path: string, isLink: boolean): HiddenPath[] {
  const found = existing(path) ?? [];
  return isLink ? found.filter((target) => !target.isDirectory && !SYSTEM_PLACES.test(target.path)) : found;
}

const SYSTEM_PLACES = /^\/(?:bin|boot|dev|etc|lib\w*|nix|opt|proc|sbin|snap|sys|usr)\//;
