/** Finds the files that a program needs to run: itself, the interpreter of its first line, and its own libraries. */
import { closeSync, existsSync, openSync, readSync } from 'node:fs';
import { basename, dirname, isAbsolute, join, resolve } from 'node:path';
import { isInside } from '../../files/real-path.js';
import { findProgram } from '../../process/find-program.js';
import { followLinks, type PathLink } from './follow-links.js';

export interface ProgramFiles {
  /** Real paths of the executables. */
  files: readonly string[];
  /** Libraries outside the system's folders. */
  folders: readonly string[];
  links: readonly PathLink[];
}

export interface ProgramPlaces {
  /** The value of PATH. */
  path: string | undefined;
  cwd: string;
  home: string;
}

/** Folders in which all packages of the machine lie side by side. */
const STORES = ['/nix/store', '/gnu/store'];
const FIRST_LINE_BYTES = 256;

/** A program that does not exist is left out: the process that starts it says so. */
export function programFiles(names: readonly string[], places: ProgramPlaces): ProgramFiles {
  const files = new Set<string>();
  const folders = new Set<string>();
  const links: PathLink[] = [];
  const left = [...names];
  for (let name = left.shift(); name !== undefined; name = left.shift()) {
    const found = locate(name, places);
    const followed = found === undefined ? undefined : followLinks(found);
    if (!followed || !existsSync(followed.real)) continue;
    links.push(...followed.links);
    if (files.has(followed.real)) continue;
    files.add(followed.real);
    const interpreter = interpreterOf(followed.real);
    left.push(...interpreter);
    for (const folder of librariesOf(followed.real, interpreter.length > 0, places.home)) folders.add(folder);
  }
  return { files: [...files], folders: [...folders], links };
}

function locate(name: string, { path, cwd, home }: ProgramPlaces): string | undefined {
  const program = name.replace(/^~(?=\/)/, () => home);
  if (isAbsolute(program)) return program;
  return program.includes('/') ? resolve(cwd, program) : findProgram(program, path);
}

/** `#!/usr/bin/env -S node --flag` needs env and node. */
function interpreterOf(file: string): string[] {
  const [, program, rest = ''] = /^#!\s*(\S+)[ \t]*(.*)/.exec(firstLineOf(file)) ?? [];
  if (!program) return [];
  if (basename(program) !== 'env') return [program];
  const name = rest.split(/\s+/).find((word) => !word.startsWith('-') && !word.includes('='));
  return [program, ...(name ? [name] : [])];
}

function firstLineOf(file: string): string {
  let descriptor: number | undefined;
  try {
    descriptor = openSync(file, 'r');
    const bytes = Buffer.alloc(FIRST_LINE_BYTES);
    const length = readSync(descriptor, bytes, 0, FIRST_LINE_BYTES, 0);
    return bytes.toString('latin1', 0, length).split('\n')[0] ?? '';
  } catch {
    return '';
  } finally {
    if (descriptor !== undefined) closeSync(descriptor);
  }
}

/** A script has the files of its package; a program in `<prefix>/bin` has `<prefix>/lib`. */
function librariesOf(file: string, isScript: boolean, home: string): string[] {
  const store = STORES.find((folder) => isInside(file, folder));
  if (store) return [store];
  const inPackages = /^(.*\/node_modules\/(?:@[^/]+\/)?[^/]+)\//.exec(file)?.[1];
  if (isScript && inPackages) return [inPackages];
  const prefix = dirname(dirname(file));
  if (basename(dirname(file)) !== 'bin' || isInside(home, prefix)) return [];
  const folders = [join(prefix, 'lib'), join(prefix, 'pyvenv.cfg')];
  return folders.filter((folder) => existsSync(folder));
}
