/**
 * Random identifiers, from /dev/urandom where there is one. Loading `node:crypto` takes 3.5 ms of processor time
 * (Node 20, after `node:http`; 0.05 ms after `node:https`): too much for a session id, since a start needs it before
 * TLS is loaded, and a local model server needs no TLS at all.
 */
import { closeSync, openSync, readSync } from 'node:fs';

export function randomHex(byteCount: number): string {
  return randomBytes(byteCount).toString('hex');
}

/** A version 4 UUID. */
export function randomUuid(): string {
  const bytes = randomBytes(16);
  bytes.writeUInt8((bytes.readUInt8(6) & 0x0f) | 0x40, 6);
  bytes.writeUInt8((bytes.readUInt8(8) & 0x3f) | 0x80, 8);
  const hex = bytes.toString('hex');
  return [hex.slice(0, 8), hex.slice(8, 12), hex.slice(12, 16), hex.slice(16, 20), hex.slice(20)].join('-');
}

function randomBytes(count: number): Buffer {
  const bytes = Buffer.alloc(count);
  try {
    const source = openSync('/dev/urandom', 'r');
    try {
      if (readSync(source, bytes, 0, count, null) === count) return bytes;
    } finally {
      closeSync(source);
    }
  } catch {
    // Windows, or a container without devices.
  }
  return Buffer.from(crypto.getRandomValues(new Uint8Array(count)));
}
