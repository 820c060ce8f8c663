/** The turns a user can rewind to, with the files each changed. */
import type { SnapshotSummary } from '../../platform/snapshots/types.js';
import { type Message, textOf } from '../../protocol/messages.js';
import type { MessageRecord } from '../../protocol/session-record.js';
import { countLines, editsIn, type StoredEdit } from '../../sessions/checkpoints/stored-diffs.js';
import { shownTextOf } from '../../sessions/reading/message-kinds.js';

export interface ChangedFile {
  path: string;
  /** Lines; unknown for changes by commands. */
  added?: number;
  removed?: number;
}

export interface RewindTurn {
  messageId: string;
  /** What the user typed. */
  text: string;
  /** ISO time, if recorded. */
  time?: string;
  files: ChangedFile[];
  added: number;
  removed: number;
  /** This turn or a later one changed files. */
  canRevert: boolean;
}

/** A prompt in the history, and the records from it up to the next one. */
export interface LiveTurn {
  messageId: string;
  message: Message;
  index: number;
  records: MessageRecord[];
}

export function liveTurns(
  history: readonly Message[],
  idOf: (message: Message) => string | undefined,
  records: readonly MessageRecord[],
): LiveTurn[] {
  const turns: LiveTurn[] = [];
  history.forEach((message, index) => {
    if (message.role !== 'user' || message.origin !== 'prompt') return;
    turns.push({ messageId: idOf(message) ?? `turn-${turns.length + 1}`, message, index, records: [] });
  });
  const starts = new Map(turns.map((turn) => [turn.messageId, turn]));
  let current: LiveTurn | undefined;
  for (const record of records) {
    current = starts.get(record.id) ?? current;
    current?.records.push(record);
  }
  return turns;
}

export function describeTurns(
  turns: readonly LiveTurn[],
  snapshots: readonly SnapshotSummary[],
): RewindTurn[] {
  const undone = new Set(snapshots.filter(({ undoneBy }) => undoneBy).map(({ callId }) => callId));
  let canRevert = false;
  return turns
    .map((turn, number): Omit<RewindTurn, 'canRevert'> => {
      const edits = editsIn(turn.records).filter(({ callId }) => !undone.has(callId));
      const files = changedFiles(edits, snapshotsOf(turns, number, snapshots));
      const sum = (key: 'added' | 'removed') => files.reduce((total, file) => total + (file[key] ?? 0), 0);
      const [prompt] = turn.records;
      return {
        messageId: turn.messageId,
        text: prompt ? shownTextOf(prompt) : textOf(turn.message.parts),
        ...(prompt && { time: prompt.timestamp }),
        files,
        added: sum('added'),
        removed: sum('removed'),
      };
    })
    .reduceRight((list: RewindTurn[], turn) => {
      canRevert ||= turn.files.length > 0;
      list.unshift({ ...turn, canRevert });
      return list;
    }, []);
}

function changedFiles(edits: readonly StoredEdit[], snapshots: readonly SnapshotSummary[]): ChangedFile[] {
  const files = new Map<string, ChangedFile>();
  for (const { diff } of edits) {
    const { added, removed } = countLines(diff);
    const file = files.get(diff.filePath);
    files.set(diff.filePath, {
      path: diff.filePath,
      added: (file?.added ?? 0) + added,
      removed: (file?.removed ?? 0) + removed,
    });
  }
  for (const { path, before, after } of snapshots.flatMap(({ changes }) => changes)) {
    const isFolder = (before ?? after)?.kind === 'dir';
    if (!isFolder && !files.has(path)) files.set(path, { path });
  }
  return [...files.values()];
}

/** Matched by time: also calls that are in no message of this conversation. */
function snapshotsOf(
  turns: readonly LiveTurn[],
  number: number,
  snapshots: readonly SnapshotSummary[],
): SnapshotSummary[] {
  const timeOf = (turn: LiveTurn | undefined) => Date.parse(turn?.records[0]?.timestamp ?? '');
  const [start, end] = [timeOf(turns[number]), timeOf(turns[number + 1])];
  return snapshots.filter(({ kind, undoneBy, startedAt }) => {
    const time = Date.parse(startedAt);
    return kind !== 'undo' && !undoneBy && time >= start && !(time >= end);
  });
}
