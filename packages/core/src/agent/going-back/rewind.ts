/** `/rewind`: goes back to an earlier prompt (conversation, files, or both), and forward again. */
import { messageOf } from '../../base/errors.js';
import type { SnapshotSummary } from '../../platform/snapshots/types.js';
import type { Message } from '../../protocol/messages.js';
import { textOf } from '../../protocol/messages.js';
import type { MessageRecord } from '../../protocol/session-record.js';
import { rangeOf, restoreRange } from '../../sessions/checkpoints/by-snapshots.js';
import { CheckpointError } from '../../sessions/checkpoints/error.js';
import {
  type FilesReport,
  joined,
  NO_FILES,
  type SnapshotPort,
} from '../../sessions/checkpoints/files-report.js';
import { editsIn, undoDiffs } from '../../sessions/checkpoints/stored-diffs.js';
import { writeFiles } from '../../sessions/checkpoints/wanted-files.js';
import { convertSessionToHistoryFormats, type HistoryItemWithoutId } from '../../sessions/reading/convert.js';
import { shownTextOf } from '../../sessions/reading/message-kinds.js';
import type { TelemetryRecorder } from '../../telemetry/record.js';
import { describeTurns, type LiveTurn, liveTurns, type RewindTurn } from './rewind-turns.js';

export type RewindWhat = 'conversation' | 'files' | 'both';

export interface RewindResult {
  /** The prompt's text, for the input; also with `files` alone. */
  text: string;
  /** Number of prompts removed from the conversation. */
  removedTurns: number;
  files: FilesReport;
}

export interface RewindSession {
  isBusy(): boolean;
  history(): readonly Message[];
  setHistory(history: readonly Message[]): void;
  sessionId(): string;
  root: string;
  /** Null: the path may be written; else why not. */
  mayWrite(path: string): string | null;
  /** Absent: disabled. */
  openSnapshots?(): Promise<SnapshotPort>;
  telemetry?: TelemetryRecorder;
  /** Absent: the session is not recorded. */
  recording?: {
    idOf(message: Message): string | undefined;
    records(): MessageRecord[];
    rewindTo(message: Message): void;
    /** Undoes a rewind. */
    replace(history: readonly Message[], records: readonly MessageRecord[]): void;
  };
}

interface WayForward {
  undoIds: string[];
  conversation?: { before: readonly Message[]; after: readonly Message[]; records: MessageRecord[] };
}

export class Rewind {
  private way: WayForward | undefined;

  constructor(private readonly session: RewindSession) {}

  /** Oldest first. */
  async turns(): Promise<RewindTurn[]> {
    const { snapshots } = await this.snapshots();
    return describeTurns(this.live(), snapshots);
  }

  /** The messages of that turn, for the screen. */
  items(messageId: string): HistoryItemWithoutId[] {
    return convertSessionToHistoryFormats(this.find(messageId).turn.records).uiHistory;
  }

  async preview(messageId: string): Promise<FilesReport> {
    return this.files(this.find(messageId), true);
  }

  /** Files first: if they cannot be restored, nothing has changed. */
  async rewindTo(messageId: string, what: RewindWhat): Promise<RewindResult> {
    const { session } = this;
    if (session.isBusy())
      throw new CheckpointError('BUSY', 'Wait for the running request, or cancel it first.');
    const found = this.find(messageId);
    const { turn, turns } = found;
    const [prompt] = turn.records;
    const text = prompt ? shownTextOf(prompt) : textOf(turn.message.parts);
    const files = what === 'conversation' ? NO_FILES : await this.files(found, false);
    this.way = { undoIds: files.undoIds };
    session.telemetry?.event('gemini_cli.rewind', { outcome: what });
    if (what === 'files') return { text, removedTurns: 0, files };
    const before = session.history();
    const records = session.recording?.records() ?? [];
    const after = before.slice(0, turn.index);
    session.recording?.rewindTo(turn.message);
    session.setHistory(after);
    this.way.conversation = { before, after, records };
    return { text, removedTurns: turns.length - turns.indexOf(turn), files };
  }

  /** True until something else happens in the conversation. */
  get canGoForward(): boolean {
    if (!this.way || this.session.isBusy()) return false;
    const { conversation, undoIds } = this.way;
    return conversation ? isSameHistory(this.session.history(), conversation.after) : undoIds.length > 0;
  }

  /** Undoes the last rewind: files byte for byte, and the conversation. */
  async forward(): Promise<FilesReport> {
    const { way, session } = this;
    if (!way || !this.canGoForward) {
      throw new CheckpointError('UNKNOWN_MESSAGE', 'There is no rewind to undo.');
    }
    const files = await this.undo(way.undoIds);
    this.way = undefined;
    if (way.conversation) {
      const { before, records } = way.conversation;
      session.setHistory(before);
      session.recording?.replace(before, records);
    }
    return files;
  }

  /** `undoIds` of any report: restores the files as they were before it. */
  async undo(undoIds: readonly string[]): Promise<FilesReport> {
    if (undoIds.length === 0) return NO_FILES;
    const store = await this.session.openSnapshots?.();
    if (!store) throw new CheckpointError('FILES_UNAVAILABLE', 'Snapshots are disabled.');
    let report = NO_FILES;
    for (const id of undoIds) {
      report = joined(report, await restoreRange(store, { first: id, among: [id] }, { isPreview: false }));
    }
    return report;
  }

  private live(): LiveTurn[] {
    const { session } = this;
    const { recording } = session;
    return liveTurns(session.history(), (message) => recording?.idOf(message), recording?.records() ?? []);
  }

  private find(messageId: string): { turn: LiveTurn; turns: LiveTurn[] } {
    const turns = this.live();
    const turn = turns.find((item) => item.messageId === messageId);
    if (turn) return { turn, turns };
    throw new CheckpointError('UNKNOWN_MESSAGE', 'This message is no longer part of the conversation.');
  }

  private async files({ turn, turns }: ReturnType<Rewind['find']>, isPreview: boolean): Promise<FilesReport> {
    const { session } = this;
    const { store, snapshots, problem } = await this.snapshots();
    // Files that could not be restored again later are not touched.
    if (problem !== undefined) return { ...NO_FILES, problem };
    const later = turns.slice(turns.indexOf(turn));
    const range = rangeOf(snapshots, new Set([session.sessionId()]), isSince(turn, session.history()));
    const bySnapshots = store ? await restoreRange(store, range, { isPreview }) : NO_FILES;
    const covered = callsIn(snapshots, range?.among);
    const edits = editsIn(later.flatMap(({ records }) => records)).filter(
      ({ callId }) => !covered.has(callId),
    );
    // Older than the snapshots, so undone after them.
    const { wanted, left } = await undoDiffs(edits, session);
    const byDiffs = await writeFiles(wanted, {
      ...(store && { store }),
      isPreview,
      description: 'rewind by the differences of the session',
    });
    return joined(bySnapshots, { ...byDiffs, steps: [...byDiffs.steps, ...left] });
  }

  private async snapshots(): Promise<{
    store?: SnapshotPort;
    snapshots: SnapshotSummary[];
    problem?: string;
  }> {
    try {
      const store = await this.session.openSnapshots?.();
      if (!store) return { snapshots: [] };
      const id = this.session.sessionId();
      const all = await store.list();
      const own = new Set(all.filter(({ sessionId }) => sessionId === id).map((snapshot) => snapshot.id));
      return {
        store,
        snapshots: all.filter((item) => own.has(item.id) || item.undoes?.some((of) => own.has(of))),
      };
    } catch (error) {
      return { snapshots: [], problem: `Files cannot be reverted: ${messageOf(error)}` };
    }
  }
}

/** By the time of the prompt, or by the calls after it: clocks may be set back, and not everything is recorded. */
function isSince(
  { records, index }: LiveTurn,
  history: readonly Message[],
): (snapshot: SnapshotSummary) => boolean {
  const time = Date.parse(records[0]?.timestamp ?? '');
  const earlier = callIdsIn(history.slice(0, index));
  const later = callIdsIn(history.slice(index));
  return ({ startedAt, callId }) =>
    Date.parse(startedAt) >= time || (later.has(callId) && !earlier.has(callId));
}

function callIdsIn(history: readonly Message[]): Set<string> {
  return new Set(history.flatMap(({ parts }) => parts.flatMap(({ functionCall }) => functionCall?.id ?? [])));
}

function callsIn(snapshots: readonly SnapshotSummary[], among: readonly string[] = []): Set<string> {
  const ids = new Set(among);
  return new Set(snapshots.filter(({ id }) => ids.has(id)).map(({ callId }) => callId));
}

function isSameHistory(a: readonly Message[], b: readonly Message[]): boolean {
  return a.length === b.length && a.every((message, index) => message === b[index]);
}
