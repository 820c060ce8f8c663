/** Coordinates several agents: registers them, picks one per request, orders their work and collects results. */
import { Slots } from '../base/concurrency.js';
import { messageOf } from '../base/errors.js';
import { randomUuid } from '../platform/random.js';
import type { AgentMessage } from '../protocol/agent-message.js';

/** An agent as it registers: a loop of this engine, or a server elsewhere. */
export interface SchedulableAgent {
  name: string;
  version?: string;
  /** What it can be asked for, as keywords that requests name. */
  capabilities?: readonly string[];
  run(request: AgentMessage, signal: AbortSignal): Promise<unknown>;
}

export interface AgentInfo {
  name: string;
  version?: string;
  capabilities: readonly string[];
  status: 'idle' | 'running';
}

/** A task names its agent, or a capability the agent must have. */
export type AgentTask = { payload: unknown } & (
  | { agent: string; capability?: undefined }
  | { capability: string; agent?: undefined }
);

export type AgentTaskResult =
  | { agent: string; ok: true; response: AgentMessage }
  | { agent: string; ok: false; error: string };

export interface AgentSchedulerOptions {
  /** The sender named in requests. */
  name?: string;
  /** Of all tasks together; default 4. A function is asked each time. */
  maxParallel?: number | (() => number);
  now?: () => number;
}

const MAX_PARALLEL = 4;

export class AgentScheduler {
  private readonly agents = new Map<string, SchedulableAgent>();
  private readonly running = new Map<string, number>();
  private readonly slots: Slots;

  constructor(private readonly options: AgentSchedulerOptions = {}) {
    const { maxParallel = MAX_PARALLEL } = options;
    this.slots = new Slots(typeof maxParallel === 'function' ? maxParallel : () => maxParallel);
  }

  /** @returns a function that removes it. @throws when the name is taken */
  register(agent: SchedulableAgent): () => void {
    if (this.agents.has(agent.name)) throw new Error(`An agent "${agent.name}" is registered already.`);
    this.agents.set(agent.name, agent);
    return () => void this.agents.delete(agent.name);
  }

  getAgents(): AgentInfo[] {
    return [...this.agents.values()].map(({ name, version, capabilities = [] }) => ({
      name,
      ...(version !== undefined && { version }),
      capabilities,
      status: this.running.has(name) ? 'running' : 'idle',
    }));
  }

  /** One task, as soon as there is a free place. */
  run(task: AgentTask, signal: AbortSignal): Promise<AgentTaskResult> {
    return this.runOne(task, signal);
  }

  /** One after another. A task that fails does not stop the next; the signal does. */
  async sequential(tasks: readonly AgentTask[], signal: AbortSignal): Promise<AgentTaskResult[]> {
    return this.runAll(tasks, 1, signal);
  }

  /** Side by side, as many as the limit allows. The results are in the order of the tasks. */
  async parallel(tasks: readonly AgentTask[], signal: AbortSignal): Promise<AgentTaskResult[]> {
    return this.runAll(tasks, tasks.length, signal);
  }

  /** Splits the results into successes and failures. */
  aggregate(results: readonly AgentTaskResult[]): {
    payloads: unknown[];
    failures: { agent: string; error: string }[];
  } {
    return {
      payloads: results.flatMap((result) => (result.ok ? [result.response.payload] : [])),
      failures: results.flatMap((result) =>
        result.ok ? [] : [{ agent: result.agent, error: result.error }],
      ),
    };
  }

  private async runAll(
    tasks: readonly AgentTask[],
    limit: number,
    signal: AbortSignal,
  ): Promise<AgentTaskResult[]> {
    const results: AgentTaskResult[] = [];
    const waiting = tasks.entries();
    const worker = async () => {
      for (const [index, task] of waiting) results[index] = await this.runOne(task, signal);
    };
    await Promise.all(Array.from({ length: Math.min(limit, tasks.length) }, worker));
    return results;
  }

  private async runOne(task: AgentTask, signal: AbortSignal): Promise<AgentTaskResult> {
    const agent = this.find(task);
    if (!agent) {
      const wanted = task.agent ?? task.capability;
      return { agent: wanted, ok: false, error: `No registered agent fits "${wanted}".` };
    }
    const { name } = agent;
    const { name: sender = 'scheduler' } = this.options;
    try {
      const release = await this.slots.take(signal);
      this.count(name, 1);
      try {
        const payload = await agent.run(this.message('request', sender, name, task.payload), signal);
        return { agent: name, ok: true, response: this.message('response', name, sender, payload) };
      } finally {
        this.count(name, -1);
        release();
      }
    } catch (error) {
      return { agent: name, ok: false, error: messageOf(error) };
    }
  }

  /** Prefers an idle agent among several that fit. */
  private find({ agent, capability }: AgentTask): SchedulableAgent | undefined {
    if (agent !== undefined) return this.agents.get(agent);
    const fitting = [...this.agents.values()].filter(({ capabilities }) =>
      capabilities?.includes(capability),
    );
    return fitting.find(({ name }) => !this.running.has(name)) ?? fitting[0];
  }

  private count(name: string, change: 1 | -1): void {
    const count = (this.running.get(name) ?? 0) + change;
    if (count === 0) this.running.delete(name);
    else this.running.set(name, count);
  }

  private message(
    type: AgentMessage['type'],
    sender: string,
    receiver: string,
    payload: unknown,
  ): AgentMessage {
    const timestamp = (this.options.now ?? Date.now)();
    return { id: randomUuid(), type, sender, receiver, payload, timestamp };
  }
}
