/** Records the runs of agents other than the main one. */
import type { AgentEventBody, AgentRef } from '../../protocol/agent-events.js';
import { textOf } from '../../protocol/messages.js';
import type { Traces } from '../export/traces.js';
import { JsonText, type SpanContext, type TelemetryRecorder } from '../record.js';

export interface AgentRunOptions {
  recorder: TelemetryRecorder;
  traces: Traces;
  now: () => number;
  /** The span of the main agent's current request. */
  mainSpan: () => SpanContext | undefined;
}

type TurnStarted = Extract<AgentEventBody, { type: 'turn_started' }>;
type RunEnd = Pick<
  Extract<AgentEventBody, { type: 'agent_finished' }>,
  'terminateReason' | 'turnCount' | 'durationMs'
>;

interface Run {
  promptId: string;
  model: string;
  task: string;
  answer: string;
  context: SpanContext;
  /** Absent: it runs in the background. */
  parent: SpanContext | undefined;
  startMs: number;
  turns: number;
  /** True: `agent_finished` tells the end; a run may take several requests. */
  isManaged: boolean;
}

export class AgentRunObserver {
  private readonly runs = new Map<string, Run>();
  private readonly managed = new Set<string>();

  constructor(private readonly options: AgentRunOptions) {}

  handle(event: AgentEventBody, agent: AgentRef): void {
    const run = this.runs.get(agent.id);
    switch (event.type) {
      case 'agent_started':
        this.managed.add(agent.id);
        break;
      case 'agent_recovery':
        this.recordRecovery(event, agent, run);
        break;
      case 'agent_finished':
        this.managed.delete(agent.id);
        if (run) this.end(agent, run, event.terminateReason, undefined);
        else this.recordUnbegun(event, agent);
        break;
      case 'turn_started':
        if (!run) this.begin(event, agent);
        break;
      case 'model_turn_started':
        if (run) run.turns++;
        break;
      case 'content':
        if (run) run.answer += event.text;
        break;
      case 'turn_finished':
        if (run && !run.isManaged) this.end(agent, run, event.reason, event.error?.message);
        break;
    }
  }

  private begin({ promptId, model, parts }: TurnStarted, agent: AgentRef): void {
    const { recorder, traces, now } = this.options;
    const parent = this.spanOf(agent.parentId);
    const context = traces.open(promptId, parent);
    this.runs.set(agent.id, {
      promptId,
      model,
      task: textOf(parts),
      answer: '',
      context,
      parent,
      startMs: now(),
      turns: 0,
      isManaged: this.managed.has(agent.id),
    });
    recorder.event('gemini_cli.agent.start', { agent_id: agent.id, agent_name: agent.name }, context);
  }

  /** It failed before its first request, e.g. its model does not exist. */
  private recordUnbegun(event: Extract<AgentEventBody, { type: 'agent_finished' }>, agent: AgentRef): void {
    const { recorder } = this.options;
    recorder.event('gemini_cli.agent.start', { agent_id: agent.id, agent_name: agent.name });
    this.recordEnd(agent, event, undefined);
  }

  private recordRecovery(
    event: Extract<AgentEventBody, { type: 'agent_recovery' }>,
    { id, name }: AgentRef,
    run: Run | undefined,
  ): void {
    const { recorder } = this.options;
    const { reason, success, durationMs, turnCount } = event;
    const agent = { agent_name: name };
    recorder.event(
      'gemini_cli.agent.recovery_attempt',
      { agent_id: id, ...agent, reason, duration_ms: durationMs, success, turn_count: turnCount },
      run?.context,
    );
    recorder.count('gemini_cli.agent.recovery_attempt.count', 1, { ...agent, reason, success });
    recorder.histogram('gemini_cli.agent.recovery_attempt.duration', durationMs, agent);
  }

  private spanOf(agentId: string | undefined): SpanContext | undefined {
    if (agentId === undefined) return undefined;
    return this.runs.get(agentId)?.context ?? this.options.mainSpan();
  }

  private end(agent: AgentRef, run: Run, reason: string, problem: string | undefined): void {
    this.runs.delete(agent.id);
    const { recorder, traces, now } = this.options;
    const { context, startMs, turns, promptId } = run;
    const endMs = now();
    traces.close(promptId);
    const ended = { durationMs: endMs - startMs, turnCount: turns, terminateReason: reason };
    this.recordEnd(agent, ended, context);
    recorder.span({
      name: 'agent_call',
      context,
      parent: run.parent,
      startMs,
      endMs,
      attributes: {
        'gen_ai.prompt.name': promptId,
        'gen_ai.request.model': run.model,
        'gen_ai.input.messages': new JsonText(() => run.task),
        'gen_ai.output.messages': new JsonText(() => run.answer),
      },
      ...(!GOOD_ENDS.has(reason) && { error: problem ?? reason }),
    });
  }

  private recordEnd(
    { id, name }: AgentRef,
    { durationMs, turnCount, terminateReason }: RunEnd,
    context: SpanContext | undefined,
  ): void {
    const { recorder } = this.options;
    const agent = { agent_name: name };
    const end = { duration_ms: durationMs, turn_count: turnCount, terminate_reason: terminateReason };
    recorder.event('gemini_cli.agent.finish', { agent_id: id, ...agent, ...end }, context);
    recorder.count('gemini_cli.agent.run.count', 1, { ...agent, terminate_reason: terminateReason });
    recorder.histogram('gemini_cli.agent.duration', durationMs, agent);
    recorder.histogram('gemini_cli.agent.turns', turnCount, agent);
  }
}

const GOOD_ENDS: ReadonlySet<string> = new Set(['completed', 'GOAL']);
