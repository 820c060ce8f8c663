/** The contents of a text file now and in the store, for a diff. */
import { readRegular } from './file-state.js';
import type { SnapshotStore } from './store.js';
import type { FileState } from './types.js';

export interface StepTexts {
  now: string;
  target: string;
}

const MAX_TEXT_BYTES = 128 * 1024;

/** Null: one of them is binary, large or not a regular file, or its copy is missing. */
export function textsOf(
  store: SnapshotStore,
  { path, now, target }: { path: string; now: FileState | null; target: FileState | null },
): StepTexts | null {
  if (!isText(now) || !isText(target)) return null;
  const read = now === null ? { bytes: Buffer.alloc(0) } : readRegular(path);
  if (typeof read === 'string') return null;
  const targetBytes = target === null ? Buffer.alloc(0) : copyOf(store, target);
  if (!targetBytes || read.bytes.includes(0) || targetBytes.includes(0)) return null;
  return { now: read.bytes.toString('utf8'), target: targetBytes.toString('utf8') };
}

function isText(state: FileState | null): boolean {
  return state === null || (state.kind === 'file' && state.size <= MAX_TEXT_BYTES);
}

function copyOf(store: SnapshotStore, state: FileState): Buffer | undefined {
  if (state.kind !== 'file' || state.hash === null) return undefined;
  try {
    return store.get(state.hash);
  } catch {
    // The undo of this file says that its copy is damaged.
    return undefined;
  }
}
