/** One conversation: messages in, events out, one request at a time. Every front end is a client of this. */
import type { EventListener, EventStream, SubscribeOptions } from '../bus/event-stream.js';
import { createLog } from '../platform/log.js';
import { randomUuid } from '../platform/random.js';
import {
  type AgentEvent,
  type AgentEventBody,
  type AgentRef,
  isMainAgent,
} from '../protocol/agent-events.js';
import { type Part, type PartListUnion, toParts } from '../protocol/messages.js';
import type { Answer } from '../protocol/questions.js';
import { endOf, failed } from './end-of-request.js';
import type { GeminiClient } from './gemini-client.js';
import type { ProposedCall } from './going-back/proposed-call.js';
import type { HookPorts, SessionEndReason, SessionStartSource } from './hook-ports.js';
import { hookContext, watched } from './hook-ports.js';
import type { RunLimits } from './limits.js';
import { SideEvents } from './side-events.js';

const log = createLog('session');

export interface SessionOptions {
  agent: AgentRef;
  client: GeminiClient;
  events: EventStream;
  sessionId: () => string;
  model: () => string;
  /** Ends the running request when the time budget is used up. */
  limits?: Pick<RunLimits, 'whenTimeIsUp'>;
  hooks?: HookPorts;
  /** True: text that a hook adds at the start is a message of its own; else it goes with the first prompt. */
  isInteractive?: boolean;
  /** Whether text typed during a request may be added between turns (`experimental.modelSteering`). Absent: never. */
  allowsSteering?: () => boolean;
}

export interface SendOptions {
  signal?: AbortSignal;
  /** The user's own words in the message; absent: all of its text. */
  typed?: string;
  /** A call that the user asked for with the message (`/<skill>`): it runs before the model answers. */
  call?: UserCall;
}

export interface UserCall {
  name: string;
  args: Record<string, unknown>;
}

export class AgentSession {
  private current: AbortController | undefined;
  private prompts = 0;
  /** Text that a hook added at the start, for the first prompt. */
  private opening: Part | undefined;
  /** True from the start of a request until its last events are emitted. */
  private takesSteering = false;

  constructor(private readonly options: SessionOptions) {}

  get agent(): AgentRef {
    return this.options.agent;
  }

  /** Every event of this agent, when it happens. Those of all agents: `Config.getEvents()`. */
  subscribe(listener: EventListener, options?: SubscribeOptions): () => void {
    const { events, agent } = this.options;
    return events.subscribe((event) => {
      if (event.agent.id === agent.id) listener(event);
    }, options);
  }

  /** Answers a `question` event. False: it is not open any more, or the value does not fit it. */
  answer(id: string, value: Answer): boolean {
    return this.options.events.answer(id, value);
  }

  /**
   * Adds what the user typed to the running request, between two turns. False: send it as a prompt instead. What the
   * model did not get before the request ended is `unsent` of `turn_finished`.
   */
  steer(text: string): boolean {
    if (!this.takesSteering || this.options.allowsSteering?.() !== true) return false;
    this.options.client.steering.add(text);
    return true;
  }

  /** Cancels the running request: model call, tools and their children. */
  abort(): void {
    this.current?.abort();
  }

  get isBusy(): boolean {
    return this.current !== undefined;
  }

  /**
   * Sends one user message and yields what happens, from `turn_started` to `turn_finished`. The main session also
   * yields events from outside the request (other agents, notices, questions). Failures of the model, the network or a
   * tool are `error` events, never exceptions.
   */
  send(message: PartListUnion, options: SendOptions = {}): AsyncGenerator<AgentEvent> {
    return this.request(toParts(message), options);
  }

  /** Proposes a call of the history again (`/restore`): it needs approval like any other; then the model continues. */
  propose(call: ProposedCall, options: SendOptions = {}): AsyncGenerator<AgentEvent> {
    return this.request([], { ...options, proposed: call });
  }

  /** Tells the hooks that the session begins; what they add reaches the model with the first prompt. */
  async begin(source: SessionStartSource): Promise<void> {
    const { client, isInteractive } = this.options;
    const context = await this.contextOfStart(source);
    if (!context) return;
    const text = hookContext(context);
    if (!isInteractive) {
      this.opening = { text: `${text}\n\n` };
      return;
    }
    await client.initialize();
    client.getChat().addHistory({ role: 'user', origin: 'context', parts: [{ text }] });
  }

  async end(reason: SessionEndReason): Promise<void> {
    await watched(this.options.hooks?.sessionEnd?.({ ...this.hookInput(), reason }));
  }

  private async *request(
    given: Part[],
    options: SendOptions & { proposed?: ProposedCall },
  ): AsyncGenerator<AgentEvent> {
    if (this.current) throw new Error('A request is running; wait for it or abort() it first.');
    const controller = new AbortController();
    const { signal } = controller;
    this.current = controller;
    this.takesSteering = true;
    const forward = () => controller.abort();
    let outOfTime: Error | undefined;
    const stopTimer = this.options.limits?.whenTimeIsUp((error) => {
      if (!signal.aborted) outOfTime = error;
      controller.abort();
    });
    if (options.signal?.aborted) forward();
    options.signal?.addEventListener('abort', forward, { once: true });
    const { agent, client, events } = this.options;
    const sessionId = this.options.sessionId();
    const number = isMainAgent(agent) ? this.prompts++ : `${agent.id}-${this.prompts++}`;
    const promptId = `${sessionId}########${number}`;
    const side = new SideEvents(events, agent);
    const opening = options.proposed ? undefined : this.takeOpening();
    const run = client.run(given, {
      signal,
      promptId,
      ...(opening && { opening }),
      ...callsOf(options, promptId),
    });
    let isStarted = false;
    let next: Promise<IteratorResult<AgentEventBody>> | undefined;
    let last: AgentEventBody[] | undefined;
    try {
      yield side.emitOwn({
        type: 'turn_started',
        sessionId,
        promptId,
        model: this.options.model(),
        parts: given,
        ...(options.typed !== undefined && { typed: options.typed }),
      });
      isStarted = true;
      try {
        for (;;) {
          next ??= run.next();
          const result = await side.first(next);
          if (side.hasSome) yield* side.take();
          if (!result) continue;
          if (result.done) break;
          next = undefined;
          yield side.emitOwn(result.value);
        }
        last = this.close(
          outOfTime
            ? failed(outOfTime)
            : [{ type: 'turn_finished', reason: signal.aborted ? 'cancelled' : 'completed' }],
        );
      } catch (error) {
        if (!signal.aborted) log.error('request failed', error);
        last = this.close(outOfTime ? failed(outOfTime) : endOf(error, signal), opening);
      }
      yield* side.take();
      for (let body = last.shift(); body; body = last.shift()) yield side.emitOwn(body);
    } finally {
      stopTimer?.();
      controller.abort();
      if (!last) {
        if (isStarted) await drain(run, next, side);
        last = this.close([{ type: 'turn_finished', reason: 'cancelled' }], opening);
      }
      for (const body of last) side.emitOwn(body);
      side.close();
      options.signal?.removeEventListener('abort', forward);
      this.current = undefined;
    }
  }

  /** Closes the request for steering; text that the model did not get goes back to the front end. */
  private close(last: AgentEventBody[], opening?: Part): AgentEventBody[] {
    this.takesSteering = false;
    if (opening && !this.isKept(opening)) this.opening = opening;
    const unsent = this.options.client.steering.take();
    if (unsent === undefined) return last;
    return last.map((body) => (body.type === 'turn_finished' ? { ...body, unsent } : body));
  }

  private async contextOfStart(source: SessionStartSource): Promise<string | undefined> {
    try {
      return (await this.options.hooks?.sessionStart?.({ ...this.hookInput(), source }))?.context;
    } catch (error) {
      log.error('A hook failed at the start of the session.', error);
      return undefined;
    }
  }

  private takeOpening(): Part | undefined {
    const { opening } = this;
    this.opening = undefined;
    return opening;
  }

  /** False: the prompt it came with was refused or removed, so it goes with the next one. */
  private isKept(opening: Part): boolean {
    const { client } = this.options;
    return (
      client.isInitialized() &&
      client
        .getChat()
        .getHistory()
        .some(({ parts }) => parts.includes(opening))
    );
  }

  private hookInput() {
    const signal = this.current?.signal ?? new AbortController().signal;
    return { agent: this.options.agent, signal };
  }
}

/** The caller stopped reading: the request ends like a cancelled one, and subscribers see the rest of it. */
async function drain(
  run: AsyncGenerator<AgentEventBody>,
  next: Promise<IteratorResult<AgentEventBody>> | undefined,
  side: SideEvents,
): Promise<void> {
  try {
    let result = await (next ?? run.next());
    for (; !result.done; result = await run.next()) side.emitOwn(result.value);
  } catch (error) {
    log.debug('ended with its reader', error);
  }
}

function callsOf({ proposed, call }: SendOptions & { proposed?: ProposedCall }, promptId: string) {
  if (proposed) return { calls: [{ ...proposed, promptId }] };
  return call && { userCall: { ...call, callId: randomUuid(), promptId, isClientInitiated: true } };
}
