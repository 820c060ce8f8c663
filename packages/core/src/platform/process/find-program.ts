/** Finds a program on PATH and in the system's directories; never one inside the project. */
import { accessSync, constants } from 'node:fs';
import { delimiter, isAbsolute, join } from 'node:path';

const SYSTEM_DIRECTORIES = ['/usr/bin', '/bin', '/usr/local/bin', '/usr/sbin', '/sbin'];

/** @param path value of PATH; its relative entries are ignored, they could point into the project */
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
