/**
 * What the parts of the server agree on. The protocol layer (HTTP, JSON-RPC, REST, both versions, the page) talks to a
 * `TaskService`; a service runs turns with a `TurnRunner` and keeps tasks in a `TaskStore`. Two services exist: one runs
 * turns in this process, one hands them to the workers of a PostgreSQL database. Types only.
 */
import type { Message, StreamResponse, Task } from '@a2a-js/sdk';

/** What the first message of a task says about its workspace (`metadata.coderAgent`). */
export interface AgentSettings {
  kind: 'agent-settings';
  workspacePath: string;
  autoExecute?: boolean;
  /** A task runs only on a worker that has all of them. */
  labels?: readonly string[];
}

/** A call that waits for the user. */
export interface PendingCall {
  callId: string;
  name: string;
  /** The data of its confirmation event: arguments, details. */
  call?: unknown;
}

/**
 * A task as it is kept. `task` holds what a client may see: state, history, artifacts. The history has the user's
 * messages and those of the agent, each with `metadata.coderAgent.kind`: the chunks of one answer as one message of
 * kind `text-content`, a thought as one, a tool call once (`tool-call-update`), as it ended.
 */
export interface TaskRecord {
  readonly id: string;
  readonly contextId: string;
  readonly createdAt: string;
  updatedAt: string;
  task: Task;
  settings?: AgentSettings;
  model?: string;
  cost?: number;
  pending: PendingCall[];
  /** Of the turn that began last. */
  turn: number;
  /** Messages already accepted, so that one that is sent twice runs once. */
  messageIds: string[];
  /** What a later process needs to continue; only the runner reads it. */
  conversation?: unknown;
  /** A turn that has not ended, for a later process that continues it. Only services that need it set it. */
  running?: RunningTurn;
  /** Messages that wait for their turn, the next one first, in the JSON form of protocol 1.0; for a later process, too. */
  queued?: readonly unknown[];
}

/** Plain data. */
export interface RunningTurn {
  /** In the JSON form of protocol 1.0. */
  message: unknown;
  /** Entries of the turn's journal. */
  journal: Record<string, unknown>;
}

/** Where tasks are kept. `save` replaces the whole record, atomically. */
export interface TaskStore {
  /** Whether tasks survive this process. */
  readonly isDurable: boolean;
  load(taskId: string): Promise<TaskRecord | undefined>;
  save(record: TaskRecord): Promise<void>;
  list(query: TaskQuery): Promise<TaskPage>;
  delete(taskId: string): Promise<void>;
  close(): Promise<void>;
}

export interface TaskQuery {
  contextId?: string;
  state?: string;
  pageSize: number;
  pageToken?: string;
}

export interface TaskPage {
  records: TaskRecord[];
  nextPageToken: string;
  totalSize: number;
}

/** An event of a task with its place: `<turn>-<offset>`, both counted from 1, ascending within the task. */
export interface TaskEvent {
  id: string;
  event: StreamResponse;
  /** The turn ends with this event: the task waits for input, or is over. */
  isLast: boolean;
}

/** Runs one turn: from an accepted message until the task waits for input or is over. */
export interface TurnRunner {
  run(turn: Turn): Promise<TurnEnd>;
  /** Frees what the task holds in this process (engine, servers, processes). */
  evict(taskId: string): Promise<void>;
  close(): Promise<void>;
}

export interface Turn {
  record: TaskRecord;
  /** The user's text, or answers to calls that wait. */
  message: Message;
  journal: TurnJournal;
  emit(events: StreamResponse[]): void;
  signal: AbortSignal;
  /** What this turn emitted in an earlier process; empty for a turn that runs for the first time. */
  emitted: readonly StreamResponse[];
}

export interface TurnEnd {
  /** As it is to be saved; the state of `record.task` says how the turn ended. */
  record: TaskRecord;
}

/**
 * Remembers what a turn has done (answers of the model, begins and ends of tool calls), so that another process can run
 * it again without doing it twice. Plain data by key: calls that run side by side may come in any order.
 */
export interface TurnJournal {
  /** What the turn did in an earlier process. */
  readonly entries: ReadonlyMap<string, unknown>;
  /**
   * Returns when the entry, and all that was emitted or written before it, is kept.
   * @throws TurnLostError when another process has taken the turn over
   */
  write(key: string, value: unknown): Promise<void>;
  /** Kept before or with the next entry, or a little later; a failure ends the turn. Absent: as `write`. */
  writeSoon?(key: string, value: unknown): void;
}

/** What the protocol layer asks for. Every method throws a `TaskError` for what a client did wrong. */
export interface TaskService {
  readonly isDurable: boolean;
  create(settings: AgentSettings | undefined, contextId?: string): Promise<TaskRecord>;
  /** Accepts a message, once for its id; a message without `taskId` begins a task. */
  send(message: Message): Promise<Accepted>;
  /** From behind `after`, or from the beginning of the turn that runs or ran last; ends with the turn. */
  events(taskId: string, options: { after?: string; signal: AbortSignal }): AsyncIterable<TaskEvent>;
  get(taskId: string): Promise<TaskRecord>;
  list(query: TaskQuery): Promise<TaskPage>;
  cancel(taskId: string): Promise<TaskRecord>;
  /** Ends the turn that runs, because its last reader has gone; the task waits for input. Absent: turns go on. */
  interrupt?(taskId: string): Promise<void>;
  /**
   * What the engine of a task offers; absent or undefined: not known in this process.
   * @param opens an engine is opened if there is none and the task rests
   */
  describe?(taskId: string, options?: { opens: boolean }): Promise<TaskDescription | undefined>;
  /** Stops taking turns, waits for those that run (bounded), releases everything. */
  close(options: { drainMs: number }): Promise<void>;
}

/** For `GET /tasks/:id/metadata`. */
export interface TaskDescription {
  model: string;
  mcpServers: { name: string; status: string; tools: string[] }[];
  availableTools: { name: string; description: string; parameterSchema: unknown }[];
}

export interface Accepted {
  taskId: string;
  /** The events of the message come behind this place. */
  after: string;
  isDuplicate: boolean;
}
