/** Finds the `.toml` command files below a folder and derives command names from their paths. */
import { readdirSync, readFileSync, realpathSync, statSync } from 'node:fs';
import { join } from 'node:path';

export interface CommandFile {
  path: string;
  /** Relative to the folder, with `/`. */
  relative: string;
  /** `git/commit.toml` is `git:commit`. */
  name: string;
}

const SUFFIX = '.toml';
const LONGEST_SEGMENT = 50;
const MAX_FILES = 2000;
const DEEPEST = 10;
const MAX_BYTES = 1024 * 1024;

/** Follows links, enters each folder once, and skips what cannot be read. */
export function findCommandFiles(directory: string): CommandFile[] {
  const files: CommandFile[] = [];
  const seen = new Set<string>();
  const look = (folder: string, below: string, depth: number) => {
    const real = realPathOf(folder);
    if (real === undefined || seen.has(real) || depth > DEEPEST) return;
    seen.add(real);
    for (const entry of namesIn(folder)) {
      if (files.length >= MAX_FILES) return;
      const path = join(folder, entry);
      const relative = below === '' ? entry : `${below}/${entry}`;
      if (isDirectory(path)) look(path, relative, depth + 1);
      else if (entry.endsWith(SUFFIX)) files.push({ path, relative, name: commandName(relative) });
    }
  };
  look(directory, '', 0);
  return files;
}

/** @throws Error when it is too large or not a regular file */
export function readCommandFile(path: string): string {
  const stats = statSync(path);
  if (!stats.isFile()) throw new Error('it is not a regular file.');
  if (stats.size > MAX_BYTES) throw new Error('it is larger than 1 MB.');
  return readFileSync(path, 'utf8').replace(/^\ufeff/, '');
}

function commandName(relative: string): string {
  return relative
    .slice(0, -SUFFIX.length)
    .split('/')
    .map((segment) => {
      const safe = segment.replace(/[^\w.-]/g, '_');
      return safe.length > LONGEST_SEGMENT ? `${safe.slice(0, LONGEST_SEGMENT - 3)}...` : safe;
    })
    .join(':');
}

function namesIn(folder: string): string[] {
  try {
    return readdirSync(folder).sort();
  } catch {
    return [];
  }
}

function realPathOf(path: string): string | undefined {
  try {
    return realpathSync(path);
  } catch {
    return undefined;
  }
}

function isDirectory(path: string): boolean {
  try {
    return statSync(path).isDirectory();
  } catch {
    return false;
  }
}
