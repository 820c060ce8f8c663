/** One conversation: messages in, events out, one request at a time. Every front end is a client of this. */

import { FatalBudgetError, FatalTurnLimitedError } from '../base/errors.js';
import { createLog } from '../platform/log.js';
import type { AgentEvent, TurnEndReason } from '../protocol/agent-events.js';
import { type Part, type PartListUnion, toParts } from '../protocol/messages.js';
import { toErrorInfo } from './error-info.js';
import { asAuthenticationError, type GeminiClient, StopExecution } from './gemini-client.js';
import type { ProposedCall } from './proposed-call.js';

const log = createLog('session');

export interface SessionHost {
  getSessionId(): string;
  getModel(): string;
}

export class AgentSession {
  private readonly listeners = new Set<(event: AgentEvent) => void>();
  private current: AbortController | undefined;
  private prompts = 0;
  /** What happened beside the conversation and is told with its next event. */
  private readonly asides: AgentEvent[] = [];

  constructor(
    private readonly host: SessionHost,
    private readonly client: GeminiClient,
  ) {}

  /** Every event of every request, for those who only watch. */
  subscribe(listener: (event: AgentEvent) => void): () => void {
    this.listeners.add(listener);
    return () => this.listeners.delete(listener);
  }

  /** Something beside the conversation, e.g. the tokens of a small call. */
  note(event: AgentEvent): void {
    this.asides.push(event);
  }

  /** Cancels the running request: model call, tools and their children. */
  abort(): void {
    this.current?.abort();
  }

  get isBusy(): boolean {
    return this.current !== undefined;
  }

  /**
   * Sends one user message and yields what happens, from `turn_started` to `turn_finished`. Never throws for
   * what the model, the network or a tool did: that is an `error` event.
   */
  send(message: PartListUnion, options: { signal?: AbortSignal } = {}): AsyncGenerator<AgentEvent> {
    return this.request(toParts(message), options);
  }

  /** Proposes a call of the history again (`/restore`): it is decided like any other, and the model goes on after it. */
  propose(call: ProposedCall, options: { signal?: AbortSignal } = {}): AsyncGenerator<AgentEvent> {
    return this.request([], { ...options, call });
  }

  private async *request(
    parts: Part[],
    options: { signal?: AbortSignal; call?: ProposedCall },
  ): AsyncGenerator<AgentEvent> {
    if (this.current) throw new Error('A request is running; wait for it or abort() it first.');
    const controller = new AbortController();
    const { signal } = controller;
    this.current = controller;
    const forward = () => controller.abort();
    if (options.signal?.aborted) forward();
    options.signal?.addEventListener('abort', forward, { once: true });
    const sessionId = this.host.getSessionId();
    const promptId = `${sessionId}########${this.prompts++}`;
    try {
      yield this.tell({ type: 'turn_started', sessionId, promptId, model: this.host.getModel(), parts });
      for await (const event of this.client.run(parts, {
        signal,
        promptId,
        ...callsOf(options.call, promptId),
      })) {
        if (this.asides.length > 0) yield* this.tellAsides();
        yield this.tell(event);
      }
      yield* this.tellAsides();
      yield this.tell({ type: 'turn_finished', reason: signal.aborted ? 'cancelled' : 'completed' });
    } catch (error) {
      yield* this.tellAsides();
      for (const event of endOf(error, signal)) yield this.tell(event);
    } finally {
      options.signal?.removeEventListener('abort', forward);
      this.current = undefined;
      controller.abort();
    }
  }

  private *tellAsides(): Generator<AgentEvent> {
    for (const event of this.asides.splice(0)) yield this.tell(event);
  }

  private tell(event: AgentEvent): AgentEvent {
    for (const listener of this.listeners) listener(event);
    return event;
  }
}

function callsOf(call: ProposedCall | undefined, promptId: string) {
  return call && { calls: [{ ...call, promptId }] };
}

/** The last events of a request that did not come to its end by itself. */
function endOf(thrown: unknown, signal: AbortSignal): AgentEvent[] {
  if (signal.aborted) return [{ type: 'turn_finished', reason: 'cancelled' }];
  if (thrown instanceof StopExecution) {
    const message = `Agent execution stopped: ${thrown.message}`;
    return [
      { type: 'warning', code: 'stopped', message },
      { type: 'turn_finished', reason: 'stopped' },
    ];
  }
  log.error('request failed', thrown);
  const cause = asAuthenticationError(thrown);
  const error = toErrorInfo(cause);
  return [
    { type: 'error', error, cause },
    { type: 'turn_finished', reason: endReasonOf(cause), error },
  ];
}

function endReasonOf(error: unknown): TurnEndReason {
  if (error instanceof FatalTurnLimitedError) return 'max_turns';
  return error instanceof FatalBudgetError ? 'budget' : 'error';
}
