/** Messages to the model and what comes back, one request at a time; what is typed meanwhile waits its turn. */
import {
  type AgentEvent,
  type AgentEventBody,
  type AgentSession,
  type Config,
  isMainAgent,
  messageOf,
  type PartListUnion,
  type ProposedCall,
  type TurnEndReason,
} from '@gemini-cli/core';
import type { Store } from '../store/store.js';
import { StreamBuffer } from './stream-buffer.js';

export interface ConversationOptions {
  store: Store;
  config: () => Config | undefined;
  /** Turns what was typed into what is sent: `@` references are read. */
  expand: (text: string, signal: AbortSignal) => Promise<PartListUnion>;
  /** False: the screen does not get it. */
  isShown: (event: AgentEventBody) => boolean;
  /** What was typed is going to be added to the running request. */
  onSteering: () => void;
  /** Puts a text back into the input. */
  giveBack: (text: string) => void;
  /** The request is over and nothing waits. */
  onIdle: () => void;
}

export class Conversation {
  private running: AbortController | undefined;

  constructor(private readonly options: ConversationOptions) {}

  get isBusy(): boolean {
    return this.running !== undefined;
  }

  /** Shows the prompt and sends it, or lets it wait while another one is answered. */
  async submit(text: string): Promise<void> {
    const { store } = this.options;
    if (this.running) {
      if (!this.steer(text)) store.dispatch({ type: 'queued', text });
      return;
    }
    store.dispatch({ type: 'item_added', item: { type: 'user', text } });
    await this.send((signal) => this.options.expand(text, signal), text);
    await this.sendQueued();
  }

  /** Something that a command made: `display` stands for it in the history, `typed` are the user's own words in it. */
  async submitParts(
    parts: PartListUnion,
    { display, typed }: { display?: string; typed?: string },
  ): Promise<void> {
    if (display) this.options.store.dispatch({ type: 'item_added', item: { type: 'user', text: display } });
    await this.send(async () => parts, typed);
    await this.sendQueued();
  }

  /** A tool call of the user's choice, e.g. one that was taken back; the model goes on from there. */
  async propose(call: ProposedCall): Promise<void> {
    await this.stream((session, signal) => session.propose(call, { signal }));
    await this.sendQueued();
  }

  /** Other work that Esc ends and that messages wait for. */
  async during(work: (signal: AbortSignal) => Promise<void>): Promise<void> {
    const controller = new AbortController();
    const { store } = this.options;
    this.running = controller;
    store.dispatch({ type: 'busy' });
    try {
      await work(controller.signal);
    } catch (error) {
      store.dispatch({ type: 'item_added', item: { type: 'error', text: messageOf(error) } });
    } finally {
      this.running = undefined;
      store.dispatch({ type: 'idle' });
    }
    await this.sendQueued();
  }

  /** @returns false: nothing was running */
  cancel(): boolean {
    if (!this.running) return false;
    this.running.abort();
    return true;
  }

  /** Adds a plain text to the running request; files that it names are read for a prompt of its own only. */
  private steer(text: string): boolean {
    if (text.includes('@') || this.options.config()?.getSession().steer(text) !== true) return false;
    this.options.onSteering();
    return true;
  }

  private send(
    make: (signal: AbortSignal) => Promise<PartListUnion>,
    typed: string | undefined,
  ): Promise<void> {
    return this.stream(async function* (session, signal) {
      yield* session.send(await make(signal), { signal, ...(typed !== undefined && { typed }) });
    });
  }

  /** Typed too late for the request: a prompt of its own, unless the user cancelled; then it returns to the input. */
  private keepUnsent(reason: TurnEndReason, text: string): void {
    if (reason === 'cancelled') this.options.giveBack(text);
    else this.options.store.dispatch({ type: 'queued', text });
  }

  private async stream(
    run: (session: AgentSession, signal: AbortSignal) => AsyncGenerator<AgentEvent>,
  ): Promise<void> {
    const { store, config, isShown } = this.options;
    const session = config()?.getSession();
    if (!session) return;
    const controller = new AbortController();
    this.running = controller;
    const buffer = new StreamBuffer((event) => store.dispatch(event));
    try {
      for await (const event of run(session, controller.signal)) {
        // Other agents work beside the conversation, not in it; `listenToEngine` shows notices.
        if (!isMainAgent(event.agent) || event.type === 'notice') continue;
        if (isShown(event)) buffer.push(event);
        if (event.type === 'turn_finished' && event.unsent) this.keepUnsent(event.reason, event.unsent);
      }
    } catch (error) {
      store.dispatch({ type: 'item_added', item: { type: 'error', text: messageOf(error) } });
    } finally {
      buffer.flush();
      this.running = undefined;
    }
  }

  private async sendQueued(): Promise<void> {
    const { queue } = this.options.store.getState();
    if (queue.length === 0) {
      this.options.onIdle();
      return;
    }
    this.options.store.dispatch({ type: 'queue_taken' });
    await this.submit(queue.join('\n\n'));
  }
}
