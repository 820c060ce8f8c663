/** A service of this process over a real engine in a folder of its own; only the model is scripted. */
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type Message, type Part, Role, TaskState } from '@a2a-js/sdk';
import { type FakeAnswer, FakeModel } from '@gemini-cli/core/testing';
import { tempDir } from '@gemini-cli/test-utils';
import { onTestFinished } from 'vitest';
import type { AgentSettings, TaskEvent, TaskService, TaskStore } from '../contract.js';
import { MemoryTaskStore } from '../stores/memory-store.js';
import { dataPart, textPart } from '../turns/events/event-factory.js';
import { createTurnRunner, type EngineTurnRunner, type TurnRunnerOptions } from '../turns/turn-runner.js';
import { type LocalLimits, openLocalService } from './local-service.js';

export interface RigOptions {
  store?: TaskStore;
  settings?: Partial<AgentSettings>;
  env?: Record<string, string>;
  limits?: LocalLimits;
  runner?: Partial<TurnRunnerOptions>;
}

export class ServiceRig {
  readonly directory = tempDir('a2a-');
  readonly workspace = join(this.directory.path, 'workspace');
  readonly model: FakeModel;
  private count = 0;

  private constructor(
    answers: readonly FakeAnswer[],
    private readonly options: RigOptions,
  ) {
    this.model = new FakeModel(answers);
    mkdirSync(this.workspace);
  }

  declare service: TaskService;
  declare runner: EngineTurnRunner;

  static async open(answers: readonly FakeAnswer[], options: RigOptions = {}): Promise<ServiceRig> {
    const rig = new ServiceRig(answers, options);
    await rig.restart();
    onTestFinished(async () => {
      await rig.service.close({ drainMs: 0 });
      rig.directory.cleanup();
    });
    return rig;
  }

  /** Another process with the same store. */
  async restart(): Promise<void> {
    const { store = new MemoryTaskStore(), limits, env, runner } = this.options;
    this.runner = createTurnRunner({
      env: {
        HOME: this.directory.path,
        PATH: process.env['PATH'],
        GEMINI_CLI_HOME: this.directory.path,
        GEMINI_CLI_TRUST_WORKSPACE: 'true',
        ...env,
      },
      cwd: this.workspace,
      contentGenerator: this.model,
      ...runner,
    });
    this.service = await openLocalService({ store, runner: this.runner, ...(limits && { limits }) });
  }

  message(parts: Part[], fields: Partial<Message> = {}): Message {
    const coderAgent = { kind: 'agent-settings', workspacePath: this.workspace, ...this.options.settings };
    return {
      messageId: `m${++this.count}`,
      taskId: '',
      contextId: '',
      role: Role.ROLE_USER,
      parts,
      metadata: { coderAgent },
      extensions: [],
      referenceTaskIds: [],
      ...fields,
    };
  }

  /** Sends and reads all events of the turn. */
  async turn(parts: Part[], fields?: Partial<Message>): Promise<{ taskId: string; events: TaskEvent[] }> {
    const { taskId, after } = await this.service.send(this.message(parts, fields));
    return { taskId, events: await this.read(taskId, after) };
  }

  say(text: string, taskId = '') {
    return this.turn([textPart(text)], { taskId });
  }

  reply(taskId: string, reply: Record<string, unknown>) {
    return this.turn([dataPart(reply)], { taskId });
  }

  async read(taskId: string, after?: string): Promise<TaskEvent[]> {
    const events: TaskEvent[] = [];
    const { signal } = new AbortController();
    for await (const event of this.service.events(taskId, { ...(after && { after }), signal }))
      events.push(event);
    return events;
  }

  write(name: string, text: string): void {
    writeFileSync(join(this.workspace, name), text);
  }

  file(name: string): string | undefined {
    try {
      return readFileSync(join(this.workspace, name), 'utf8');
    } catch {
      return undefined;
    }
  }
}

/** One line for each event: kind, state, and what its message says. */
export function lines(events: readonly TaskEvent[]): string[] {
  return events.map(({ event: { payload } }) => {
    if (payload?.$case === 'artifactUpdate') return `artifact ${payload.value.artifact?.artifactId}`;
    if (payload?.$case !== 'statusUpdate') return String(payload?.$case);
    const { status, metadata } = payload.value;
    const content = status?.message?.parts[0]?.content;
    const said =
      content?.$case === 'text'
        ? content.value
        : content?.$case === 'data'
          ? (content.value.status ?? content.value.subject)
          : '';
    const state = TaskState[status?.state ?? 0]?.replace('TASK_STATE_', '').toLowerCase();
    return [metadata?.['coderAgent'].kind, state, said].filter((word) => word !== '').join(' ');
  });
}

/** The call that waits, as the confirmation shows it. */
export function waitingCall(events: readonly TaskEvent[]) {
  for (const { event } of events) {
    if (event.payload?.$case !== 'statusUpdate') continue;
    const { metadata, status } = event.payload.value;
    const content = status?.message?.parts[0]?.content;
    if (metadata?.['coderAgent'].kind === 'tool-call-confirmation' && content?.$case === 'data')
      return content.value;
  }
  throw new Error('No call waits.');
}

export const writeFile = (file_path: string, content: string) => ({
  name: 'write_file',
  args: { file_path, content },
});
