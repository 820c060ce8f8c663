/** Messages to the model and its answers, one request at a time; messages typed meanwhile are queued. */
import {
  type AgentEvent,
  type AgentSession,
  isMainAgent,
  messageOf,
  type PartListUnion,
  type ProposedCall,
  type TurnEndReason,
  type UserCall,
} from '@gemini-cli/core';
import type { HistoryItemWithoutId } from '../../../history/item.js';
import { letYoungSpaceGrow } from '../../../terminal/young-space.js';
import { PastedTexts } from '../../composer/pasted-texts.js';
import type { AppContext } from '../context/app-context.js';
import { ChatExtras } from './chat-extras.js';
import type { UserQuestions } from './engine-events.js';
import type { EngineHost } from './engine-host.js';
import { expandPrompt } from './expand-prompt.js';
import { PromptFate } from './prompt-fate.js';
import { StreamBuffer } from './stream-buffer.js';

export class Conversation {
  /** What the user pasted, for the labels in the history. */
  readonly pasted = new PastedTexts();
  private running: AbortController | undefined;
  private keepsPrompt = false;
  /** Reports of background tasks that wait for the end of the request. */
  private readonly reports: string[] = [];
  private readonly extras: ChatExtras;

  /** @param returnToInput puts a text that was not sent back into the input */
  constructor(
    private readonly context: AppContext,
    private readonly engine: EngineHost,
    private readonly questions: Pick<UserQuestions, 'ask'>,
    private readonly returnToInput: (text: string) => void,
  ) {
    this.extras = new ChatExtras(
      () => context.settings.ui,
      (item) => context.add(item),
    );
  }

  get isBusy(): boolean {
    return this.running !== undefined;
  }

  /** Shows the prompt and sends it, or queues it while another one is answered. */
  async submit(text: string): Promise<void> {
    const { context, engine, questions } = this;
    if (this.running) {
      if (!this.steer(text)) context.store.dispatch({ type: 'queued', text });
      return;
    }
    context.add(this.promptItem(text));
    await this.send((signal) => expandPrompt(text, { context, engine, questions }, signal), {
      typed: text,
      prompt: text,
    });
    await this.sendQueued();
  }

  /** A message of a background task. It is text of programs: `@` in it names no file and no agent. */
  async report(text: string): Promise<void> {
    this.reports.push(text);
    if (!this.running) await this.sendQueued();
  }

  /** A prompt made by a command: `display` is shown for it in the history, `typed` are the user's own words in it. */
  async submitParts(
    parts: PartListUnion,
    { display, typed, call }: { display?: string; typed?: string; call?: UserCall },
  ): Promise<void> {
    if (display) this.context.add(this.promptItem(display));
    await this.send(async () => parts, { typed, prompt: display, call });
    await this.sendQueued();
  }

  /** A tool call of the user's choice, e.g. one that was undone; the model continues from there. */
  async propose(call: ProposedCall): Promise<void> {
    await this.stream((session, signal) => session.propose(call, { signal }));
    await this.sendQueued();
  }

  /** Other work that Esc cancels and that queued messages wait for. */
  async during(work: (signal: AbortSignal) => Promise<void>): Promise<void> {
    const controller = new AbortController();
    const { context } = this;
    const { store } = context;
    this.running = controller;
    store.dispatch({ type: 'busy' });
    try {
      await work(controller.signal);
    } catch (error) {
      context.add({ type: 'error', text: messageOf(error) });
    } finally {
      this.running = undefined;
      store.dispatch({ type: 'idle' });
    }
    await this.sendQueued();
  }

  /** @param keepsPrompt shows a prompt without an answer although the model forgets it. @returns false: nothing was running */
  cancel({ keepsPrompt = false } = {}): boolean {
    if (!this.running) return false;
    this.keepsPrompt = keepsPrompt;
    this.running.abort();
    return true;
  }

  /** Takes the queued messages out, for editing. */
  takeQueue(): string | undefined {
    const { store } = this.context;
    const { queue } = store.getState();
    if (queue.length === 0) return undefined;
    store.dispatch({ type: 'queue_taken' });
    return queue.join('\n\n');
  }

  private promptItem(text: string): HistoryItemWithoutId {
    const shown = this.pasted.folded(text);
    return shown === text ? { type: 'user', text } : { type: 'user', text, shown };
  }

  /** Adds a plain text to the running request. A text that names files is a prompt of its own: they are read then. */
  private steer(text: string): boolean {
    if (text.includes('@') || this.engine.config?.getSession().steer(text) !== true) return false;
    this.context.toasts.show('The agent gets this after its current step.', 'info');
    return true;
  }

  private send(
    make: (signal: AbortSignal) => Promise<PartListUnion>,
    { typed, prompt, call }: { typed: string | undefined; prompt: string | undefined; call?: UserCall },
  ): Promise<void> {
    return this.stream(async function* (session, signal) {
      const more = { ...(typed !== undefined && { typed }), ...(call && { call }) };
      yield* session.send(await make(signal), { signal, ...more });
    }, prompt);
  }

  /** Typed too late for the request: the next prompt, unless the user cancelled; then it returns to the input. */
  private keepUnsent(reason: TurnEndReason, text: string): void {
    if (reason === 'cancelled') this.returnToInput(text);
    else this.context.store.dispatch({ type: 'queued', text });
  }

  /** The model has not got the prompt, or has forgotten it: the user can change it and send it again. */
  private takeBack(prompt: string): void {
    this.context.store.dispatch({ type: 'prompt_withdrawn' });
    this.returnToInput(prompt);
  }

  /** @param prompt as shown in the history, and as it returns to the input */
  private async stream(
    run: (session: AgentSession, signal: AbortSignal) => AsyncGenerator<AgentEvent>,
    prompt?: string,
  ): Promise<void> {
    const { context } = this;
    const session = this.engine.config?.getSession();
    if (!session) return;
    const controller = new AbortController();
    const { signal } = controller;
    this.running = controller;
    this.keepsPrompt = false;
    letYoungSpaceGrow();
    const buffer = new StreamBuffer((event) => context.store.dispatch(event));
    const fate = new PromptFate();
    const takeBackUnanswered = () => {
      if (prompt === undefined || this.keepsPrompt || !fate.returns({ isCancelled: signal.aborted })) return;
      this.takeBack(prompt);
    };
    try {
      for await (const event of run(session, signal)) {
        // Events of sub-agents are not part of the conversation; `listenToEngine` shows the others.
        if (!isMainAgent(event.agent) || isShownElsewhere(event)) continue;
        fate.observe(event);
        if (event.type === 'turn_finished') takeBackUnanswered();
        if (this.extras.pass(event)) buffer.push(event);
        if (event.type === 'turn_finished' && event.unsent) this.keepUnsent(event.reason, event.unsent);
      }
    } catch (error) {
      takeBackUnanswered();
      context.add(
        signal.aborted
          ? { type: 'info', text: 'Request cancelled.' }
          : { type: 'error', text: messageOf(error) },
      );
    } finally {
      buffer.flush();
      this.running = undefined;
    }
  }

  private async sendQueued(): Promise<void> {
    const reports = this.reports.splice(0).join('\n\n');
    if (reports !== '') {
      await this.submitParts([{ text: reports }], { display: reports });
      return;
    }
    const queued = this.takeQueue();
    if (queued !== undefined) await this.submit(queued);
  }
}

function isShownElsewhere({ type }: AgentEvent): boolean {
  return type === 'notice' || type === 'hook_started' || type === 'hook_finished';
}
