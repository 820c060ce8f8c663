/** The open end of a session file: records go in whole, one write each, and what fails leaves no trace. */
import {
  closeSync,
  constants,
  fstatSync,
  fsync,
  fsyncSync,
  ftruncateSync,
  openSync,
  readSync,
  writeSync,
} from 'node:fs';
import { codeOf } from '../../base/errors.js';

const NEW_FLAGS = constants.O_RDWR | constants.O_CREAT | constants.O_EXCL | (constants.O_NOFOLLOW ?? 0);
const APPEND_FLAGS = constants.O_RDWR | (constants.O_NOFOLLOW ?? 0);

export class RecordFile {
  private isClosed = false;

  private constructor(
    readonly path: string,
    private readonly descriptor: number,
    private size: number,
  ) {}

  /** Undefined when the name is taken. */
  static create(path: string): RecordFile | undefined {
    try {
      return new RecordFile(path, openSync(path, NEW_FLAGS, 0o600), 0);
    } catch (error) {
      if (codeOf(error) === 'EEXIST') return undefined;
      throw error;
    }
  }

  /** At the end of a file; a last line that was cut off is ended first, so that nothing is glued to it. */
  static continue(path: string): RecordFile {
    const descriptor = openSync(path, APPEND_FLAGS);
    try {
      const { size } = fstatSync(descriptor);
      const file = new RecordFile(path, descriptor, size);
      if (size > 0 && lastByteOf(descriptor, size) !== NEWLINE) file.write('\n');
      return file;
    } catch (error) {
      closeSync(descriptor);
      throw error;
    }
  }

  /** Where the next record will stand. */
  get end(): number {
    return this.size;
  }

  /** @throws after taking back what was written of the text */
  write(text: string): void {
    const bytes = Buffer.from(text);
    try {
      let written = 0;
      while (written < bytes.length) {
        written += writeSync(this.descriptor, bytes, written, bytes.length - written, this.size + written);
      }
    } catch (error) {
      try {
        ftruncateSync(this.descriptor, this.size);
      } catch {
        // The reader drops the torn line.
      }
      throw error;
    }
    this.size += bytes.length;
  }

  syncNow(): void {
    fsyncSync(this.descriptor);
  }

  /** In the background: what was written survives the end of the process anyway; this is against a power cut. */
  sync(onFailure: (error: Error) => void): void {
    if (this.isClosed) return;
    fsync(this.descriptor, (error) => {
      // A file that was closed meanwhile is written by the system in its own time.
      if (error && error.code !== 'EBADF') onFailure(error);
    });
  }

  /** Once: the number may stand for another file afterwards. */
  close(): void {
    if (this.isClosed) return;
    this.isClosed = true;
    closeSync(this.descriptor);
  }
}

const NEWLINE = 10;

function lastByteOf(descriptor: number, size: number): number | undefined {
  const byte = Buffer.alloc(1);
  return readSync(descriptor, byte, 0, 1, size - 1) === 1 ? byte[0] : undefined;
}
