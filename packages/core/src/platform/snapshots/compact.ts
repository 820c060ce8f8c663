/**
 * Frees space: drops the oldest snapshots and the contents only they needed. Keeps what an open call may still
 * need, the newest snapshot and the last known tree. A kill at any moment leaves the old or the new store, and at
 * worst an unused pack, which the next run removes.
 */
import type { BlobPlace, Packs } from './packs.js';
import { hashesOf, type LogEvent, linesHashes, replayTree, type TreeLine } from './records.js';

export interface CompactTarget {
  events(): LogEvent[];
  replaceLog(events: readonly LogEvent[]): void;
}

export interface CompactRequest {
  store: CompactTarget;
  packs: Packs;
  blobs: ReadonlyMap<string, BlobPlace>;
  /** Contents that the calling process needs but no record names yet. */
  pinned: Iterable<string>;
  targetBytes: number;
}

/** Packs with a larger unused share are rewritten. */
const WASTE_SHARE = 0.2;

export function compact({ store, packs, blobs, pinned, targetBytes }: CompactRequest): void {
  const events = store.events();
  const cut = firstUnfinished(events);
  const tree = new Map<string, TreeLine>();
  for (const event of events.slice(0, cut)) replayTree(tree, event);
  const ended = endedIn(events);
  const tail = events
    .slice(cut)
    .filter((event) => event.t === 'tree' || event.t === 'delta' || isUnfinished(event, ended));
  const live = new Set([...pinned, ...linesHashes(tree.values()), ...tail.flatMap(hashesOf)]);
  const closed = events.filter(({ t }) => t === 'close');
  const kept = keepNewest(closed, live, blobs, targetBytes);
  const old = packs.list();
  const places = rewrite(live, packs, blobs, old);
  store.replaceLog([
    { t: 'blobs', places },
    ...(tree.size > 0 ? [{ t: 'tree' as const, lines: [...tree.values()] }] : []),
    ...tail,
    ...kept,
  ]);
  const needed = new Set(places.map(([, { pack }]) => pack));
  for (const { id } of old) if (!needed.has(id)) packs.remove(id);
}

/** Index of the first call without an end; from there on every change of the tree is kept. */
function firstUnfinished(events: readonly LogEvent[]): number {
  const ended = endedIn(events);
  const index = events.findIndex((event) => isUnfinished(event, ended));
  return index < 0 ? events.length : index;
}

function endedIn(events: readonly LogEvent[]): Set<string> {
  return new Set(events.flatMap((event) => (event.t === 'close' ? [event.record.id] : [])));
}

function isUnfinished(event: LogEvent, ended: ReadonlySet<string>): boolean {
  return event.t === 'open' && !ended.has(event.record.id);
}

/** Adds to `live` what the kept snapshots need. */
function keepNewest(
  closed: readonly LogEvent[],
  live: Set<string>,
  blobs: ReadonlyMap<string, BlobPlace>,
  targetBytes: number,
): LogEvent[] {
  const sizeOf = (hash: string) => blobs.get(hash)?.length ?? 0;
  let bytes = [...live].reduce((sum, hash) => sum + sizeOf(hash), 0);
  const kept: LogEvent[] = [];
  for (const event of [...closed].reverse()) {
    const added = [...new Set(hashesOf(event))].filter((hash) => !live.has(hash));
    bytes += added.reduce((sum, hash) => sum + sizeOf(hash), 0);
    if (bytes > targetBytes && kept.length > 0) break;
    for (const hash of added) live.add(hash);
    kept.unshift(event);
  }
  return kept;
}

function rewrite(
  live: ReadonlySet<string>,
  packs: Packs,
  blobs: ReadonlyMap<string, BlobPlace>,
  old: readonly { id: number; size: number }[],
): [string, BlobPlace][] {
  const byPack = new Map<number, [string, BlobPlace][]>();
  for (const hash of live) {
    const place = blobs.get(hash);
    if (!place) continue;
    const known = byPack.get(place.pack);
    if (known) known.push([hash, place]);
    else byPack.set(place.pack, [[hash, place]]);
  }
  const places: [string, BlobPlace][] = [];
  packs.reset(undefined);
  for (const { id, size } of old) {
    const needed = byPack.get(id) ?? [];
    const used = needed.reduce((sum, [, { length }]) => sum + length, 0);
    if (used > 0 && used >= size * (1 - WASTE_SHARE)) {
      places.push(...needed);
      continue;
    }
    for (const [hash, place] of needed) {
      const bytes = packs.read(place);
      if (bytes) places.push([hash, packs.add(bytes)]);
      if (packs.bytesWaiting > 4 * 1024 * 1024) packs.flush();
    }
  }
  packs.sync();
  return places;
}
