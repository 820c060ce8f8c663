/** Looks at, backs up and removes files of the home folder. Never through a link: that folder is not ours. */
import { createHash } from 'node:crypto';
import { lstatSync, mkdirSync, readFileSync, readlinkSync, renameSync, rmdirSync, rmSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { codeOf } from '../../../base/errors.js';
import { namesIn, tryLstat } from '../../../platform/files/try-read.js';
import { isRunning } from '../../../platform/process/process-tree.js';
import type { OutputFile } from '../types.js';
import { contentOf } from '../write/put-file.js';

export type FoundFile =
  | { kind: 'absent' }
  | { kind: 'file'; hash: string }
  /** A folder, a device, or something behind a link. */
  | { kind: 'other' };

/** @param path below `home`, with `/` */
export function lookAt(home: string, path: string): FoundFile {
  if (hasLinkedParent(home, path)) return { kind: 'other' };
  const absolute = join(home, path);
  const stats = tryLstat(absolute);
  if (!stats) return { kind: 'absent' };
  if (stats.isSymbolicLink()) return { kind: 'file', hash: linkHash(readlinkSync(absolute)) };
  return stats.isFile() ? { kind: 'file', hash: sha256(readFileSync(absolute)) } : { kind: 'other' };
}

export function hashOf(file: OutputFile): string {
  return 'linkTo' in file ? linkHash(file.linkTo) : sha256(contentOf(file));
}

export function sha256(bytes: Buffer | string): string {
  return createHash('sha256').update(bytes).digest('hex');
}

function linkHash(target: string): string {
  return sha256(`link ${target}`);
}

/** The first folder (`skills`, `agents` …) may be a link that the user has made. */
function hasLinkedParent(home: string, path: string): boolean {
  const parts = path.split('/').slice(0, -1);
  return parts.some((_part, index) => {
    if (index === 0) return false;
    const stats = tryLstat(join(home, ...parts.slice(0, index + 1)));
    return stats !== undefined && !stats.isDirectory();
  });
}

/** Moves what the user may miss to `<plugin>/legacy-backup/<time>/`. */
export class Backup {
  constructor(
    private readonly home: string,
    private readonly plugin: string,
    private readonly time: string,
  ) {}

  /** @returns the path below `home` */
  move(path: string): string {
    const target = this.free(`${this.plugin}/legacy-backup/${this.time}/${path}`);
    mkdirSync(dirname(join(this.home, target)), { recursive: true });
    renameSync(join(this.home, path), join(this.home, target));
    return target;
  }

  private free(path: string): string {
    for (let count = 1; ; count++) {
      const tried = count === 1 ? path : `${path}.${count}`;
      if (!tryLstat(join(this.home, tried))) return tried;
    }
  }
}

/** Also the folders above it that are empty then, up to `skills`, `agents`, `commands` or the folder of the plugin. */
export function removeFile(home: string, path: string): void {
  rmSync(join(home, path), { force: true });
  removeEmptyParents(home, path);
}

export function removeEmptyParents(home: string, path: string): void {
  const parts = path.split('/').slice(0, -1);
  for (; parts.length > 1; parts.pop()) if (!removeIfEmpty(join(home, ...parts))) return;
}

/** @returns whether it is gone */
export function removeIfEmpty(folder: string): boolean {
  try {
    if (!lstatSync(folder).isDirectory() || namesIn(folder).length > 0) return false;
    rmdirSync(folder);
    return true;
  } catch (error) {
    return codeOf(error) === 'ENOENT';
  }
}

/** Removes temporary files that a killed import has left beside these files, and folders that held nothing else. */
export function removeTemporary(home: string, paths: readonly string[]): void {
  const folders = new Set(['', ...paths.map((path) => dirname(path))]);
  for (const folder of folders)
    for (const name of namesIn(join(home, folder))) {
      const [, pid] = /^\.gemini-write-(\d+)-/.exec(name) ?? [];
      if (pid === undefined || isRunning(Number(pid))) continue;
      removeFile(home, folder === '' ? name : `${folder}/${name}`);
    }
}

/** `20260418T101530Z` */
export function timestamp(now: Date): string {
  return now.toISOString().replace(/[-:]|\.\d+/g, '');
}
