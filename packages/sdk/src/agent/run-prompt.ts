/** One prompt: the engine's events in, the program's events out, and the result at the end. */
import {
  type AgentEvent,
  type Config,
  type ErrorInfo,
  emptyMetrics,
  isMainAgent,
  MessageBusType,
  recordMetrics,
  type StreamJsonBody,
  streamItem,
  streamJsonEnd,
  streamJsonOf,
  streamJsonOfAgent,
  type TurnEndReason,
  toStreamStats,
} from '@gemini-cli/core';
import type { Part } from '@gemini-cli/core/protocol';
import { EventMapper } from '../events/from-engine.js';
import type {
  AgentStreamEvent,
  FinishReason,
  SendResult,
  StreamJsonItem,
  ToolCallSummary,
} from '../events/types.js';
import type { SendOptions } from './prompt.js';
import type { Opened } from './session-engine.js';

type Item = AgentStreamEvent | StreamJsonItem;

/** What is known of a prompt while it runs. */
interface Progress {
  text: string;
  turns: number;
  toolCalls: ToolCallSummary[];
  reason: TurnEndReason;
  error?: ErrorInfo | undefined;
  isOverTurns: boolean;
}

/** Never throws what the engine reports: `error` is set. */
export async function* runPrompt(
  opened: Opened,
  parts: Part[],
  { format = 'events', maxTurns }: SendOptions,
  controller: AbortController,
): AsyncGenerator<Item, { result: SendResult; error?: ErrorInfo | undefined }, undefined> {
  const { config } = opened;
  // The global `performance` would be loaded for it.
  const startedAt = process.uptime();
  const metrics = emptyMetrics();
  const progress: Progress = { text: '', turns: 0, toolCalls: [], reason: 'cancelled', isOverTurns: false };
  const mapper = new EventMapper(() => !hasConversation(config));
  const activities: AgentStreamEvent[] = [];
  const isJson = format === 'stream-json';
  const json = (body: StreamJsonBody | undefined): Item[] => (body ? [streamItem(body)] : []);
  const stopWatching = config
    .getMessageBus()
    .subscribe(MessageBusType.SUBAGENT_ACTIVITY, ({ activity }) =>
      activities.push({ type: 'subagent_activity', value: activity }),
    );
  const early = opened.takeNotices();
  try {
    if (isJson) {
      yield* json({ type: 'init', session_id: config.getSessionId(), model: config.getModel() });
      yield* json({ type: 'message', role: 'user', content: textOf(parts) });
    } else for (const message of early) yield { type: 'warning', value: { message } };
    for await (const event of config.getSession().send(parts, { signal: controller.signal })) {
      recordMetrics(metrics, event);
      const isMain = isMainAgent(event.agent);
      if (isMain) observe(progress, event);
      if (isMain && maxTurns !== undefined && progress.turns > maxTurns && !progress.isOverTurns) {
        progress.isOverTurns = true;
        controller.abort();
      }
      if (isJson) yield* json(isMain ? streamJsonOf(event) : streamJsonOfAgent(event));
      else {
        yield* activities.splice(0);
        if (isMain) yield* mapper.map(withLimit(event, progress));
      }
    }
    const error = progress.isOverTurns ? undefined : progress.error;
    const stats = toStreamStats(metrics, Math.round((process.uptime() - startedAt) * 1000));
    if (isJson) for (const body of streamJsonEnd(error, stats)) yield* json(body);
    return {
      error,
      result: {
        text: progress.text,
        sessionId: config.getSessionId(),
        stats,
        finishReason: progress.isOverTurns ? 'max_turns' : FINISH[progress.reason],
        toolCalls: progress.toolCalls,
      },
    };
  } finally {
    stopWatching();
    opened.takeNotices();
  }
}

function hasConversation(config: Config): boolean {
  const client = config.getGeminiClient();
  if (!client.isInitialized()) return false;
  return client
    .getChat()
    .getHistory()
    .some(({ origin }) => origin !== 'context');
}

const FINISH: Readonly<Record<TurnEndReason, FinishReason>> = {
  completed: 'stop',
  cancelled: 'cancelled',
  error: 'error',
  max_turns: 'max_turns',
  budget: 'error',
  stopped: 'stopped_by_hook',
  blocked: 'blocked',
};

function observe(progress: Progress, event: AgentEvent): void {
  switch (event.type) {
    case 'model_turn_started':
      progress.turns++;
      progress.text = '';
      break;
    case 'content':
      progress.text += event.text;
      break;
    case 'retry':
      if (event.discardsOutput) progress.text = '';
      break;
    case 'tool_finished': {
      const { request, status, durationMs, response } = event.call;
      const { callId, name, args } = request;
      const error = response.error?.message;
      progress.toolCalls.push({
        callId,
        name,
        args,
        status,
        durationMs,
        ...(error !== undefined && { error }),
      });
      break;
    }
    case 'turn_finished':
      progress.reason = event.reason;
      // The session's own limit of turns is a result, not a failure.
      if (event.reason !== 'cancelled' && event.reason !== 'max_turns') progress.error = event.error;
      break;
  }
}

function withLimit(event: AgentEvent, { isOverTurns }: Progress): AgentEvent {
  if (event.type !== 'turn_finished' || !isOverTurns) return event;
  return { ...event, reason: 'max_turns' };
}

function textOf(parts: readonly Part[]): string {
  return parts.map(({ text }) => text ?? '').join('');
}
