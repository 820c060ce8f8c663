/**
 * The runs of a session: starts agents for `invoke_agent`, so many at a time, and keeps those that work on in the
 * background until they report.
 */
import type { z } from 'zod';
import { AgentScheduler } from '../../agent/agent-scheduler.js';
import { wrapUntrusted } from '../../base/untrusted-context.js';
import type { ListedAgent } from '../../prompts/situation.js';
import { MAIN_AGENT } from '../../protocol/agent-events.js';
import { MessageBusType } from '../../protocol/confirmation.js';
import type { SubagentProgress } from '../../protocol/tool-display.js';
import type { AgentCall, AgentCaller, CallableAgent } from '../../tools/invoke-agent/invoke-agent.js';
import { ToolErrorType } from '../../tools/tool-error.js';
import { type ToolResult, toolFailure } from '../../tools/tools.js';
import {
  type AgentDefinition,
  AgentTerminateMode,
  type LocalAgentDefinition,
  type OutputObject,
  type RemoteAgentDefinition,
  type RemoteAgents,
  type SubagentActivityEvent,
} from '../types.js';
import { inputsOf } from './inputs.js';
import type { ExecutorOptions, LocalAgentExecutor } from './local-executor.js';
import type { AgentLoop, RunPorts } from './ports.js';
import { isReadOnlyAgent } from './read-only.js';
import { runRemote } from './remote-run.js';
import { cancelled, displayOf, isFailure, movedAway, reportOf } from './report.js';

/** The agents of the session; `AgentRegistry` is one. */
export interface AgentDirectory {
  getAgent(name: string): AgentDefinition | undefined;
  getAllAgents(): AgentDefinition[];
}

export interface AgentRunsPorts extends RunPorts {
  directory: AgentDirectory;
  maxParallel: () => number;
  /** Steps of a run that the embedding program does, for programs that watch the bus. */
  publishActivity(activity: SubagentActivityEvent): void;
  /** Agents on servers; undefined: none can be called. */
  remote: () => RemoteAgents | undefined;
}

/** A run as lists of tasks show it. */
export interface AgentRunView {
  id: string;
  name: string;
  prompt: string;
  status: 'running' | 'waiting' | 'completed' | 'error' | 'cancelled';
  isBackground: boolean;
  startedAt: number;
  progress: SubagentProgress | undefined;
}

interface Run {
  view: AgentRunView;
  isRemote: boolean;
  controller: AbortController;
  /** Answers the parent's call while the run works on. */
  moveAway: () => void;
  loop: AgentLoop | undefined;
}

/** Ended background runs that lists still show. */
const MAX_ENDED = 20;

export class AgentRuns implements AgentCaller {
  private readonly runs = new Map<string, Run>();
  private readonly registered = new Set<string>();
  private count = 0;
  readonly scheduler: AgentScheduler;

  constructor(private readonly ports: AgentRunsPorts) {
    this.scheduler = new AgentScheduler({
      name: 'main',
      maxParallel: ports.maxParallel,
      now: ports.clock.now,
    });
  }

  find(name: string): CallableAgent | undefined {
    const definition = this.ports.directory.getAgent(name);
    return definition && callable(definition);
  }

  /** As the main model reads them; of agents on servers with what their card says. */
  listed(): ListedAgent[] {
    const remote = this.ports.remote();
    return this.ports.directory.getAllAgents().map((definition) => ({
      name: definition.name,
      description:
        definition.kind === 'remote' && remote ? remote.describe(definition) : definition.description,
    }));
  }

  names(): string[] {
    return this.ports.directory.getAllAgents().map(({ name }) => name);
  }

  async call(call: AgentCall): Promise<ToolResult> {
    const definition = this.ports.directory.getAgent(call.name);
    if (!definition)
      return toolFailure(`There is no agent "${call.name}".`, ToolErrorType.INVALID_TOOL_PARAMS);
    const run = this.open(definition, call);
    const { controller, view } = run;
    const forward = () => {
      if (!view.isBackground) controller.abort(call.signal.reason);
    };
    if (call.signal.aborted) forward();
    call.signal.addEventListener('abort', forward, { once: true });
    const moved = new Promise<ToolResult>((resolve) => {
      run.moveAway = () => resolve(movedAway(view.name, view.id, view.progress));
    });
    const done = this.schedule(definition, call, run).then((result) => this.close(run, result));
    try {
      return await Promise.race([done, moved]);
    } finally {
      call.signal.removeEventListener('abort', forward);
    }
  }

  /** For programs that run a definition themselves. Its tools, policy and ledger are the session's. */
  async executorFor<TOutput extends z.ZodTypeAny = z.ZodUnknown>(
    definition: LocalAgentDefinition<TOutput>,
    options: ExecutorOptions = {},
  ): Promise<LocalAgentExecutor> {
    const { LocalAgentExecutor: Executor } = await import('./local-executor.js');
    return new Executor(definition as unknown as LocalAgentDefinition, this.ports, options);
  }

  /** Runs that work or are kept for lists, oldest first. */
  list(): AgentRunView[] {
    return [...this.runs.values()].map(({ view }) => view);
  }

  /** Answers the calls of all running agents at once; they report later. @returns how many */
  moveToBackground(): number {
    const moving = [...this.runs.values()].filter(
      ({ view }) => !view.isBackground && (view.status === 'running' || view.status === 'waiting'),
    );
    for (const run of moving) {
      run.view.isBackground = true;
      if (run.loop) this.ports.events.emit({ type: 'agent_moved' }, run.loop.ref);
      run.moveAway();
    }
    return moving.length;
  }

  /** @returns false: no such run is running */
  stop(id: string): boolean {
    const run = this.runs.get(id);
    if (!run || !isRunning(run)) return false;
    run.view.status = 'cancelled';
    run.controller.abort();
    return true;
  }

  /** Adds the user's words to a running agent's conversation. @returns false: it is not running */
  say(id: string, text: string): boolean {
    const run = this.runs.get(id);
    if (!run?.loop || !isRunning(run) || text.trim() === '') return false;
    run.loop.client.steering.add(text);
    return true;
  }

  /** Ends all runs. */
  shutdown(): void {
    for (const { controller } of this.runs.values()) controller.abort();
  }

  private open({ name, kind }: AgentDefinition, { prompt }: AgentCall): Run {
    const id = `${name}-${++this.count}`;
    const view: AgentRunView = {
      id,
      name,
      prompt,
      status: 'waiting',
      isBackground: false,
      startedAt: this.ports.clock.now(),
      progress: undefined,
    };
    const run: Run = {
      view,
      isRemote: kind === 'remote',
      controller: new AbortController(),
      moveAway: () => undefined,
      loop: undefined,
    };
    this.runs.set(id, run);
    return run;
  }

  /** Waits for a free place; one failing run does not disturb the others. */
  private async schedule(definition: AgentDefinition, call: AgentCall, run: Run): Promise<ToolResult> {
    const { name } = definition;
    if (!this.registered.has(name)) {
      this.registered.add(name);
      this.scheduler.register({ name, run: async ({ payload }) => (payload as () => Promise<ToolResult>)() });
    }
    const work = () =>
      definition.kind === 'local' ? this.local(definition, call, run) : this.far(definition, call, run);
    const { signal } = run.controller;
    const ended = await this.scheduler.run({ agent: name, payload: work }, signal);
    if (ended.ok) return ended.response.payload as ToolResult;
    if (signal.aborted) return cancelled(name);
    return toolFailure(`The agent "${name}" failed: ${ended.error}`, ToolErrorType.EXECUTION_FAILED);
  }

  private async local(
    definition: Extract<AgentDefinition, { kind: 'local' }>,
    call: AgentCall,
    run: Run,
  ): Promise<ToolResult> {
    const { view, controller } = run;
    const { name } = definition;
    view.status = 'running';
    const ofCall = { ...(call.callId !== undefined && { callId: call.callId }) };
    const onProgress = (progress: SubagentProgress) => {
      view.progress = progress;
      if (!view.isBackground) call.onProgress?.(progress);
    };
    const { runByProgram: work } = definition;
    if (work) {
      const { runByProgram } = await import('./program-run.js');
      const { events, clock, mask } = this.ports;
      const ref = { id: view.id, name, parentId: MAIN_AGENT.id };
      const output = await runByProgram({ ...definition, runByProgram: work }, call.prompt, {
        ...ofCall,
        ref,
        signal: controller.signal,
        events,
        clock,
        mask,
        onProgress,
        onActivity: (activity) => this.ports.publishActivity(activity),
        isBackground: () => view.isBackground,
      });
      return this.report(run, output, { agentId: view.id });
    }
    const { LocalAgentExecutor } = await import('./local-executor.js');
    const executor = new LocalAgentExecutor(definition, this.ports, {
      ...ofCall,
      onProgress,
      onActivity: (activity) => run.loop?.bus.publish({ type: MessageBusType.SUBAGENT_ACTIVITY, activity }),
      onStarted: (loop) => {
        run.loop = loop;
      },
      isBackground: () => view.isBackground,
    });
    call.onProgress?.(executor.progress());
    const output = await executor.run(inputsOf(definition, call.prompt), controller.signal);
    const { leftover, agentId } = executor;
    return this.report(run, output, { agentId, ...(leftover !== undefined && { leftover }) });
  }

  private report(
    { view }: Run,
    output: OutputObject,
    { agentId, leftover }: { agentId: string; leftover?: string },
  ): ToolResult {
    const { name } = view;
    const returnDisplay = displayOf(view.progress, output.result, leftover);
    if (output.terminate_reason === AgentTerminateMode.ABORTED) {
      // A stopped background run reports nothing, but its work must be found again.
      if (leftover && view.isBackground) this.ports.events.notice(`Agent ${name}: ${leftover}`);
      return { ...cancelled(name, leftover), returnDisplay };
    }
    const text = reportOf({ agentName: name, output, ...(leftover !== undefined && { leftover }) });
    const data = { agentId, terminateReason: output.terminate_reason };
    if (isFailure(output)) {
      return { ...toolFailure(text, ToolErrorType.EXECUTION_FAILED), returnDisplay, data };
    }
    return { llmContent: text, returnDisplay, data };
  }

  private async far(
    definition: RemoteAgentDefinition,
    { prompt, onProgress, callId }: AgentCall,
    { view, controller: { signal } }: Run,
  ): Promise<ToolResult> {
    const { events, clock } = this.ports;
    const startedAt = clock.now();
    const ref = { id: view.id, name: view.name, parentId: MAIN_AGENT.id };
    view.status = 'running';
    events.emit({ type: 'agent_started', ...(callId !== undefined && { callId }) }, ref);
    let terminateReason = AgentTerminateMode.ERROR;
    try {
      const result = await runRemote(definition, prompt, {
        remote: this.ports.remote(),
        signal,
        mask: (text) => this.ports.mask(text),
        onProgress: (progress) => {
          view.progress = progress;
          if (!view.isBackground) onProgress?.(progress);
        },
      });
      if (!result.error) terminateReason = AgentTerminateMode.GOAL;
      return result;
    } finally {
      if (signal.aborted) terminateReason = AgentTerminateMode.ABORTED;
      const durationMs = clock.now() - startedAt;
      const { isBackground } = view;
      events.emit({ type: 'agent_finished', terminateReason, turnCount: 1, durationMs, isBackground }, ref);
    }
  }

  /** A run in the background reports as a message. */
  private close(run: Run, result: ToolResult): ToolResult {
    const { view, controller } = run;
    view.status = controller.signal.aborted ? 'cancelled' : result.error ? 'error' : 'completed';
    if (!view.isBackground) {
      this.runs.delete(view.id);
      return result;
    }
    const ended = [...this.runs.values()].filter((other) => !isRunning(other));
    for (const old of ended.slice(0, Math.max(0, ended.length - MAX_ENDED))) this.runs.delete(old.view.id);
    if (view.status !== 'cancelled') {
      const report =
        typeof result.llmContent === 'string' ? result.llmContent : (result.error?.message ?? '');
      // As a message of its own it could pose as words of the user. Those of servers are marked already.
      const marked = run.isRemote ? report : wrapUntrusted(report);
      const text = `The agent ${view.name}, which worked in the background, has ended.\n${marked}`;
      this.ports.events.emit({ type: 'background_completed', kind: 'inject', text });
    }
    return result;
  }
}

function isRunning({ view: { status } }: Run): boolean {
  return status === 'running' || status === 'waiting';
}

function callable(definition: AgentDefinition): CallableAgent {
  const { name, displayName, kind } = definition;
  return {
    name,
    ...(displayName !== undefined && { displayName }),
    isRemote: kind === 'remote',
    isReadOnly: kind === 'local' && isReadOnlyAgent(definition),
  };
}
