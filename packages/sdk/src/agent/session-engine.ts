/** What a session is made of: a started engine, one running prompt at a time, and how it ends. */
import type { Config, EventStream } from '@gemini-cli/core';
import type { Message, SessionContext } from '../context/types.js';
import { GeminiCliError, SessionBusyError, SessionClosedError } from '../errors.js';
import type { AgentStreamEvent, ChatCompressionInfo, SendResult, StreamJsonItem } from '../events/types.js';
import type { AnyTool } from '../tools/tool.js';
import { ToolBox } from '../tools/tool-box.js';
import type { GeminiCliAgent } from './agent.js';
import { enginesOf } from './engines.js';
import { whileAwaited } from './keep-alive.js';
import type { OpenRequest } from './open-session.js';
import { type PromptInput, partsOf, type SendOptions } from './prompt.js';
import { GeminiCliSession } from './session.js';

export interface Opened {
  config: Config;
  events: EventStream;
  /** What tools, hooks and handlers get. */
  contextOf(signal: AbortSignal): SessionContext;
  /** Notices since the last call. */
  takeNotices(): string[];
  /** Ends subscriptions. */
  release(): void;
}

export class SessionEngine {
  readonly session: GeminiCliSession = GeminiCliSession.of(this);
  readonly tools: ToolBox;
  /** Of a new session. Made when it is needed: the global `crypto` takes 3 ms to load. */
  private newId: string | undefined;
  private opening: Promise<Opened> | undefined;
  private opened: Opened | undefined;
  private closing: Promise<void> | undefined;
  private running: { controller: AbortController; ended: Promise<void> } | undefined;
  /** What a tool threw in the running prompt. */
  private toolError: unknown;
  private hasAnswered = false;
  private readonly lifetime = new AbortController();

  constructor(
    readonly agent: GeminiCliAgent,
    private readonly request: OpenRequest,
  ) {
    this.tools = new ToolBox({
      context: (signal) => this.context(signal),
      onFailure: (error) => {
        this.toolError = error;
      },
    });
  }

  get sessionId(): string {
    const known = this.opened?.config.getSessionId() ?? this.request.sessionId;
    if (known !== undefined) return known;
    this.newId ??= crypto.randomUUID();
    return this.newId;
  }

  /** @throws GeminiCliError */
  async open(): Promise<Opened> {
    if (this.closing) throw new SessionClosedError(this.sessionId);
    this.opening ??= this.start();
    try {
      const opened = await this.opening;
      await this.tools.ready();
      return opened;
    } catch (error) {
      if (!this.opened) this.opening = undefined;
      throw GeminiCliError.from(error);
    }
  }

  transcript(): Message[] {
    const client = this.opened?.config.getGeminiClient();
    if (!client?.isInitialized()) return [];
    const said = client
      .getChat()
      .getHistory()
      .filter(({ origin }) => origin !== 'context');
    return said.map(({ role, parts }) => ({ role, parts: [...parts] }));
  }

  context(signal: AbortSignal = this.running?.controller.signal ?? this.lifetime.signal): SessionContext {
    if (!this.opened)
      throw new GeminiCliError('The session has not started: await initialize() first.', {
        code: 'NOT_STARTED',
      });
    return this.opened.contextOf(signal);
  }

  addTools(tools: readonly AnyTool[]): void {
    this.requireIdle();
    // A schema that cannot be used rejects the next prompt.
    this.tools.add(tools).catch(() => undefined);
  }

  async send(prompt: PromptInput, options: SendOptions): Promise<SendResult> {
    const stream = this.stream(prompt, options, true);
    let next = await stream.next();
    while (!next.done) next = await stream.next();
    return next.value;
  }

  /** @param rejects a failure is thrown, too */
  stream(
    prompt: PromptInput,
    options: SendOptions,
    rejects = false,
  ): AsyncGenerator<AgentStreamEvent | StreamJsonItem, SendResult, undefined> {
    const read = whileAwaited(this.events(prompt, options, rejects, () => read.readOn()));
    return read.stream;
  }

  private async *events(
    prompt: PromptInput,
    options: SendOptions,
    rejects: boolean,
    readOn: () => void,
  ): AsyncGenerator<AgentStreamEvent | StreamJsonItem, SendResult, undefined> {
    this.requireIdle();
    const parts = partsOf(prompt);
    const controller = new AbortController();
    let end: () => void = () => undefined;
    const ended = new Promise<void>((resolve) => {
      end = resolve;
    });
    this.running = { controller, ended };
    this.toolError = undefined;
    const forward = () => controller.abort();
    // A program that reads no more would keep the prompt from ending, and `close()` waiting.
    controller.signal.addEventListener('abort', readOn, { once: true });
    if (options.signal?.aborted) forward();
    options.signal?.addEventListener('abort', forward, { once: true });
    try {
      const opened = await this.open();
      const { httpStatus, keepCompiledCodeAtExit, runPrompt } = await import('./session-parts.js');
      const run = runPrompt(opened, parts, options, controller);
      const { result, error } = yield* run;
      this.hasAnswered = true;
      keepCompiledCodeAtExit();
      if (error && rejects)
        throw new GeminiCliError(error.message, {
          code: error.type,
          status: httpStatus(error),
          cause: this.toolError,
        });
      return result;
    } finally {
      options.signal?.removeEventListener('abort', forward);
      controller.signal.removeEventListener('abort', readOn);
      controller.abort();
      this.running = undefined;
      end();
    }
  }

  cancel(): void {
    this.running?.controller.abort();
  }

  async clear(): Promise<void> {
    this.requireIdle();
    const { config } = await this.open();
    await config.startNewSession(crypto.randomUUID());
  }

  async compress(): Promise<ChatCompressionInfo> {
    this.requireIdle();
    const { config } = await this.open();
    const controller = new AbortController();
    this.running = { controller, ended: Promise.resolve() };
    try {
      const id = `compress-${Date.now()}`;
      const events = await config.getGeminiClient().compress(id, controller.signal);
      const done = events.findLast((event) => event.type === 'chat_compressed');
      if (done?.type !== 'chat_compressed')
        return { originalTokenCount: 0, newTokenCount: 0, compressionStatus: 'NOOP' };
      const { originalTokens, newTokens, status } = done;
      return { originalTokenCount: originalTokens, newTokenCount: newTokens, compressionStatus: status };
    } catch (error) {
      throw GeminiCliError.from(error);
    } finally {
      this.running = undefined;
    }
  }

  close(): Promise<void> {
    this.closing ??= this.end();
    return this.closing;
  }

  private async start(): Promise<Opened> {
    enginesOf(this.agent).add(this);
    try {
      const { randomUuid, startEngine } = await import('./session-parts.js');
      this.newId ??= randomUuid();
      this.opened = await startEngine({
        agent: this.agent,
        request: this.request,
        newId: this.newId,
        session: this.session,
        tools: this.tools,
        lifetime: this.lifetime.signal,
        onOpened: (opened) => {
          this.opened = opened;
        },
      });
      return this.opened;
    } catch (error) {
      this.opened = undefined;
      enginesOf(this.agent).delete(this);
      throw error;
    }
  }

  private async end(): Promise<void> {
    this.cancel();
    await this.running?.ended;
    const opened = await this.opening?.catch(() => undefined);
    try {
      if (this.hasAnswered) (await import('./session-parts.js')).keepCompiledCode();
      await opened?.config.shutdown('exit');
    } finally {
      this.lifetime.abort();
      opened?.release();
      enginesOf(this.agent).delete(this);
    }
  }

  private requireIdle(): void {
    if (this.closing) throw new SessionClosedError(this.sessionId);
    if (this.running) throw new SessionBusyError(this.sessionId);
  }
}
