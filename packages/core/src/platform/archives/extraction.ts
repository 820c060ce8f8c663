/** Writes the entries of an archive into a folder. Names, kinds and sizes in an archive are never believed. */
import { copyFileSync, createWriteStream, lstatSync, mkdirSync, symlinkSync } from 'node:fs';
import { dirname, isAbsolute, join } from 'node:path';
import { type Readable, Transform } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { UserError } from '../../base/errors.js';
import { isInside, realPathOf } from '../files/real-path.js';

export interface ArchiveLimits {
  /** Of the file itself. */
  archiveBytes: number;
  /** Of all files together, extracted. */
  totalBytes: number;
  entries: number;
  /** Extracted size by archive size, once it is over `ratioFromBytes`. */
  ratio: number;
  ratioFromBytes: number;
}

export interface ExtractOptions {
  limits: ArchiveLimits;
  /** What the archive holds, for messages: `skill`, `extension`. */
  what: string;
  /** Links that stay inside the folder are made; else every link is refused. */
  allowsLinks?: boolean;
}

export class ArchiveError extends UserError {
  override readonly name = 'ArchiveError';
  override readonly code = 'archive';
}

const MB = 1024 * 1024;
/** Of most file systems. */
const MAX_NAME_BYTES = 255;
const MAX_PATH_BYTES = 2_000;

export class Extraction {
  private readonly seen = new Map<string, 'file' | 'folder'>();
  private readonly links = new Map<string, string>();
  private entries = 0;
  private bytes = 0;

  constructor(
    readonly file: string,
    private readonly into: string,
    private readonly archiveBytes: number,
    private readonly options: ExtractOptions,
  ) {
    const limit = options.limits.archiveBytes;
    if (archiveBytes > limit) throw new ArchiveError(`${file} is larger than ${limit / MB} MB.`);
  }

  get limits(): ArchiveLimits {
    return this.options.limits;
  }

  folder(name: string): void {
    const path = this.place(name, 'folder');
    if (path !== undefined) mkdirSync(join(this.into, path), { recursive: true });
  }

  async writeFile(name: string, content: Readable, isProgram: boolean): Promise<void> {
    const path = this.place(name, 'file');
    if (path === undefined) throw this.refusal(name, 'has no name');
    const target = join(this.into, path);
    mkdirSync(dirname(target), { recursive: true });
    const mode = isProgram ? 0o755 : 0o644;
    await pipeline(content, this.bound(), createWriteStream(target, { flags: 'wx', mode }));
  }

  /** Made in `finish`, so that no entry is ever written through a link. */
  link(name: string, target: string): void {
    if (!this.options.allowsLinks) throw this.refusal(name, 'is a link or special file');
    const path = this.place(name, 'file');
    if (path === undefined || target === '' || isAbsolute(target) || /[\0\\]/.test(target))
      throw this.refusal(name, `is a link that leaves the ${this.options.what}`);
    this.links.set(path, target);
  }

  /** A second name of a file that was extracted before becomes a copy. */
  hardLink(name: string, target: string): void {
    if (!this.options.allowsLinks) throw this.refusal(name, 'is a link or special file');
    const [path, source] = [this.place(name, 'file'), this.checkedPath(target)];
    const stats = lstatSync(join(this.into, source), { throwIfNoEntry: false });
    if (path === undefined || source === '' || !stats?.isFile())
      throw this.refusal(name, 'is a link to a file that is not in the archive');
    this.count(stats.size);
    mkdirSync(dirname(join(this.into, path)), { recursive: true });
    copyFileSync(join(this.into, source), join(this.into, path));
  }

  /** Makes the links, then checks where each leads: links through other links can leave although none of them seems to. */
  finish(): void {
    const root = realPathOf(this.into);
    for (const [path, target] of this.links) {
      mkdirSync(dirname(join(root, path)), { recursive: true });
      symlinkSync(target, join(root, path));
    }
    for (const path of this.links.keys())
      if (!isInside(realPathOf(join(root, path)), root))
        throw this.refusal(path, `is a link that leaves the ${this.options.what}`);
  }

  refusal(name: string, why: string): ArchiveError {
    const shown = name.length > 80 ? `${name.slice(0, 80)}…` : name;
    return new ArchiveError(`${this.file} is refused: "${shown}" ${why}.`);
  }

  /** @param count of entries that the archive claims to have */
  requireEntries(count: number): void {
    if (count > this.limits.entries)
      throw new ArchiveError(`${this.file} has more than ${this.limits.entries} entries.`);
  }

  /** Counts what is really extracted: sizes in the archive may lie. */
  private bound(): Transform {
    const count = (size: number) => this.count(size);
    return new Transform({
      transform(chunk: Buffer, _encoding, done) {
        try {
          count(chunk.length);
          done(null, chunk);
        } catch (error) {
          done(error instanceof Error ? error : new Error(String(error)));
        }
      },
    });
  }

  private count(size: number): void {
    this.bytes += size;
    const { totalBytes, ratio, ratioFromBytes } = this.limits;
    if (this.bytes > totalBytes)
      throw new ArchiveError(`${this.file} is refused: it extracts to more than ${totalBytes / MB} MB.`);
    if (this.bytes > ratioFromBytes && this.bytes > this.archiveBytes * ratio)
      throw new ArchiveError(`${this.file} is refused: it extracts to more than ${ratio} times its size.`);
  }

  /** @returns undefined for the folder itself */
  private place(name: string, kind: 'file' | 'folder'): string | undefined {
    this.requireEntries(++this.entries);
    const path = this.checkedPath(name);
    if (path === '') return undefined;
    const key = path.normalize('NFC').toLowerCase();
    const before = this.seen.get(key);
    // Some programs list a folder twice; a file that is there twice would be written through what came first.
    if (before !== undefined && (kind === 'file' || before === 'file'))
      throw this.refusal(name, 'is there twice');
    this.seen.set(key, kind);
    return path;
  }

  /** A relative path below the folder; `./` before it is usual. */
  private checkedPath(name: string): string {
    const plain = name.replace(/^(?:\.\/+)+/, '').replace(/\/$/, '');
    if (plain === '' || plain === '.') {
      if (/^\.?\/?$/.test(name) && name !== '/' && name !== '') return '';
      throw this.refusal(name, 'is not a plain relative path');
    }
    if (/[\0-\x1f\x7f\\:]/.test(plain) || name.startsWith('/'))
      throw this.refusal(name, 'is not a plain relative path');
    const parts = plain.split('/');
    if (parts.some((part) => part === '..' || part === '.' || part === ''))
      throw this.refusal(name, `would leave the folder of the ${this.options.what}`);
    if (parts.some((part) => Buffer.byteLength(part) > MAX_NAME_BYTES) || plain.length > MAX_PATH_BYTES)
      throw this.refusal(name, 'has too long a name');
    return parts.join('/');
  }
}
