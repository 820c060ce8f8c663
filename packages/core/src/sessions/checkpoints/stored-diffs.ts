/** Undoes edits from the diffs recorded in a session, newest first: for sessions without snapshots. */
import { isAbsolute, resolve } from 'node:path';
import { messageOf } from '../../base/errors.js';
import { isObject } from '../../base/objects.js';
import { realPathOf } from '../../platform/files/real-path.js';
import { MASK } from '../../platform/redaction/redact-spans.js';
import { readRegular, readState } from '../../platform/snapshots/file-state.js';
import type { MessageRecord } from '../../protocol/session-record.js';
import type { FileDiff } from '../../protocol/tool-display.js';
import type { FileStep } from './files-report.js';
import type { WantedFile } from './wanted-files.js';

export interface StoredEdit {
  callId: string;
  diff: FileDiff;
}

export interface DiffUndo {
  wanted: WantedFile[];
  /** Files that cannot be restored, and why. */
  left: FileStep[];
}

/** The successful edits in some messages, oldest first. */
export function editsIn(records: readonly MessageRecord[]): StoredEdit[] {
  return records.flatMap(({ toolCalls = [] }) =>
    toolCalls.flatMap(({ id, status, resultDisplay }): StoredEdit[] =>
      status === 'success' && isFileDiff(resultDisplay) ? [{ callId: id, diff: resultDisplay }] : [],
    ),
  );
}

/** @param mayWrite null, or why the path may not be written */
export async function undoDiffs(
  edits: readonly StoredEdit[],
  { root, mayWrite }: { root: string; mayWrite: (path: string) => string | null },
): Promise<DiffUndo> {
  const byPath = new Map<string, FileDiff[]>();
  for (const { diff } of edits) {
    const { filePath } = diff;
    const path = realPathOf(isAbsolute(filePath) ? filePath : resolve(root, filePath));
    byPath.set(path, [...(byPath.get(path) ?? []), diff]);
  }
  const undo: DiffUndo = { wanted: [], left: [] };
  for (const [path, diffs] of byPath) {
    const refusal = mayWrite(path) === null ? undefined : 'it is outside of the workspace';
    const result = refusal
      ? new Refusal('unsafe', refusal)
      : await revert(path, diffs).catch((error: unknown) => new Refusal('changed-since', messageOf(error)));
    if (result instanceof Refusal) {
      const { status, detail } = result;
      undo.left.push({ path, action: 'restore', status, detail });
    } else undo.wanted.push(result);
  }
  return undo;
}

class Refusal {
  constructor(
    readonly status: 'unsafe' | 'changed-since' | 'not-covered',
    readonly detail: string,
  ) {}
}

async function revert(path: string, diffs: readonly FileDiff[]): Promise<WantedFile | Refusal> {
  const state = readState(path);
  let text: string | null = null;
  if (state !== null) {
    const read = state.kind === 'file' ? readRegular(path) : 'changed';
    if (typeof read === 'string') return new Refusal('changed-since', 'it cannot be read now');
    text = read.bytes.toString('utf8');
    if (!Buffer.from(text).equals(read.bytes))
      return new Refusal('changed-since', 'it is not a text file now');
  }
  const [first] = diffs;
  const start = first?.isNewFile ? null : first?.originalContent;
  // Undone already.
  if (start !== undefined && text === start) return { path, content: contentOf(text) };
  for (const diff of diffs.toReversed()) {
    const before = await stateBefore(diff, text);
    if (before instanceof Refusal) return before;
    text = before;
  }
  return { path, content: contentOf(text) };
}

function contentOf(text: string | null): WantedFile['content'] {
  return text === null ? null : { bytes: Buffer.from(text) };
}

/** The old content when the file is unchanged since; else only this edit is reverted, where that is possible. */
async function stateBefore(diff: FileDiff, now: string | null): Promise<string | null | Refusal> {
  const { newContent, fileDiff } = diff;
  // Optional in records of other programs.
  const originalContent: string | null | undefined = diff.originalContent;
  // Secrets are masked in the record; the mask must not become file content.
  if ([originalContent, newContent, fileDiff].some((text) => text?.includes(MASK))) {
    return new Refusal('not-covered', 'the recording holds it without its secrets');
  }
  const isNew = diff.isNewFile === true || originalContent === null;
  const old = isNew ? null : originalContent;
  if (now === newContent && old !== undefined) return old;
  if (now === null) return new Refusal('changed-since', 'it was deleted since');
  if (now === `\ufeff${newContent}` && old !== undefined) return old === null ? null : `\ufeff${old}`;
  if (isNew) return new Refusal('changed-since', 'it was created, and changed since');
  const { applyPatch, parsePatch, reversePatch } = await import('diff');
  try {
    const [patch] = parsePatch(fileDiff);
    const before = patch?.hunks.length ? applyPatch(now, reversePatch(patch)) : false;
    if (before !== false) return before;
  } catch {
    // The recorded diff cannot be parsed.
  }
  return new Refusal('changed-since', 'changed since');
}

function isFileDiff(value: unknown): value is FileDiff {
  if (!isObject(value)) return false;
  const { fileDiff, filePath, newContent, originalContent } = value;
  return (
    [fileDiff, filePath, newContent].every((text) => typeof text === 'string') &&
    filePath !== '' &&
    (originalContent === null || originalContent === undefined || typeof originalContent === 'string')
  );
}

export function countLines({ diffStat, fileDiff }: FileDiff): { added: number; removed: number } {
  if (isObject(diffStat)) {
    const sum = (...keys: string[]) => keys.reduce((total, key) => total + (Number(diffStat[key]) || 0), 0);
    return {
      added: sum('model_added_lines', 'user_added_lines'),
      removed: sum('model_removed_lines', 'user_removed_lines'),
    };
  }
  const lines = fileDiff.split('\n');
  return {
    added: lines.filter((line) => /^\+(?!\+\+ )/.test(line)).length,
    removed: lines.filter((line) => /^-(?!-- )/.test(line)).length,
  };
}
