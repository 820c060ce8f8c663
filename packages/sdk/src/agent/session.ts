/** One conversation of an agent. Prompts come one after the other; sessions run side by side. */
import type { Message, SessionContext } from '../context/types.js';
import type { AgentStreamEvent, ChatCompressionInfo, SendResult, StreamJsonItem } from '../events/types.js';
import type { AnyTool } from '../tools/tool.js';
import type { GeminiCliAgent } from './agent.js';
import type { PromptInput, SendOptions, StreamJsonOptions } from './prompt.js';
import type { SessionEngine } from './session-engine.js';

export class GeminiCliSession {
  private constructor(private readonly engine: SessionEngine) {}

  /** @internal */
  static of(engine: SessionEngine): GeminiCliSession {
    return new this(engine);
  }

  /** A UUID, or the id that was asked for. `clear()` begins a new one. */
  get id(): string {
    return this.engine.sessionId;
  }

  get agent(): GeminiCliAgent {
    return this.engine.agent;
  }

  /** The conversation so far: a copy. */
  get transcript(): Message[] {
    return this.engine.transcript();
  }

  /** Reads settings, signs in and starts what the session needs. Prompts do it by themselves. @throws GeminiCliError */
  async initialize(): Promise<void> {
    await this.engine.open();
  }

  /**
   * Sends a prompt and waits until the agent has finished. A tool that fails is told to the model.
   * @throws GeminiCliError when the model cannot answer; SessionBusyError while another prompt is running
   */
  send(prompt: PromptInput, options: SendOptions = {}): Promise<SendResult> {
    return this.engine.send(prompt, options);
  }

  /** The same with all that happens; a failure is the last event, `error`. Leaving the loop cancels the prompt. */
  sendStream(
    prompt: PromptInput,
    options: StreamJsonOptions,
  ): AsyncGenerator<StreamJsonItem, SendResult, undefined>;
  sendStream(
    prompt: PromptInput,
    options?: AbortSignal | SendOptions,
  ): AsyncGenerator<AgentStreamEvent, SendResult, undefined>;
  sendStream(
    prompt: PromptInput,
    options?: AbortSignal | SendOptions,
  ): AsyncGenerator<AgentStreamEvent | StreamJsonItem, SendResult, undefined>;
  sendStream(
    prompt: PromptInput,
    options: AbortSignal | SendOptions = {},
  ): AsyncGenerator<AgentStreamEvent | StreamJsonItem, SendResult, undefined> {
    const given = options instanceof AbortSignal ? { signal: options } : options;
    return this.engine.stream(prompt, given);
  }

  /** Ends the running prompt: model, tools and their processes. */
  cancel(): void {
    this.engine.cancel();
  }

  /** Files, commands and questions as tools get them. Only after `initialize()` or a prompt. */
  context(): SessionContext {
    return this.engine.context();
  }

  /** Between prompts. A tool of the same name is replaced. */
  addTools(...tools: AnyTool[]): void {
    this.engine.addTools(tools);
  }

  /** An empty conversation under a new id. */
  clear(): Promise<void> {
    return this.engine.clear();
  }

  /** Replaces the conversation with a summary. */
  compress(): Promise<ChatCompressionInfo> {
    return this.engine.compress();
  }

  /** Cancels a running prompt, tells the hooks, and ends servers and processes. */
  close(): Promise<void> {
    return this.engine.close();
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.close();
  }
}
