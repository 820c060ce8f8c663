/**
 * Reads files of an untrusted folder: only regular files whose real path is inside the folder, and only up to a limit.
 * Skipped files are reported.
 */
import { lstatSync, opendirSync, type Stats } from 'node:fs';
import { dirname, join } from 'node:path';
import { codeOf, messageOf } from '../../base/errors.js';
import { FileError } from '../../platform/files/file-error.js';
import { isInside, realPathOf } from '../../platform/files/real-path.js';
import { readFileBytes } from '../../platform/files/safe-read.js';
import { tryStat } from '../../platform/files/try-read.js';
import { MAX_SETTINGS_BYTES } from '../reading/read-file.js';
import { cleanLabel } from './clean.js';
import type { DiscoveryProblem } from './types.js';

const LIMITS = {
  /** At least the limit for a trusted folder, so that discovery shows everything that would be loaded. */
  fileBytes: MAX_SETTINGS_BYTES,
  totalBytes: 16 * 1024 * 1024,
  /** Entries read from one directory. */
  entries: 2_000,
  /** Files of one list. */
  files: 200,
  depth: 8,
  /** Messages of one kind. */
  messages: 100,
};

export interface ListOptions {
  /** Ending of the file name, e.g. `.toml`. */
  suffix: string;
  recursive?: boolean;
}

const MORE_ERRORS = 'There are more errors than these.';

export class FolderReader {
  readonly warnings: string[] = [];
  /** By the text for the user. */
  readonly errors = new Map<string, DiscoveryProblem>();
  private readonly root: string;
  private bytesLeft = LIMITS.totalBytes;

  /** @param prefix shown before file names of a parent folder, e.g. `..` */
  constructor(
    folder: string,
    private readonly prefix = '',
  ) {
    this.root = realPathOf(folder);
  }

  /** Undefined when the file is missing or may not be read; the latter is reported. */
  text(path: string): string | undefined {
    if (!this.isReachable(path)) return undefined;
    const limit = Math.min(LIMITS.fileBytes, this.bytesLeft);
    try {
      const { bytes } = readFileBytes(join(this.root, path), {
        limit,
        authorize: (real) => (isInside(real, this.root) ? null : 'outside'),
      });
      this.bytesLeft -= bytes.length;
      if (bytes.includes(0)) {
        this.error(path, 'is not a text file');
        return undefined;
      }
      return bytes.toString('utf8').replace(/^\uFEFF/, '');
    } catch (error) {
      this.fail(path, error);
      return undefined;
    }
  }

  /** True for a regular file, or a link to one inside the folder; its content is not read. */
  isFile(path: string): boolean {
    return this.isReachable(path) && this.stat(path)?.isFile() === true;
  }

  /** True when something other than a directory is there, readable or not. */
  hasEntry(path: string): boolean {
    return this.isReachable(path) && this.stat(path)?.isDirectory() !== true;
  }

  /** Paths of files below a directory, by name; links that stay inside the folder are followed. */
  files(directory: string, options: ListOptions): string[] {
    const found: string[] = [];
    const seen = new Set<string>();
    const visit = (path: string, depth: number): void => {
      const real = realPathOf(join(this.root, path));
      if (seen.has(real)) return;
      seen.add(real);
      for (const name of this.names(path)) {
        const child = `${path}/${name}`;
        if (!this.isReachable(child)) continue;
        const stats = this.stat(child);
        if (stats?.isDirectory() && options.recursive) {
          if (depth < LIMITS.depth) visit(child, depth + 1);
          else this.error(child, 'lies too deep and was not looked at');
        } else if (name.endsWith(options.suffix) && !stats?.isDirectory()) {
          found.push(child);
        }
      }
    };
    visit(directory, 1);
    return this.bounded(directory, found);
  }

  /** Names of the directories directly below; those that lead out of the folder are reported instead. */
  directories(directory: string): string[] {
    const names = this.names(directory).filter((name) => {
      const path = `${directory}/${name}`;
      return this.isReachable(path) && this.stat(path)?.isDirectory() === true;
    });
    return this.bounded(directory, names);
  }

  /** Sorted names in a directory; empty when it is missing, not a directory, or outside the folder. */
  names(directory: string): string[] {
    if (!this.isReachable(directory)) return [];
    const stats = this.stat(directory);
    if (!stats) return [];
    const names: string[] = [];
    try {
      // Entry by entry, so that a huge directory is not read to its end.
      const handle = opendirSync(join(this.root, directory));
      try {
        for (let entry = handle.readSync(); entry; entry = handle.readSync()) {
          if (names.length === LIMITS.entries) {
            this.warn(
              `${this.name(directory)} has more than ${LIMITS.entries} entries; the rest is not listed.`,
            );
            break;
          }
          names.push(entry.name);
        }
      } finally {
        handle.closeSync();
      }
    } catch (error) {
      this.error(
        directory,
        stats.isDirectory() ? `cannot be read: ${messageOf(error)}` : 'is not a directory',
      );
    }
    return names.sort();
  }

  warn(message: string): void {
    const text = cleanLabel(message);
    const { length } = this.warnings;
    if (this.warnings.includes(text) || length > LIMITS.messages) return;
    this.warnings.push(length < LIMITS.messages ? text : 'There are more warnings than these.');
  }

  error(path: string, message: string, line?: number): void {
    const shown = this.name(path);
    const text = cleanLabel(`${shown}: ${line === undefined ? '' : `line ${line}: `}${message}`);
    if (this.errors.has(text)) return;
    if (this.errors.size >= LIMITS.messages)
      this.errors.set(MORE_ERRORS, { path: '.', message: MORE_ERRORS });
    else this.errors.set(text, { path: shown, message: cleanLabel(message), ...(line && { line }) });
  }

  /** The path as shown to the user. */
  name(path: string): string {
    return cleanLabel(this.prefix ? `${this.prefix}/${path}` : path);
  }

  /** False when nothing is there, or when a link on the way leads out of the folder, which is then reported. */
  private isReachable(path: string): boolean {
    const absolute = join(this.root, path);
    let exists = false;
    try {
      exists = lstatSync(absolute, { throwIfNoEntry: false }) !== undefined;
    } catch (error) {
      if (codeOf(error) !== 'ENOTDIR') this.fail(path, error);
    }
    if (!exists) return false;
    const real = realPathOf(absolute);
    if (isInside(real, this.root)) return true;
    // A cycle of links also resolves to the root.
    if (dirname(real) === real && !this.stat(path)) this.error(path, 'leads to nothing');
    else this.reportLink(path, real);
    return false;
  }

  /** Reports the link itself, not each path behind it. */
  private reportLink(path: string, target: string): void {
    const parts = path.split('/');
    const link = parts
      .map((_, index) => parts.slice(0, index + 1).join('/'))
      .find((part) => !isInside(realPathOf(join(this.root, part)), this.root));
    const shown = link === path || link === undefined ? target : realPathOf(join(this.root, link));
    this.warn(
      `${this.name(link ?? path)} is a link that leads out of the folder, to ${shown}; it was not looked at.`,
    );
  }

  private stat(path: string): Stats | undefined {
    return tryStat(join(this.root, path));
  }

  private bounded(directory: string, found: string[]): string[] {
    if (found.length <= LIMITS.files) return found;
    this.warn(`${this.name(directory)} has ${found.length} items; only ${LIMITS.files} are listed.`);
    return found.slice(0, LIMITS.files);
  }

  /** Other files may have used up the budget; a file not checked here may still be loaded later. */
  private tooLarge(path: string): void {
    this.error(path, 'is too large to be checked');
    this.warn(`${this.name(path)} is too large to be checked: what it would do is not known.`);
  }

  private fail(path: string, error: unknown): void {
    const problem = error instanceof FileError ? error.problem : undefined;
    if (problem === 'missing') this.error(path, 'leads to nothing');
    else if (problem === 'refused') this.warn(`${this.name(path)} leads out of the folder and was not read.`);
    else if (problem === 'directory') this.error(path, 'is a directory, not a file');
    else if (problem === 'special') this.error(path, 'is not a regular file');
    else if (problem === 'too_large') this.tooLarge(path);
    else if (problem === 'denied') this.error(path, 'may not be read');
    else this.error(path, `cannot be read: ${messageOf(error)}`);
  }
}
