/** Runs turns with engines of this process, and closes those that have been idle for long. */
import { type ContentGenerator, UserError, type Variables } from '@gemini-cli/core';
import type { TaskDescription, TaskRecord, Turn, TurnEnd, TurnRunner } from '../contract.js';
import { conversationOf } from './conversation.js';
import { type EngineSource, runTurn } from './run-turn.js';
import { TaskEngine } from './task-engine.js';
import { workspaceOf } from './workspace.js';

export interface TurnRunnerOptions {
  /** Variables of the server; each task gets a copy. */
  env: Variables;
  /** `CODER_AGENT_WORKSPACE_PATH` */
  workspaceRoot?: string;
  /** For tasks that name no workspace, if no root is set. */
  cwd: string;
  /** Engines that wait for their next message. */
  maxIdleEngines?: number;
  idleMs?: number;
  /** Replaces every provider; for tests. */
  contentGenerator?: ContentGenerator;
}

/** Each takes about 7 MB. */
const MAX_IDLE_ENGINES = 4;
const IDLE_MS = 5 * 60_000;

export class EngineTurnRunner implements TurnRunner, EngineSource {
  private readonly engines = new Map<string, TaskEngine>();
  /** One at a time for each task, or the engine of one would be lost. */
  private readonly opening = new Map<string, Promise<TaskEngine>>();
  private timer: NodeJS.Timeout | undefined;

  constructor(private readonly options: TurnRunnerOptions) {}

  async run(turn: Turn): Promise<TurnEnd> {
    try {
      return await runTurn(turn, this);
    } finally {
      await this.closeIdle();
    }
  }

  engineFor(record: TaskRecord): Promise<TaskEngine> {
    const before = this.opening.get(record.id)?.catch(() => undefined) ?? Promise.resolve();
    const opened: Promise<TaskEngine> = before
      .then(() => this.open(record))
      .finally(() => {
        if (this.opening.get(record.id) === opened) this.opening.delete(record.id);
      });
    this.opening.set(record.id, opened);
    return opened;
  }

  /** For a look at what it offers; the next turn uses it. */
  async prepare(record: TaskRecord): Promise<void> {
    const { id } = record;
    // A turn may begin meanwhile: its engine must not be taken for one that lost its turn.
    while (this.opening.has(id)) await this.opening.get(id)?.catch(() => undefined);
    try {
      if (!this.engines.has(id)) await this.engineFor(record);
    } catch (error) {
      // The first turn will say what is wrong with the folder or the settings.
      if (!(error instanceof UserError)) throw error;
    } finally {
      await this.closeIdle();
    }
  }

  private async open(record: TaskRecord): Promise<TaskEngine> {
    const { env, workspaceRoot: root, cwd, contentGenerator } = this.options;
    const conversation = conversationOf(record);
    const known = this.engines.get(record.id);
    // One that still runs has lost its turn to the one that asks.
    if (known && !known.isRunning && known.revision === conversation.revision) return touched(known);
    await this.drop(record.id);
    const workspace = workspaceOf(record.settings, { cwd, ...(root !== undefined && { root }) });
    const engine = await TaskEngine.open(
      { workspace, settings: record.settings, env, ...(contentGenerator && { contentGenerator }) },
      conversation,
    );
    this.engines.set(record.id, engine);
    return touched(engine);
  }

  /** Servers and tools of the task's engine, if it is open. */
  describe(taskId: string): TaskDescription | undefined {
    const config = this.engines.get(taskId)?.config;
    if (!config) return undefined;
    const servers = config.getMcpClientManager()?.servers() ?? [];
    return {
      model: config.getModel(),
      mcpServers: servers.map(({ server: { name }, status }) => ({
        name,
        status,
        tools: config.getMcpToolNames(name),
      })),
      availableTools: config
        .getToolRegistry()
        .getAllTools()
        .map(({ name, description, parameterSchema }) => ({
          name,
          description,
          parameterSchema,
        })),
    };
  }

  evict(taskId: string): Promise<void> {
    return this.drop(taskId);
  }

  async drop(taskId: string, engine = this.engines.get(taskId)): Promise<void> {
    if (this.engines.get(taskId) === engine) this.engines.delete(taskId);
    await engine?.close();
  }

  async close(): Promise<void> {
    clearTimeout(this.timer);
    await Promise.all([...this.engines.keys()].map((taskId) => this.drop(taskId)));
  }

  /** The ones used longest ago first; their tasks continue from what the store keeps. */
  private async closeIdle(): Promise<void> {
    const { maxIdleEngines = MAX_IDLE_ENGINES, idleMs = IDLE_MS } = this.options;
    const idle = [...this.engines].filter(([, { isRunning }]) => !isRunning);
    idle.sort(([, a], [, b]) => b.lastUsed - a.lastUsed);
    const before = performance.now() - idleMs;
    const old = idle.filter(([, { lastUsed }], index) => index >= maxIdleEngines || lastUsed < before);
    clearTimeout(this.timer);
    this.timer = setTimeout(() => void this.closeIdle(), idleMs).unref();
    await Promise.all(old.map(([taskId]) => this.drop(taskId)));
  }
}

export function createTurnRunner(options: TurnRunnerOptions): EngineTurnRunner {
  return new EngineTurnRunner(options);
}

function touched(engine: TaskEngine): TaskEngine {
  engine.lastUsed = performance.now();
  return engine;
}
