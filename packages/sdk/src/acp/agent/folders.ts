/** Checks the folders a client names, before anything is opened in them. */
import { statSync } from 'node:fs';
import { isAbsolute } from 'node:path';
import { CallerError } from '../errors.js';

export interface Folders {
  cwd: string;
  additionalDirectories?: readonly string[];
}

/** @throws CallerError for a path that is not absolute, or not a folder */
export function checkFolders({ cwd, additionalDirectories = [] }: Folders): Required<Folders> {
  for (const [name, path] of [
    ['cwd', cwd],
    ...additionalDirectories.map((path) => ['additionalDirectories', path]),
  ] as const) {
    if (!path || !isAbsolute(path)) throw new CallerError(`${name} must be an absolute path: "${path}".`);
    if (!statSync(path, { throwIfNoEntry: false })?.isDirectory())
      throw new CallerError(`${name} is not a folder: ${path}`);
  }
  return { cwd, additionalDirectories };
}
