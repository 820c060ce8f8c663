/** One conversation: messages in, events out, one request at a time. Every front end is a client of this. */
import type { EventListener, EventStream } from '../bus/event-stream.js';
import { createLog } from '../platform/log.js';
import type { AgentEvent, AgentEventBody, AgentRef } from '../protocol/agent-events.js';
import { type Part, type PartListUnion, toParts } from '../protocol/messages.js';
import type { Answer } from '../protocol/questions.js';
import { endOf } from './end-of-request.js';
import type { GeminiClient } from './gemini-client.js';
import type { HookPorts, SessionEndReason, SessionStartSource } from './hook-ports.js';
import { hookContext } from './hook-ports.js';
import type { ProposedCall } from './proposed-call.js';
import { SideEvents } from './side-events.js';

const log = createLog('session');

export interface SessionOptions {
  agent: AgentRef;
  client: GeminiClient;
  events: EventStream;
  sessionId: () => string;
  model: () => string;
  hooks?: HookPorts;
  /** True: a hook's text of the start is a turn of its own; else it goes with the first prompt. */
  isInteractive?: boolean;
  /** What the user types meanwhile may be added between turns (`experimental.modelSteering`). Absent: never. */
  allowsSteering?: () => boolean;
}

export interface SendOptions {
  signal?: AbortSignal;
}

export class AgentSession {
  private current: AbortController | undefined;
  private prompts = 0;
  /** What a hook said at the start, for the first prompt. */
  private opening: string | undefined;

  constructor(private readonly options: SessionOptions) {}

  /** Whose events these are. */
  get agent(): AgentRef {
    return this.options.agent;
  }

  /** Every event of this agent, when it happens. Those of all agents: `Config.getEvents()`. */
  subscribe(listener: EventListener): () => void {
    const { events, agent } = this.options;
    return events.subscribe((event) => {
      if (event.agent.id === agent.id) listener(event);
    });
  }

  /** Answers a `question` event. False: it is not open any more, or the value does not fit it. */
  answer(id: string, value: Answer): boolean {
    return this.options.events.answer(id, value);
  }

  /** Adds what the user typed to the running request, between two turns. False: send it as a prompt instead. */
  steer(text: string): boolean {
    if (!this.current || this.options.allowsSteering?.() !== true) return false;
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
   * Sends one user message and yields what happens, from `turn_started` to `turn_finished`: the main session yields
   * what happens beside it, too (other agents, notices, questions). Never throws for what the model, the network or a
   * tool did: that is an `error` event.
   */
  send(message: PartListUnion, options: SendOptions = {}): AsyncGenerator<AgentEvent> {
    return this.request(toParts(message), options);
  }

  /** Proposes a call of the history again (`/restore`): it is decided like any other, and the model goes on after it. */
  propose(call: ProposedCall, options: SendOptions = {}): AsyncGenerator<AgentEvent> {
    return this.request([], { ...options, call });
  }

  /** Tells the hooks that the session begins; what they add reaches the model with the first prompt. */
  async begin(source: SessionStartSource): Promise<void> {
    const { hooks, client, isInteractive } = this.options;
    const effect = await hooks?.sessionStart?.({ ...this.scene(), source });
    if (!effect?.context) return;
    const text = hookContext(effect.context);
    if (!isInteractive) {
      this.opening = text;
      return;
    }
    await client.initialize();
    client.getChat().addHistory({ role: 'user', origin: 'context', parts: [{ text }] });
  }

  async end(reason: SessionEndReason): Promise<void> {
    await this.options.hooks?.sessionEnd?.({ ...this.scene(), reason });
  }

  private async *request(
    given: Part[],
    options: SendOptions & { call?: ProposedCall },
  ): AsyncGenerator<AgentEvent> {
    if (this.current) throw new Error('A request is running; wait for it or abort() it first.');
    const controller = new AbortController();
    const { signal } = controller;
    this.current = controller;
    const forward = () => controller.abort();
    if (options.signal?.aborted) forward();
    options.signal?.addEventListener('abort', forward, { once: true });
    const { agent, client, events } = this.options;
    const sessionId = this.options.sessionId();
    const promptId = `${sessionId}########${this.prompts++}`;
    const side = new SideEvents(events, agent);
    const tell = (body: AgentEventBody) => side.own(() => events.emit(body, agent));
    const run = client.run(this.opened(given), { signal, promptId, ...callsOf(options.call, promptId) });
    try {
      yield tell({ type: 'turn_started', sessionId, promptId, model: this.options.model(), parts: given });
      for (;;) {
        const next = run.next();
        while (await side.comesBefore(next)) yield* side.take();
        const result = await next;
        if (result.done) break;
        yield tell(result.value);
      }
      yield* side.take();
      yield tell({ type: 'turn_finished', reason: signal.aborted ? 'cancelled' : 'completed' });
    } catch (error) {
      yield* side.take();
      if (!signal.aborted) log.error('request failed', error);
      for (const event of endOf(error, signal)) yield tell(event);
    } finally {
      side.close();
      options.signal?.removeEventListener('abort', forward);
      this.current = undefined;
      controller.abort();
      // For a reader that left early: what is running ends with the signal.
      run.return(undefined).catch((error: unknown) => log.debug('ended with its reader', error));
    }
  }

  private opened(parts: Part[]): Part[] {
    const text = this.opening;
    this.opening = undefined;
    return text === undefined ? parts : [{ text: `${text}\n\n` }, ...parts];
  }

  private scene() {
    const signal = this.current?.signal ?? new AbortController().signal;
    return { agent: this.options.agent, signal };
  }
}

function callsOf(call: ProposedCall | undefined, promptId: string) {
  return call && { calls: [{ ...call, promptId }] };
}
