/** Appends to a session file: one write per record, and a failed write is removed again. */
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

  /** Opens a file to append; a last line that was cut off is ended first, so that no record is glued to it. */
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

  /** Offset of the next record. */
  get end(): number {
    return this.size;
  }

  /** @throws after removing what was written of the text */
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
        // Readers skip the torn line.
      }
      throw error;
    }
    this.size += bytes.length;
  }

  syncNow(): void {
    fsyncSync(this.descriptor);
  }

  /** Flushes to disk in the background, against a power cut; the end of the process loses nothing anyway. */
  sync(onFailure: (error: Error) => void): void {
    if (this.isClosed) return;
    fsync(this.descriptor, (error) => {
      // The file was closed meanwhile; the system flushes it later.
      if (error && error.code !== 'EBADF') onFailure(error);
    });
  }

  /** Closes once: later the descriptor number may belong to another file. */
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
