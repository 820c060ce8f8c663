/** A service of tasks whose turns do what the first word of the message says. Only for tests of the layers above. */
import { randomUUID } from 'node:crypto';
import { type Message, Role, type StreamResponse, type Task, TaskState } from '@a2a-js/sdk';
import type {
  Accepted,
  AgentSettings,
  TaskEvent,
  TaskPage,
  TaskQuery,
  TaskRecord,
  TaskService,
  TaskStore,
} from './contract.js';
import { isOver, isRunning } from './protocol/task-state.js';
import { MemoryTaskStore } from './stores/memory-store.js';
import { TaskError } from './task-error.js';

interface Turn {
  number: number;
  events: TaskEvent[];
  wake: Set<() => void>;
  abort: AbortController;
}

export class ScriptedService implements TaskService {
  readonly interrupted: string[] = [];
  readonly messages: Message[] = [];
  private readonly turns = new Map<string, Turn>();
  private readonly gates = new Map<string, () => void>();

  constructor(private readonly store: TaskStore = new MemoryTaskStore()) {}

  get isDurable(): boolean {
    return this.store.isDurable;
  }

  async create(settings: AgentSettings | undefined, contextId: string = randomUUID()): Promise<TaskRecord> {
    const id = randomUUID();
    const now = new Date().toISOString();
    const task: Task = {
      id,
      contextId,
      status: { state: TaskState.TASK_STATE_SUBMITTED, message: undefined, timestamp: now },
      artifacts: [],
      history: [],
      metadata: undefined,
    };
    const record: TaskRecord = {
      id,
      contextId,
      createdAt: now,
      updatedAt: now,
      task,
      pending: [],
      turn: 0,
      messageIds: [],
      ...(settings && { settings }),
    };
    await this.store.save(record);
    return record;
  }

  async send(message: Message): Promise<Accepted> {
    const record = message.taskId
      ? await this.get(message.taskId)
      : await this.create(undefined, message.contextId || undefined);
    const { id } = record;
    const known = record.messageIds.indexOf(message.messageId);
    if (known >= 0) return { taskId: id, after: `${known + 1}-0`, isDuplicate: true };
    if (isOver(record.task.status?.state)) throw new TaskError('unsupported', `The task ${id} is over.`);
    const text = textOf(message);
    if (text.startsWith('refuse')) throw new TaskError('too_many', 'Too many tasks run now.');
    if (text.startsWith('crash')) throw new Error('secret detail');
    this.messages.push(message);
    record.turn++;
    record.messageIds.push(message.messageId);
    record.task.history.push({ ...message, taskId: id, contextId: record.contextId });
    setState(record, TaskState.TASK_STATE_WORKING);
    await this.store.save(record);
    const turn: Turn = { number: record.turn, events: [], wake: new Set(), abort: new AbortController() };
    this.turns.set(id, turn);
    void this.run(record, turn, text);
    return { taskId: id, after: `${record.turn}-0`, isDuplicate: false };
  }

  async *events(taskId: string, { after, signal }: { after?: string; signal: AbortSignal }) {
    await this.get(taskId);
    const turn = this.turns.get(taskId);
    if (!turn) return;
    const [wanted = 0, offset = 0] = (after ?? '').split('-').map(Number);
    for (let index = wanted === turn.number ? offset : 0; ; ) {
      const event = turn.events[index];
      if (signal.aborted) return;
      if (event) {
        index++;
        yield event;
        if (event.isLast) return;
      } else {
        await new Promise<void>((resolve) => {
          const done = () => {
            signal.removeEventListener('abort', done);
            turn.wake.delete(done);
            resolve();
          };
          turn.wake.add(done);
          signal.addEventListener('abort', done, { once: true });
        });
      }
    }
  }

  async get(taskId: string): Promise<TaskRecord> {
    const record = await this.store.load(taskId);
    if (!record) throw new TaskError('task_not_found', `There is no task ${taskId}.`);
    return record;
  }

  list(query: TaskQuery): Promise<TaskPage> {
    return this.store.list(query);
  }

  async cancel(taskId: string): Promise<TaskRecord> {
    const record = await this.get(taskId);
    if (isOver(record.task.status?.state))
      throw new TaskError('not_cancelable', `The task ${taskId} is over.`);
    const turn = this.turns.get(taskId);
    turn?.abort.abort();
    await this.end(record, turn, TaskState.TASK_STATE_CANCELED);
    return this.get(taskId);
  }

  async interrupt(taskId: string): Promise<void> {
    this.interrupted.push(taskId);
    const turn = this.turns.get(taskId);
    turn?.abort.abort();
    await this.end(await this.get(taskId), turn, TaskState.TASK_STATE_INPUT_REQUIRED);
  }

  /** Lets a turn of `wait` go on. */
  release(taskId: string): void {
    this.gates.get(taskId)?.();
  }

  async close(): Promise<void> {
    for (const turn of this.turns.values()) turn.abort.abort();
    await this.store.close();
  }

  private async run(record: TaskRecord, turn: Turn, text: string): Promise<void> {
    const [word, count] = text.split(' ');
    this.emit(record, turn, statusEvent(record, TaskState.TASK_STATE_WORKING, 'state-change'));
    if (word === 'wait')
      await new Promise<void>((resolve) => {
        this.gates.set(record.id, resolve);
        turn.abort.signal.addEventListener('abort', () => resolve(), { once: true });
      });
    const chunks = word === 'many' ? Number(count) : 1;
    const padding = word === 'big' ? 'x'.repeat(Number(count)) : '';
    for (let index = 0; index < chunks && !turn.abort.signal.aborted; index++) {
      this.emit(
        record,
        turn,
        statusEvent(record, TaskState.TASK_STATE_WORKING, 'text-content', `${word} ${index}${padding}`),
      );
      if (index % 50 === 49) await new Promise((resolve) => setImmediate(resolve));
    }
    if (turn.abort.signal.aborted) return;
    record.task.history.push(agentMessage(record, 'text-content', `You said: ${text.slice(0, 100)}`));
    await this.end(
      record,
      turn,
      word === 'fail' ? TaskState.TASK_STATE_FAILED : TaskState.TASK_STATE_INPUT_REQUIRED,
    );
  }

  private async end(record: TaskRecord, turn: Turn | undefined, state: TaskState): Promise<void> {
    const wasRunning = isRunning(record.task.status?.state);
    setState(record, state);
    await this.store.save(record);
    if (turn && wasRunning) this.emit(record, turn, statusEvent(record, state, 'state-change'), true);
  }

  private emit(_record: TaskRecord, turn: Turn, event: StreamResponse, isLast = false): void {
    if (turn.events.at(-1)?.isLast) return;
    turn.events.push({ id: `${turn.number}-${turn.events.length + 1}`, event, isLast });
    for (const wake of [...turn.wake]) wake();
  }
}

function textOf(message: Message): string {
  return message.parts.map(({ content }) => (content?.$case === 'text' ? content.value : '')).join('');
}

function setState(record: TaskRecord, state: TaskState): void {
  record.updatedAt = new Date().toISOString();
  record.task.status = { state, message: undefined, timestamp: record.updatedAt };
}

function statusEvent(record: TaskRecord, state: TaskState, kind: string, text?: string): StreamResponse {
  const value = {
    taskId: record.id,
    contextId: record.contextId,
    status: {
      state,
      message: text === undefined ? undefined : agentMessage(record, kind, text),
      timestamp: new Date().toISOString(),
    },
    metadata: { coderAgent: { kind }, model: 'scripted' },
  };
  return { payload: { $case: 'statusUpdate', value } };
}

function agentMessage(record: TaskRecord, kind: string, text: string): Message {
  return {
    messageId: randomUUID(),
    contextId: record.contextId,
    taskId: record.id,
    role: Role.ROLE_AGENT,
    parts: [{ content: { $case: 'text', value: text }, metadata: undefined, filename: '', mediaType: '' }],
    metadata: { coderAgent: { kind } },
    extensions: [],
    referenceTaskIds: [],
  };
}
