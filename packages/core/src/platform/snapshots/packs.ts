/** Stores file contents in a few large pack files, instead of one small file each. */
import {
  closeSync,
  constants,
  fstatSync,
  ftruncateSync,
  lstatSync,
  openSync,
  readdirSync,
  unlinkSync,
} from 'node:fs';
import { join } from 'node:path';
import { codeOf } from '../../base/errors.js';
import { randomHex } from '../random.js';
import { readRange, syncFile, writeAllAt } from './log-file.js';

const PACK_BYTES = 64 * 1024 * 1024;

export interface BlobPlace {
  pack: number;
  offset: number;
  length: number;
}

export class Packs {
  private current: { id: number; size: number } | undefined;
  private waiting: Buffer[] = [];
  private waitingBytes = 0;
  private readonly unsynced = new Set<number>();

  constructor(private readonly directory: string) {}

  /** Call after another process has written to the store or compacted it. */
  reset(lastPack: number | undefined): void {
    this.waiting = [];
    this.waitingBytes = 0;
    const size = lastPack === undefined ? undefined : this.sizeOf(lastPack);
    this.current = lastPack !== undefined && size !== undefined ? { id: lastPack, size } : undefined;
  }

  /** Where the bytes will be once `flush` has returned. */
  add(bytes: Buffer): BlobPlace {
    if (!this.current || this.current.size + this.waitingBytes > PACK_BYTES) {
      this.flush();
      this.current = { id: Number.parseInt(randomHex(4), 16), size: 0 };
    }
    const place = {
      pack: this.current.id,
      offset: this.current.size + this.waitingBytes,
      length: bytes.length,
    };
    this.waiting.push(bytes);
    this.waitingBytes += bytes.length;
    return place;
  }

  get bytesWaiting(): number {
    return this.waitingBytes;
  }

  /** After it, all that was written survives a power cut. */
  sync(): void {
    this.flush();
    for (const id of this.unsynced) {
      if (this.sizeOf(id) !== undefined) syncFile(this.pathOf(id));
    }
    this.unsynced.clear();
  }

  flush(): void {
    if (!this.current || this.waitingBytes === 0) return;
    const bytes = this.waiting.length === 1 ? (this.waiting[0] as Buffer) : Buffer.concat(this.waiting);
    this.waiting = [];
    this.waitingBytes = 0;
    const flags = constants.O_RDWR | constants.O_CREAT | (constants.O_NOFOLLOW ?? 0);
    const descriptor = openSync(this.pathOf(this.current.id), flags, 0o600);
    try {
      try {
        writeAllAt(descriptor, bytes, this.current.size);
      } catch (error) {
        ftruncateSync(descriptor, this.current.size);
        throw error;
      }
      this.current.size += bytes.length;
      this.unsynced.add(this.current.id);
    } finally {
      closeSync(descriptor);
    }
  }

  /** Drops what was added since the last flush. */
  discard(): void {
    this.waiting = [];
    this.waitingBytes = 0;
  }

  /** Undefined when the pack is missing or too short. */
  read({ pack, offset, length }: BlobPlace): Buffer | undefined {
    let descriptor: number;
    try {
      descriptor = openSync(this.pathOf(pack), constants.O_RDONLY | (constants.O_NOFOLLOW ?? 0));
    } catch (error) {
      if (codeOf(error) === 'ENOENT') return undefined;
      throw error;
    }
    try {
      if (fstatSync(descriptor).size < offset + length) return undefined;
      const bytes = readRange(descriptor, offset, offset + length);
      return bytes.length === length ? bytes : undefined;
    } finally {
      closeSync(descriptor);
    }
  }

  list(): { id: number; size: number }[] {
    return readdirSync(this.directory).flatMap((name) => {
      const match = /^([0-9a-f]{8})\.pack$/.exec(name);
      const id = match ? Number.parseInt(match[1] as string, 16) : undefined;
      const size = id === undefined ? undefined : this.sizeOf(id);
      return id === undefined || size === undefined ? [] : [{ id, size }];
    });
  }

  remove(id: number): void {
    try {
      unlinkSync(this.pathOf(id));
    } catch (error) {
      if (codeOf(error) !== 'ENOENT') throw error;
    }
  }

  private sizeOf(id: number): number | undefined {
    return lstatSync(this.pathOf(id), { throwIfNoEntry: false })?.size;
  }

  private pathOf(id: number): string {
    return join(this.directory, `${id.toString(16).padStart(8, '0')}.pack`);
  }
}
