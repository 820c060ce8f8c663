/** Runs one agent of this process to its end: its own conversation, tools, limits and transcript. */
import { FatalTurnLimitedError, messageOf } from '../../base/errors.js';
import { createLog } from '../../platform/log.js';
import {
  type AgentEvent,
  type AgentRef,
  MAIN_AGENT,
  type TurnEndReason,
} from '../../protocol/agent-events.js';
import type { Message, Part } from '../../protocol/messages.js';
import type { SubagentProgress } from '../../protocol/tool-display.js';
import { CompleteTaskTool } from '../../tools/complete-task/complete-task.js';
import { RecallTurnTool } from '../../tools/recall-turn/recall-turn.js';
import { SearchToolsTool } from '../../tools/search-tools/search-tools.js';
import {
  type AgentConversation,
  type AgentInputs,
  type AgentRunTools,
  AgentTerminateMode,
  type LocalAgentDefinition,
  type OutputObject,
  type SubagentActivityEvent,
} from '../types.js';
import { AgentActivity } from './agent-activity.js';
import { recoveryPrompt, systemPromptOf } from './agent-prompt.js';
import { checkInputs, queryOf } from './inputs.js';
import type { AgentLoop, RunFolder, RunPorts } from './ports.js';
import { RunClock } from './run-clock.js';
import { closeAll, openRunTools } from './run-tools.js';
import { type TaskResult, taskResultOf } from './task-output.js';
import { namedTools, restrictTools } from './tool-view.js';

const log = createLog('agents');

const GRACE_PERIOD_MS = 60_000;
const MINUTE_MS = 60_000;
const { GOAL, MAX_TURNS, TIMEOUT, ABORTED, ERROR, ERROR_NO_COMPLETE_TASK_CALL } = AgentTerminateMode;

export interface ExecutorOptions {
  /** The parent's call. */
  callId?: string;
  onActivity?: (event: SubagentActivityEvent) => void;
  onProgress?: (progress: SubagentProgress) => void;
  /** Called when the agent can be spoken to. */
  onStarted?: (loop: AgentLoop, agentId: string) => void;
  isBackground?: () => boolean;
}

/** How one request to the model and its tools ended. */
interface Ended {
  reason: TurnEndReason;
  /** The text of the last model turn. */
  text: string;
  problem?: string;
}

export class LocalAgentExecutor {
  readonly agentId: string;
  /** What remains of its work, e.g. a worktree; for the report. */
  leftover: string | undefined;
  private readonly activity: AgentActivity;
  private turns = 0;

  constructor(
    private definition: LocalAgentDefinition,
    private readonly ports: RunPorts,
    private readonly options: ExecutorOptions = {},
  ) {
    this.agentId = `${definition.name}-${ports.newId()}`;
    this.activity = new AgentActivity({
      agentName: definition.name,
      agentId: this.agentId,
      mask: (value) => ports.mask(value),
      onActivity: options.onActivity,
      onProgress: options.onProgress,
    });
  }

  /** Never throws: what went wrong is the result. */
  async run(inputs: AgentInputs, signal: AbortSignal): Promise<OutputObject> {
    const startedAt = this.ports.clock.now();
    const ended = await this.attempt(inputs, signal);
    const output = { ...ended, turn_count: this.turns, duration_ms: this.ports.clock.now() - startedAt };
    this.activity.finished(output);
    return output;
  }

  /** The state of the run, for front ends that show it. */
  progress(state?: SubagentProgress['state']): SubagentProgress {
    return this.activity.progress(state);
  }

  private async attempt(
    inputs: AgentInputs,
    signal: AbortSignal,
  ): Promise<Pick<OutputObject, 'result' | 'terminate_reason'>> {
    const { ports } = this;
    const startedAt = ports.clock.now();
    let folder: RunFolder | undefined;
    let loop: AgentLoop | undefined;
    let opened: AgentRunTools[] = [];
    let terminate_reason = ERROR;
    try {
      const definition = await this.load(inputs, signal);
      checkInputs(definition, inputs);
      if (definition.isolation === 'worktree') folder = await ports.openFolder?.(definition, this.agentId);
      const task = await taskResultOf(definition);
      const composed = await this.compose(inputs, task, folder);
      loop = composed.loop;
      this.announce(loop.ref);
      opened = await openRunTools(definition, ports, { loop, signal });
      this.options.onStarted?.(loop, this.agentId);
      const ended = await this.work(composed, inputs, task, signal);
      terminate_reason = ended.terminate_reason;
      return ended;
    } catch (error) {
      if (signal.aborted) terminate_reason = ABORTED;
      else log.error(`agent ${this.definition.name} failed`, error);
      return { result: signal.aborted ? CANCELLED : messageOf(error), terminate_reason };
    } finally {
      const durationMs = ports.clock.now() - startedAt;
      const isBackground = this.options.isBackground?.() ?? false;
      const turnCount = this.turns;
      const ref = loop?.ref ?? { id: this.agentId, name: this.definition.name, parentId: MAIN_AGENT.id };
      if (!loop) this.announce(ref);
      ports.events.emit(
        { type: 'agent_finished', terminateReason: terminate_reason, turnCount, durationMs, isBackground },
        ref,
      );
      await this.close(loop, opened, folder);
    }
  }

  /** The definition with the parts that are read when a run begins. */
  private async load(inputs: AgentInputs, signal: AbortSignal): Promise<LocalAgentDefinition> {
    const parts = await this.definition.load?.(inputs, signal);
    if (parts) this.definition = { ...this.definition, ...parts };
    return this.definition;
  }

  private async compose(inputs: AgentInputs, task: TaskResult, folder: RunFolder | undefined) {
    const { definition, ports, agentId } = this;
    const { name, runConfig, beforeTurn } = definition;
    const { model, settings } = await ports.modelFor(definition);
    const facts = await ports.facts(definition, model.model, folder);
    const bounds = { ...(runConfig.maxTurns !== undefined && { maxTurns: runConfig.maxTurns }) };
    const transcript = ports.transcript({ agentId, agentName: name, ...this.ofCall() });
    const system = systemPromptOf(definition, inputs, facts);
    const scene = { agentName: name };
    let loop: AgentLoop | undefined;
    loop = await ports.compose(
      {
        name,
        model,
        settings,
        systemInstruction: () => system,
        registerTools: (registry, bus, context) => {
          ports.registerTools(registry, bus, namedTools(definition) ?? [], folder);
          restrictTools(registry, definition, ports.agentNames());
          registry.registerTool(new SearchToolsTool(registry, bus));
          registry.registerTool(new RecallTurnTool(context, bus), () => context.hasArchive());
          registry.registerTool(new CompleteTaskTool(task, bus));
        },
        bounds,
        finalAnswerCheck: task,
        ...(facts.projectMemory && { opening: async () => facts.projectMemory }),
        ...(beforeTurn && {
          beforeTurn: async (turn: number, signal: AbortSignal, next: Message) => {
            if (loop)
              await beforeTurn({
                ...scene,
                bus: loop.bus,
                signal,
                turn,
                conversation: conversationOf(loop, next),
              });
          },
        }),
        ...(transcript && { recording: transcript.service }),
      },
      folder,
    );
    transcript?.attach(loop);
    this.closeTranscript = () => transcript?.close();
    return { loop, bounds };
  }

  private closeTranscript: () => void = () => undefined;

  private async work(
    { loop, bounds }: { loop: AgentLoop; bounds: { maxTurns?: number } },
    inputs: AgentInputs,
    task: TaskResult,
    signal: AbortSignal,
  ): Promise<Pick<OutputObject, 'result' | 'terminate_reason'>> {
    const { definition, ports } = this;
    const { promptConfig, runConfig } = definition;
    await this.addExamples(loop);
    const stopHints = ports.hints.subscribe((text) => loop.client.steering.add(text));
    try {
      const hints = ports.hints.pending().map((text): Part => ({ text: `The user adds: ${text}\n\n` }));
      const message = [...hints, { text: queryOf(promptConfig, inputs) }];
      const limitMs = runConfig.maxTimeMinutes * MINUTE_MS;
      const ended = await this.follow(loop, message, { signal, limitMs });
      if (task.text !== undefined) return { result: task.text, terminate_reason: GOAL };
      const reason = ended.isOutOfTime ? TIMEOUT : reasonOf(ended, signal);
      if (reason === ABORTED) return { result: CANCELLED, terminate_reason: reason };
      if (reason === ERROR)
        return { result: ended.problem ?? `The run ended: ${ended.reason}.`, terminate_reason: reason };
      bounds.maxTurns = this.turns + 1;
      return await this.recover(loop, task, { reason, text: ended.text, signal });
    } finally {
      stopHints();
    }
  }

  /** One more turn in which the agent can only report. */
  private async recover(
    loop: AgentLoop,
    task: TaskResult,
    { reason, text, signal }: { reason: AgentTerminateMode; text: string; signal: AbortSignal },
  ): Promise<Pick<OutputObject, 'result' | 'terminate_reason'>> {
    const { clock, events } = this.ports;
    for (const name of loop.tools.getAllToolNames())
      if (name !== CompleteTaskTool.Name) loop.tools.unregisterTool(name);
    const startedAt = clock.now();
    const why = this.explain(reason);
    const ended = await this.follow(loop, [{ text: recoveryPrompt(why) }], {
      signal,
      limitMs: GRACE_PERIOD_MS,
    });
    const success = task.text !== undefined;
    events.emit(
      {
        type: 'agent_recovery',
        reason,
        success,
        durationMs: clock.now() - startedAt,
        turnCount: this.turns,
      },
      loop.ref,
    );
    if (task.text !== undefined) return { result: task.text, terminate_reason: GOAL };
    if (signal.aborted) return { result: CANCELLED, terminate_reason: ABORTED };
    const said = ended.text.trim() || text.trim();
    return { result: said || `The agent reported nothing: ${why}.`, terminate_reason: reason };
  }

  private explain(reason: AgentTerminateMode): string {
    const { maxTimeMinutes, maxTurns } = this.definition.runConfig;
    if (reason === MAX_TURNS) return `the limit of ${maxTurns} turns is reached`;
    if (reason === TIMEOUT) return `the limit of ${maxTimeMinutes} minutes is reached`;
    return 'the last turn called no tool';
  }

  /** Sends one message and follows it to its end. Time in which the user is asked does not count. */
  private async follow(
    loop: AgentLoop,
    message: Part[],
    { signal, limitMs }: { signal: AbortSignal; limitMs: number },
  ): Promise<Ended & { isOutOfTime: boolean }> {
    const clock = new RunClock(this.ports.clock, limitMs);
    const ended: Ended = { reason: 'completed', text: '' };
    try {
      const both = AbortSignal.any([signal, clock.signal]);
      for await (const event of loop.session.send(message, { signal: both })) this.see(event, ended, clock);
    } finally {
      clock.stop();
    }
    return { ...ended, isOutOfTime: clock.signal.aborted && !signal.aborted };
  }

  private see(event: AgentEvent, ended: Ended, clock: RunClock): void {
    switch (event.type) {
      case 'model_turn_started':
        this.turns++;
        ended.text = '';
        break;
      case 'content':
        ended.text += event.text;
        break;
      case 'tool_status':
        if (event.status === 'awaiting_approval') clock.pause(event.callId);
        else clock.resume(event.callId);
        break;
      case 'tool_finished':
        clock.resume(event.call.request.callId);
        break;
      case 'warning':
        ended.problem = event.message;
        break;
      case 'turn_finished':
        ended.reason = event.reason;
        if (event.error) ended.problem = event.error.message;
        break;
    }
    if (event.type !== 'error' || event.error.type !== FatalTurnLimitedError.type)
      this.activity.observe(event);
  }

  private async addExamples(loop: AgentLoop): Promise<void> {
    const { initialMessages = [] } = this.definition.promptConfig;
    if (initialMessages.length === 0) return;
    await loop.client.initialize();
    for (const { role, parts } of initialMessages)
      loop.client
        .getChat()
        .addHistory(
          role === 'model' ? { role, origin: 'model', parts } : { role: 'user', origin: 'context', parts },
        );
  }

  private announce(ref: AgentRef): void {
    this.ports.events.emit({ type: 'agent_started', agentId: this.agentId, ...this.ofCall() }, ref);
  }

  private ofCall(): { callId?: string } {
    const { callId } = this.options;
    return callId === undefined ? {} : { callId };
  }

  private async close(
    loop: AgentLoop | undefined,
    opened: readonly AgentRunTools[],
    folder: RunFolder | undefined,
  ): Promise<void> {
    loop?.close();
    this.closeTranscript();
    await closeAll(opened);
    try {
      this.leftover = await folder?.close();
    } catch (error) {
      this.leftover = `Its work is in ${folder?.path}.`;
      log.error('worktree not closed', error);
    }
  }
}

function conversationOf({ client }: AgentLoop, next: Message): AgentConversation {
  return {
    next,
    read: () => client.getChat().getHistory(),
    replace: (history) => client.getChat().setHistory(history),
  };
}

const CANCELLED = 'The agent was cancelled.';

function reasonOf({ reason }: Ended, signal: AbortSignal): AgentTerminateMode {
  if (signal.aborted || reason === 'cancelled') return ABORTED;
  if (reason === 'max_turns') return MAX_TURNS;
  return reason === 'completed' ? ERROR_NO_COMPLETE_TASK_CALL : ERROR;
}
