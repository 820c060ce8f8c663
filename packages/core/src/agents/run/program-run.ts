/** One run of an agent whose work the embedding program does: events and a report as of any other run. */
import { messageOf } from '../../base/errors.js';
import type { EventStream } from '../../bus/event-stream.js';
import type { Clock } from '../../platform/clock.js';
import type { AgentRef } from '../../protocol/agent-events.js';
import type { SubagentProgress } from '../../protocol/tool-display.js';
import {
  AgentTerminateMode,
  type LocalAgentDefinition,
  type OutputObject,
  type ProgramWork,
  type SubagentActivityEvent,
} from '../types.js';
import { AgentActivity } from './agent-activity.js';

export interface ProgramRunOptions {
  ref: AgentRef;
  callId?: string;
  signal: AbortSignal;
  events: EventStream;
  clock: Clock;
  mask<T>(value: T): T;
  onActivity(event: SubagentActivityEvent): void;
  onProgress(progress: SubagentProgress): void;
  isBackground(): boolean;
}

/** Never throws: what went wrong is the result. */
export async function runByProgram(
  { name, runByProgram: work }: LocalAgentDefinition & { runByProgram: WorkOfProgram },
  prompt: string,
  options: ProgramRunOptions,
): Promise<OutputObject> {
  const { ref, callId, signal, events, clock, mask, onActivity, onProgress } = options;
  const activity = new AgentActivity({ agentName: name, agentId: ref.id, mask, onActivity, onProgress });
  const startedAt = clock.now();
  let turns = 0;
  events.emit({ type: 'agent_started', agentId: ref.id, ...(callId !== undefined && { callId }) }, ref);
  const ended: Pick<OutputObject, 'result' | 'terminate_reason'> = await work({
    prompt,
    runId: ref.id,
    signal,
    onEvent: (event) => {
      if (event.type === 'model_turn_started') turns++;
      activity.observe(event);
      events.emit(event, ref);
    },
  }).then(
    (result) => ({ result, terminate_reason: AgentTerminateMode.GOAL }),
    (error: unknown) => ({
      result: messageOf(error),
      terminate_reason: signal.aborted ? AgentTerminateMode.ABORTED : AgentTerminateMode.ERROR,
    }),
  );
  const durationMs = clock.now() - startedAt;
  const output = { ...ended, turn_count: turns, duration_ms: durationMs };
  activity.finished(output);
  const terminateReason = ended.terminate_reason;
  events.emit(
    {
      type: 'agent_finished',
      terminateReason,
      turnCount: turns,
      durationMs,
      isBackground: options.isBackground(),
    },
    ref,
  );
  return output;
}

type WorkOfProgram = (work: ProgramWork) => Promise<string>;
