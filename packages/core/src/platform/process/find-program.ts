/** Finds a program by PATH and the system's own directories; never one that the project brings. */
import { accessSync, constants } from 'node:fs';
import { delimiter, isAbsolute, join } from 'node:path';

const SYSTEM_DIRECTORIES = ['/usr/bin', '/bin', '/usr/local/bin', '/usr/sbin', '/sbin'];

/** @param path the variable PATH; its relative entries are left out */
export function findProgram(
  name: string,
  path: string | undefined,
  fallback: readonly string[] = SYSTEM_DIRECTORIES,
): string | undefined {
  return [...(path ?? '').split(delimiter).filter(isAbsolute), ...fallback]
    .map((directory) => join(directory, name))
    .find(isExecutable);
}

function isExecutable(file: string): boolean {
  try {
    accessSync(file, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}
