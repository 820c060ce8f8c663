/** Checkpoints of the live session: saved before changes or by hand, listed, previewed, restored. */
import { messageOf } from '../../base/errors.js';
import type { SnapshotSummary } from '../../platform/snapshots/types.js';
import type { Content, Message } from '../../protocol/messages.js';
import type { MessageRecord } from '../../protocol/session-record.js';
import { rangeOf, restoreRange } from '../../sessions/checkpoints/by-snapshots.js';
import { messagesFrom, toContents } from '../../sessions/checkpoints/contents.js';
import { CheckpointError } from '../../sessions/checkpoints/error.js';
import { type FilesReport, NO_FILES, type SnapshotPort } from '../../sessions/checkpoints/files-report.js';
import type { AgentState, Checkpoint, CheckpointedCall } from '../../sessions/checkpoints/format.js';
import { filesAtCommit, type ShadowRepository } from '../../sessions/checkpoints/shadow-repository.js';
import type { CheckpointList, CheckpointStore } from '../../sessions/checkpoints/store.js';
import { writeFiles } from '../../sessions/checkpoints/wanted-files.js';
import { convertSessionToHistoryFormats, type HistoryItemWithoutId } from '../../sessions/reading/convert.js';
import { type RedactValue, redactContents, redactRecord } from '../../sessions/recording/redact-record.js';
import { toRecords } from '../../sessions/to-records.js';
import { type ProposedCall, proposable } from './proposed-call.js';

export interface CheckpointSession {
  isBusy(): boolean;
  sessionId(): string;
  now(): number;
  newId(): string;
  root: string;
  redact: RedactValue;
  /** Prepares the chat, so that its history can be read and set. */
  initialize(): Promise<void>;
  history(): readonly Message[];
  setHistory(history: readonly Message[]): void;
  /** The recorded messages, newest last; undefined without a recording. */
  records(): MessageRecord[] | undefined;
  /** Id of the recorded message. */
  idOf(message: Message): string | undefined;
  agentState(history: readonly Message[]): AgentState;
  /** Model and approval mode; the rest is in the conversation. */
  applyState(state: AgentState): Promise<void>;
  /** Absent: disabled. */
  openSnapshots?(): Promise<SnapshotPort>;
  isIgnored(path: string, isFolder?: boolean): boolean;
  shadow: ShadowRepository;
}

export interface CheckpointContents {
  name: string;
  /** What the screen showed. */
  history: HistoryItemWithoutId[];
  clientHistory: Content[];
  /** The call to propose again with `AgentSession.propose`; absent for a checkpoint made by hand. */
  toolCall?: ProposedCall;
  agentState?: AgentState;
  /** In a preview: what would happen. */
  files: FilesReport;
}

export class SessionCheckpoints {
  constructor(
    private readonly store: CheckpointStore,
    private readonly session: CheckpointSession,
  ) {}

  list(): CheckpointList {
    return this.store.list();
  }

  /** Before an approved call. @returns the name */
  beforeCall({ name, args, paths, snapshotId }: CheckpointedCall & CallPlace): string {
    const { redact, now, root } = this.session;
    return this.store.write(
      { ...this.conversation(), ...(snapshotId && { snapshotId }), toolCall: { name, args: redact(args) } },
      { timeMs: now(), path: paths[0] ?? root, toolName: name },
    );
  }

  /** Saves files and conversation as they are now (`/checkpoint [tag]`). @returns the name */
  async create(tag = ''): Promise<string> {
    const { session } = this;
    this.requireIdle();
    await session.initialize();
    const store = await session.openSnapshots?.();
    const call = { callId: '', promptId: '', toolName: 'checkpoint', description: session.redact(tag) };
    const handle = await store?.beforeCommand(call);
    if (store && handle) await store.afterCall(handle);
    return this.store.write(
      { ...this.conversation(), ...(handle && { snapshotId: handle.id }) },
      { timeMs: session.now(), path: tag.trim() || 'manual', toolName: 'checkpoint' },
    );
  }

  /** What restoring would do; changes nothing. */
  async preview(name: string): Promise<CheckpointContents> {
    const checkpoint = this.store.read(name);
    return this.contents(name, checkpoint, await this.files(checkpoint, true));
  }

  /**
   * Restores files as before the call, and the conversation; the engine continues from there. What cannot be done
   * about files is reported in `files.problem`; the conversation is restored in any case.
   */
  async restore(name: string): Promise<CheckpointContents> {
    this.requireIdle();
    const checkpoint = this.store.read(name);
    const files = await this.files(checkpoint, false);
    const contents = this.contents(name, checkpoint, files);
    await this.continueFrom(messagesFrom(contents.clientHistory));
    if (contents.agentState) await this.session.applyState(contents.agentState);
    return contents;
  }

  /** Keeps the first context message of this session before the restored ones. */
  async continueFrom(messages: readonly Message[]): Promise<void> {
    this.requireIdle();
    await this.session.initialize();
    const context = this.session.history().filter(({ origin }) => origin === 'context');
    this.session.setHistory([...context.slice(0, 1), ...messages]);
  }

  /** The live conversation without secrets and unfinished calls. */
  private conversation(): Pick<
    Checkpoint,
    'sessionId' | 'messageId' | 'agentState' | 'history' | 'clientHistory'
  > {
    const { session } = this;
    const { redact } = session;
    const history = session.history();
    const prompt = history.findLast(({ origin }) => origin === 'prompt');
    const messageId = prompt && session.idOf(prompt);
    const records = session.records() ?? this.recordsFrom(history);
    return {
      sessionId: session.sessionId(),
      ...(messageId !== undefined && { messageId }),
      agentState: redact(session.agentState(history)),
      history: convertSessionToHistoryFormats(finished(records).map((record) => redactRecord(record, redact)))
        .uiHistory,
      clientHistory: redactContents(toContents(history), redact),
    };
  }

  private recordsFrom(history: readonly Message[]): MessageRecord[] {
    const { now, newId } = this.session;
    return toRecords(history, { timestamp: new Date(now()).toISOString(), newId });
  }

  private contents(name: string, checkpoint: Checkpoint, files: FilesReport): CheckpointContents {
    const { toolCall, agentState } = checkpoint;
    const { clientHistory, call } = proposable(saidIn(checkpoint), toolCall, this.session.newId);
    const history =
      checkpoint.history.length > 0
        ? checkpoint.history
        : convertSessionToHistoryFormats(finished(this.recordsFrom(messagesFrom(clientHistory)))).uiHistory;
    return {
      name,
      history,
      clientHistory,
      ...(call && { toolCall: call }),
      ...(agentState && { agentState }),
      files,
    };
  }

  private async files({ snapshotId, commitHash }: Checkpoint, isPreview: boolean): Promise<FilesReport> {
    try {
      if (snapshotId !== undefined) return await this.filesOfSnapshot(snapshotId, isPreview);
      if (commitHash !== undefined) return await this.filesOfCommit(commitHash, isPreview);
      return { ...NO_FILES, problem: 'This checkpoint holds no files.' };
    } catch (error) {
      return { ...NO_FILES, problem: messageOf(error) };
    }
  }

  /** Changes by this session and the one that made the checkpoint; all others are foreign. */
  private async filesOfSnapshot(id: string, isPreview: boolean): Promise<FilesReport> {
    const store = await this.requireSnapshots();
    const all = await store.list();
    const origin = all.find((snapshot: SnapshotSummary) => snapshot.id === id);
    if (!origin) {
      const problem =
        'Its files cannot be restored: the call still runs, or their copies made room for newer ones (general.checkpointing.maxBytes).';
      return { ...NO_FILES, problem };
    }
    const sessions = new Set([origin.sessionId, this.session.sessionId()]);
    const range = rangeOf(all, sessions, (snapshot) => snapshot.id === id);
    return restoreRange(store, range, { isPreview, isIgnored: this.session.isIgnored });
  }

  private async filesOfCommit(commit: string, isPreview: boolean): Promise<FilesReport> {
    const store = await this.requireSnapshots();
    const { shadow } = this.session;
    const wanted = await filesAtCommit(shadow, commit);
    const description = `restore of ${commit.slice(0, 12)}`;
    return writeFiles(wanted, { store, isPreview, description, emptyFoldersBelow: shadow.root });
  }

  private async requireSnapshots(): Promise<SnapshotPort> {
    const store = await this.session.openSnapshots?.();
    if (store) return store;
    throw new CheckpointError(
      'FILES_UNAVAILABLE',
      'Files are not restored without snapshots: set general.checkpointing.undo to true.',
    );
  }

  private requireIdle(): void {
    if (!this.session.isBusy()) return;
    throw new CheckpointError('BUSY', 'Wait for the running request, or cancel it first.');
  }
}

export interface CallPlace {
  /** Files that the call names. */
  paths: readonly string[];
  snapshotId?: string;
}

/** Checkpoints of other programs may hold only the display history. */
function saidIn({ clientHistory, history }: Checkpoint): Content[] {
  if (clientHistory.length > 0) return clientHistory;
  return history.flatMap((item): Content[] => {
    if (item.type !== 'user' && item.type !== 'gemini') return [];
    return [{ role: item.type === 'user' ? 'user' : 'model', parts: [{ text: item.text }] }];
  });
}

/** Calls without a result will be proposed again, or never ran. */
function finished(records: readonly MessageRecord[]): MessageRecord[] {
  return records.map((record) =>
    record.toolCalls?.some(({ result }) => !result)
      ? { ...record, toolCalls: record.toolCalls.filter(({ result }) => result) }
      : record,
  );
}
