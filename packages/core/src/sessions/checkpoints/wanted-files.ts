/** Writes wanted contents to files: takes a snapshot of the current ones first and follows no link. */
import { dirname } from 'node:path';
import { messageOf } from '../../base/errors.js';
import { temporaryPrefix } from '../../platform/files/atomic-write.js';
import { isInside, realPathOf } from '../../platform/files/real-path.js';
import { randomHex } from '../../platform/random.js';
import { readRegular, readState } from '../../platform/snapshots/file-state.js';
import { previewOf } from '../../platform/snapshots/preview.js';
import {
  ChangedMeanwhileError,
  makeParents,
  removeAt,
  writeFileAt,
  writeLinkAt,
} from '../../platform/snapshots/restore-file.js';
import type { FileState, UndoStep } from '../../platform/snapshots/types.js';
import { type FilesReport, NO_FILES, type SnapshotPort, stepOf } from './files-report.js';

export type WantedContent = { bytes: Buffer; mode?: number } | { link: string };

export interface WantedFile {
  /** Absolute, real. */
  path: string;
  /** Null: the file did not exist. */
  content: WantedContent | null;
}

export interface WriteOptions {
  /** Absent: the write cannot be undone. */
  store?: SnapshotPort;
  isPreview: boolean;
  /** For the list of changes. */
  description: string;
  /** Folders below this one that become empty are deleted. */
  emptyFoldersBelow?: string;
}

interface Step extends UndoStep {
  wanted: WantedFile;
}

const NEW_FILE_MODE = 0o644;
const MAX_DIFF_BYTES = 128 * 1024;
const MAX_DIFFS = 100;
/** As with an undo: syncing more files than this takes too long. */
const MAX_SYNCED = 200;

export async function writeFiles(wanted: readonly WantedFile[], work: WriteOptions): Promise<FilesReport> {
  const dropsFolders = work.emptyFoldersBelow !== undefined;
  const steps = wanted.map((file) => plan(file, dropsFolders)).filter(({ status }) => status !== 'already');
  if (work.isPreview) return { steps: (await withDiffs(steps)).map(stepOf), undoIds: [] };
  const ready = steps.filter(({ status }) => status === 'ready');
  if (ready.length === 0) return { ...NO_FILES, steps: steps.map(stepOf) };
  const folders = work.emptyFoldersBelow ? foldersOf(ready, work.emptyFoldersBelow) : [];
  const handle = await work.store?.beforeToolCall({
    callId: '',
    promptId: '',
    toolName: 'rewind',
    description: work.description,
    paths: [...ready.map(({ path }) => path), ...folders],
  });
  const isSynced = ready.length <= MAX_SYNCED;
  try {
    // Deletions first: they make room.
    for (const step of ready) if (step.action === 'delete') apply(step, isSynced);
    for (const path of folders) removeIfEmpty(path);
    for (const step of ready) if (step.action !== 'delete') apply(step, isSynced);
  } finally {
    if (handle) await work.store?.afterCall(handle);
  }
  return { steps: steps.map(stepOf), undoIds: handle ? [handle.id] : [] };
}

function plan(wanted: WantedFile, dropsFolders: boolean): Step {
  const { path, content } = wanted;
  let now: FileState | null = null;
  try {
    now = readState(path);
    const step = {
      path,
      action: actionFor(now, content),
      status: 'ready',
      now,
      target: null,
      wanted,
    } as const;
    if (isSame(now, wanted)) return { ...step, status: 'already' };
    if (realPathOf(dirname(path)) !== dirname(path)) {
      return { ...step, status: 'unsafe', detail: 'a folder on the way is a link' };
    }
    if ((now?.kind === 'dir' && !dropsFolders) || now?.kind === 'other') {
      return { ...step, status: 'changed-since', detail: 'something else is there now' };
    }
    if (now?.kind === 'file' && now.hash === null) {
      return {
        ...step,
        status: 'not-covered',
        detail: 'it is too large, or cannot be read, to be kept first',
      };
    }
    return step;
  } catch (error) {
    const action = actionFor(now, content);
    return { path, action, status: 'failed', now, target: null, detail: messageOf(error), wanted };
  }
}

function actionFor(now: FileState | null, content: WantedContent | null): UndoStep['action'] {
  if (content === null) return 'delete';
  return now === null ? 'recreate' : 'restore';
}

function isSame(now: FileState | null, { path, content }: WantedFile): boolean {
  if (content === null || now === null) return content === now;
  if ('link' in content) return now.kind === 'link' && now.target === content.link;
  if (now.kind !== 'file' || now.size !== content.bytes.length) return false;
  if (content.mode !== undefined && (now.mode & 0o100) !== (content.mode & 0o100)) return false;
  const read = readRegular(path);
  return typeof read !== 'string' && read.bytes.equals(content.bytes);
}

function apply(step: Step, isSynced: boolean): void {
  const { path, wanted } = step;
  const { content } = wanted;
  try {
    // An earlier step may have deleted the folder.
    const now = step.now?.kind === 'dir' ? readState(path) : step.now;
    if (now?.kind === 'dir') throw new ChangedMeanwhileError('a folder with other things in it is there now');
    const place = { path, now };
    const temporary = `${temporaryPrefix(process.pid)}${randomHex(8)}.tmp`;
    if (content === null) removeAt(place);
    else {
      makeParents(path);
      if ('link' in content) writeLinkAt(place, content.link, temporary);
      else writeFileAt(place, { bytes: content.bytes, mode: modeOf(now, content), temporary, isSynced });
    }
    step.status = 'done';
  } catch (error) {
    step.status = error instanceof ChangedMeanwhileError ? 'changed-since' : 'failed';
    step.detail = messageOf(error);
  }
}

/** The executable bit is restored; the rest of the mode stays as it is now. */
function modeOf(now: FileState | null, { mode }: { mode?: number }): number {
  const current = now?.kind === 'file' ? now.mode : undefined;
  if (mode === undefined) return current ?? NEW_FILE_MODE;
  if (current === undefined) return mode;
  return (mode & 0o100) === 0 ? current & ~0o111 : current | ((current >> 2) & 0o111);
}

/** Parent folders of deleted files, deepest first. */
function foldersOf(steps: readonly Step[], root: string): string[] {
  const folders = new Set<string>();
  for (const { path, wanted } of steps) {
    if (wanted.content !== null) continue;
    for (let folder = dirname(path); folder !== root && isInside(folder, root); folder = dirname(folder))
      folders.add(folder);
  }
  return [...folders].sort((a, b) => b.length - a.length);
}

function removeIfEmpty(path: string): void {
  try {
    removeAt({ path, now: readState(path) });
  } catch {
    // Not empty.
  }
}

async function withDiffs(steps: readonly Step[]): Promise<UndoStep[]> {
  let count = 0;
  const texts = steps.map(({ path, now, wanted: { content }, status }) => {
    if (status !== 'ready' || count++ >= MAX_DIFFS || (content && 'link' in content)) return null;
    if (now !== null && (now.kind !== 'file' || now.size > MAX_DIFF_BYTES)) return null;
    const read = now === null ? { bytes: Buffer.alloc(0) } : readRegular(path);
    const target = content?.bytes ?? Buffer.alloc(0);
    if (typeof read === 'string' || target.length > MAX_DIFF_BYTES) return null;
    if (read.bytes.includes(0) || target.includes(0)) return null;
    return { now: read.bytes.toString('utf8'), target: target.toString('utf8') };
  });
  return (await previewOf({ snapshots: [], steps: [...steps], texts })).steps;
}
