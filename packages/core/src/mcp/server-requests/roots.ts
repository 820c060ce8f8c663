/** The workspace directories, as roots for servers. */
import { basename } from 'node:path';
import { pathToFileURL } from 'node:url';

export function rootsOf(directories: readonly string[]): { uri: string; name: string }[] {
  return directories.map((directory) => ({
    uri: pathToFileURL(directory).href,
    name: basename(directory) || directory,
  }));
}
