/** Log file of a background process: private, without control sequences, bounded in size. */
import {
  chmodSync,
  closeSync,
  constants,
  fstatSync,
  ftruncateSync,
  lstatSync,
  mkdirSync,
  openSync,
  readSync,
  unlinkSync,
  writeSync,
} from 'node:fs';
import { join } from 'node:path';
import { StringDecoder } from 'node:string_decoder';
import { AnsiStripper } from '../../base/ansi.js';
import { codeOf } from '../../base/errors.js';

const MAX_BYTES = 32 * 1024 * 1024;
const KEPT_BYTES = 1024 * 1024;
const READ_BYTES = 64 * 1024;

export interface LogExcerpt {
  /** The last lines, oldest first. */
  lines: string[];
  totalLines: number;
}

/** Masks secrets before they reach the log; see `../redaction/redact-stream.ts`. */
export interface LogMask {
  push(text: string): string;
  end(): string;
}

export class BackgroundLog {
  initialOutput = '';
  private readonly decoder = new StringDecoder('utf8');
  private readonly stripper = new AnsiStripper();
  private waiting: Buffer[] | undefined = [];
  private fd: number | undefined;
  private size = 0;
  private lineFeeds = 0;
  private endsOpen = false;

  private constructor(
    readonly path: string,
    fd: number,
    private readonly mask: LogMask | undefined,
  ) {
    this.fd = fd;
  }

  /** @throws when the directory cannot be made private or the file cannot be created. */
  static create(directory: string, pid: number, mask?: LogMask): BackgroundLog {
    makePrivate(directory);
    const path = join(directory, `background-${pid}.log`);
    return new BackgroundLog(path, openExclusive(path), mask);
  }

  /** Writes the output so far; output that arrives meanwhile follows it. */
  async begin(textSoFar: () => Promise<string>): Promise<void> {
    this.initialOutput = (await textSoFar()).trimEnd();
    if (this.initialOutput) this.put(`${this.initialOutput}\n`);
    const waiting = this.waiting ?? [];
    this.waiting = undefined;
    for (const chunk of waiting) this.write(chunk);
  }

  write(chunk: Buffer): void {
    if (this.waiting) this.waiting.push(chunk);
    else this.put(this.stripper.push(this.decoder.write(chunk)).replace(/\r+\n/g, '\n'));
  }

  /** Writes text that the mask held back because a secret may have begun there. */
  flush(): void {
    this.append(this.mask?.end() ?? '');
  }

  close(): void {
    this.flush();
    if (this.fd !== undefined) closeSync(this.fd);
    this.fd = undefined;
  }

  /** @throws when the file is gone or has been replaced by a link. */
  read(wanted: number): LogExcerpt {
    const fd = openSync(this.path, constants.O_RDONLY | constants.O_NOFOLLOW);
    try {
      const { size } = fstatSync(fd);
      const start = Math.max(0, size - READ_BYTES);
      const bytes = Buffer.alloc(size - start);
      const text = bytes.toString('utf8', 0, readSync(fd, bytes, 0, bytes.length, start));
      const lines = text.replace(/\n$/, '').split('\n');
      // The first line of an excerpt is incomplete.
      if (start > 0 && lines.length > 1) lines.shift();
      const totalLines = this.lineFeeds + (this.endsOpen ? 1 : 0);
      return { lines: text === '' ? [] : lines.slice(-wanted), totalLines };
    } finally {
      closeSync(fd);
    }
  }

  remove(): void {
    this.close();
    try {
      unlinkSync(this.path);
    } catch {
      // Another process has removed it.
    }
  }

  private put(text: string): void {
    this.append(this.mask ? this.mask.push(text) : text);
  }

  private append(text: string): void {
    if (this.fd === undefined || text === '') return;
    for (let index = text.indexOf('\n'); index >= 0; index = text.indexOf('\n', index + 1)) this.lineFeeds++;
    this.endsOpen = !text.endsWith('\n');
    try {
      this.size += writeSync(this.fd, text);
      if (this.size > MAX_BYTES) this.shorten(this.fd);
    } catch {
      // A full disk must not stop the program; only the log ends here.
      this.close();
    }
  }

  /** Keeps the end, the only part that is read. */
  private shorten(fd: number): void {
    const kept = Buffer.alloc(KEPT_BYTES);
    const count = readSync(fd, kept, 0, KEPT_BYTES, this.size - KEPT_BYTES);
    ftruncateSync(fd, 0);
    this.size = writeSync(fd, kept, 0, count);
  }
}

function makePrivate(directory: string): void {
  mkdirSync(directory, { recursive: true, mode: 0o700 });
  if (!lstatSync(directory).isDirectory()) throw new Error(`${directory} is not a directory.`);
  if (process.platform !== 'win32') chmodSync(directory, 0o700);
}

/** Replaces a log of the same process id from an earlier run; never writes through a link. */
function openExclusive(path: string): number {
  const { O_RDWR, O_APPEND, O_CREAT, O_EXCL, O_NOFOLLOW } = constants;
  const flags = O_RDWR | O_APPEND | O_CREAT | O_EXCL | (O_NOFOLLOW ?? 0);
  try {
    return openSync(path, flags, 0o600);
  } catch (error) {
    if (codeOf(error) !== 'EEXIST') throw error;
    unlinkSync(path);
    return openSync(path, flags, 0o600);
  }
}
