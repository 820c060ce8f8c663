/** Encodes and decodes the records of the store's log. */
import { deflateRawSync, inflateRawSync } from 'node:zlib';
import type { BlobPlace } from './packs.js';
import type { FileState, SnapshotRecord } from './types.js';

/** One entry of the tree index. */
export type TreeLine = [
  path: string,
  kind: 'f' | 'd' | 'l' | 'o',
  size: number,
  mtimeMs: number,
  ctimeMs: number,
  ino: number,
  mode: number,
  hashOrTarget: string | null,
  isRacy: 0 | 1,
];

export type LogEvent =
  | { t: 'blobs'; places: [hash: string, place: BlobPlace][] }
  /** The whole tree; later changes follow as deltas. */
  | { t: 'tree'; lines: TreeLine[] }
  | { t: 'delta'; set: TreeLine[]; gone: string[] }
  /** A call begins. Without a later `close` its process was killed. */
  | { t: 'open'; record: SnapshotRecord }
  | { t: 'close'; record: SnapshotRecord };

const BLOBS = 1;
const JSON_PLAIN = 2;
const JSON_DEFLATED = 3;
const TREE = 4;
const DELTA = 5;
const BLOB_BYTES = 32 + 4 + 6 + 6;
/** Below this size deflating is not worth its time. */
const DEFLATE_FROM = 4096;

export function encodeEvent(event: LogEvent): Buffer {
  if (event.t === 'blobs') return encodeBlobs(event.places);
  const json = Buffer.from(JSON.stringify(event));
  if (event.t === 'tree' || event.t === 'delta') {
    return Buffer.concat([
      Buffer.from([event.t === 'tree' ? TREE : DELTA]),
      deflateRawSync(json, { level: 1 }),
    ]);
  }
  return json.length < DEFLATE_FROM
    ? Buffer.concat([Buffer.from([JSON_PLAIN]), json])
    : Buffer.concat([Buffer.from([JSON_DEFLATED]), deflateRawSync(json, { level: 1 })]);
}

/** Undefined for record types of a newer version. */
export function decodeEvent(payload: Buffer): LogEvent | undefined {
  const body = payload.subarray(1);
  if (payload[0] === BLOBS) return { t: 'blobs', places: decodeBlobs(body) };
  if (payload[0] === JSON_PLAIN) return JSON.parse(body.toString('utf8'));
  if (payload[0] === JSON_DEFLATED || payload[0] === TREE || payload[0] === DELTA)
    return JSON.parse(inflateRawSync(body).toString('utf8'));
  return undefined;
}

/** Drops trees and deltas before the last whole tree, which replaces them: unpacking them is slow. */
export function withoutOldTrees(payloads: readonly Buffer[]): readonly Buffer[] {
  const last = payloads.findLastIndex((payload) => payload[0] === TREE);
  return payloads.filter((payload, index) => index >= last || (payload[0] !== TREE && payload[0] !== DELTA));
}

function encodeBlobs(places: readonly [string, BlobPlace][]): Buffer {
  const bytes = Buffer.allocUnsafe(1 + places.length * BLOB_BYTES);
  bytes[0] = BLOBS;
  places.forEach(([hash, { pack, offset, length }], index) => {
    const at = 1 + index * BLOB_BYTES;
    bytes.write(hash, at, 'hex');
    bytes.writeUInt32LE(pack, at + 32);
    bytes.writeUIntLE(offset, at + 36, 6);
    bytes.writeUIntLE(length, at + 42, 6);
  });
  return bytes;
}

function decodeBlobs(body: Buffer): [string, BlobPlace][] {
  const places: [string, BlobPlace][] = [];
  for (let at = 0; at + BLOB_BYTES <= body.length; at += BLOB_BYTES) {
    places.push([
      body.toString('hex', at, at + 32),
      {
        pack: body.readUInt32LE(at + 32),
        offset: body.readUIntLE(at + 36, 6),
        length: body.readUIntLE(at + 42, 6),
      },
    ]);
  }
  return places;
}

/** Applies one event to the tree it describes. */
export function replayTree(tree: Map<string, TreeLine>, event: LogEvent): void {
  if (event.t === 'tree') {
    tree.clear();
    for (const line of event.lines) tree.set(line[0], line);
  } else if (event.t === 'delta') {
    for (const path of event.gone) tree.delete(path);
    for (const line of event.set) tree.set(line[0], line);
  }
}

export function hashesOf(event: LogEvent): string[] {
  switch (event.t) {
    case 'blobs':
      return [];
    case 'tree':
      return linesHashes(event.lines);
    case 'delta':
      return linesHashes(event.set);
    default:
      return event.record.changes.flatMap(({ before, after }) => [
        ...stateHashes(before),
        ...stateHashes(after),
      ]);
  }
}

export function linesHashes(lines: Iterable<TreeLine>): string[] {
  const hashes: string[] = [];
  for (const line of lines) if (line[1] === 'f' && line[7]) hashes.push(line[7]);
  return hashes;
}

function stateHashes(state: FileState | null): string[] {
  return state?.kind === 'file' && state.hash ? [state.hash] : [];
}
