/** One user request: model turns and tool calls in alternation until the model asks for nothing more. */

import { FatalAuthenticationError, FatalToolExecutionError, messageOf } from '../base/errors.js';
import { EventQueue } from '../base/event-queue.js';
import { ApiError } from '../model/api-error.js';
import type { ContentGenerator } from '../model/content-generator.js';
import { chatSettings } from '../model/model-configs.js';
import type { Clock } from '../platform/clock.js';
import type { AgentEvent } from '../protocol/agent-events.js';
import { type Message, type Part, type PartListUnion, toParts } from '../protocol/messages.js';
import type { CompletedToolCall, ToolCallRequest } from '../protocol/tool-calls.js';
import { ToolErrorType } from '../tools/tool-error.js';
import type { ToolRegistry } from '../tools/tool-registry.js';
import { GeminiChat } from './gemini-chat.js';
import type { RunLimits } from './limits.js';
import { LoopDetector } from './loop-detection.js';
import { correctionFor, notRun, warningFor } from './loops/answers.js';
import { TurnWatch } from './loops/turn-watch.js';
import type { Scheduler } from './scheduler/scheduler.js';
import { Turn } from './turn.js';
import { type TurnEvent, toTurnEvent } from './turn-event.js';

/** What the client needs to know of the session. `Config` satisfies it. */
export interface ClientHost {
  getModel(): string;
  getToolRegistry(): ToolRegistry;
  /** Instructions that go before the conversation. */
  getSystemInstruction(): string;
  /** The first message: where and when we are. */
  getSessionContext(): Promise<string>;
}

export interface ClientOptions {
  scheduler: Scheduler;
  limits: RunLimits;
  clock: Clock;
  random: () => number;
  maxAttempts: number;
  disableLoopDetection?: boolean;
}

export interface SendMessageOptions {
  signal?: AbortSignal;
  promptId?: string;
}

/** What one model turn came to. */
export interface TurnResult {
  toolCalls: ToolCallRequest[];
  completed: CompletedToolCall[];
}

export class GeminiClient {
  private chat: GeminiChat | undefined;
  private prompts = 0;
  private readonly loops: LoopDetector;

  constructor(
    private readonly host: ClientHost,
    private readonly generator: ContentGenerator,
    private readonly options: ClientOptions,
  ) {
    this.loops = new LoopDetector({ disabled: options.disableLoopDetection ?? false });
  }

  async initialize(): Promise<void> {
    this.chat ??= await this.startChat();
  }

  isInitialized(): boolean {
    return this.chat !== undefined;
  }

  getChat(): GeminiChat {
    if (!this.chat) throw new Error('GeminiClient.initialize() must be awaited before getChat().');
    return this.chat;
  }

  async resetChat(): Promise<void> {
    this.chat = await this.startChat();
  }

  /** The seed documents' stream: `text`, `tool_call`, `error`, and the rest of models.md §7. */
  async *sendMessageStream(
    message: PartListUnion,
    options: SendMessageOptions = {},
  ): AsyncGenerator<TurnEvent> {
    for await (const event of this.run(toParts(message), options)) {
      const turnEvent = toTurnEvent(event);
      if (turnEvent) yield turnEvent;
    }
  }

  /** The loop. Throws what ends the request; a cancelled one just ends. */
  async *run(parts: Part[], options: SendMessageOptions = {}): AsyncGenerator<AgentEvent> {
    await this.initialize();
    const signal = options.signal ?? new AbortController().signal;
    const promptId = options.promptId ?? `prompt-${++this.prompts}`;
    const { limits } = this.options;
    let message: Message = { role: 'user', origin: 'prompt', parts };
    let loopsFound = 0;
    this.loops.startPrompt();
    for (let count = 1; ; count++) {
      this.checkLimits(count, message);
      const model = this.host.getModel();
      yield { type: 'model_turn_started', turn: count, model };
      const turn = this.newTurn(model, promptId, message);
      const watch = new TurnWatch(this.loops, signal);
      try {
        // Here and not in a generator of its own: every hop costs time, thousands of times.
        for await (const event of turn.run(watch.signal)) {
          if (event.type === 'usage') limits.addTokens(event.usage.total);
          yield event;
          watch.see(event);
        }
      } catch (error) {
        if (!watch.isOurs()) throw error;
      } finally {
        watch.end();
      }
      if (watch.finding && !signal.aborted) {
        yield* this.leaveLoop(message, turn.pendingToolCalls);
        if (++loopsFound > 1) return yield warningFor(watch.finding);
        message = correctionFor(watch.finding);
        continue;
      }
      if (turn.pendingToolCalls.length === 0) return;
      const completed = yield* this.runTools(turn.pendingToolCalls, signal);
      const overBudget = limits.addToolCalls(completed.length);
      message = {
        role: 'user',
        origin: 'tool_response',
        parts: completed.flatMap((call) => call.response.responseParts),
      };
      const stop = reasonToStop(completed) ?? overBudget;
      if (stop || signal.aborted) {
        this.getChat().addHistory(message);
        if (stop) throw stop;
        return;
      }
    }
  }

  /** One model turn with its tool calls, for callers that drive the loop themselves. */
  async processTurn(turn: Turn, signal: AbortSignal): Promise<TurnResult> {
    for await (const _ of turn.run(signal));
    const toolCalls = turn.pendingToolCalls;
    const completed = await this.options.scheduler.schedule(toolCalls, signal, () => undefined);
    return { toolCalls, completed };
  }

  private newTurn(model: string, promptId: string, message: Message): Turn {
    const request = {
      model,
      promptId,
      role: 'main',
      systemInstruction: this.host.getSystemInstruction(),
      tools: this.host.getToolRegistry().getFunctionDeclarations(model),
      settings: chatSettings(model),
    };
    return new Turn(this.getChat(), request, message);
  }

  /** The history stays one that can be gone on from: the message is in it, and no call is without an answer. */
  private *leaveLoop(message: Message, requests: readonly ToolCallRequest[]): Generator<AgentEvent> {
    this.loops.startPrompt();
    const chat = this.getChat();
    if (!chat.getHistory().includes(message)) chat.addHistory(message);
    if (requests.length === 0) return;
    const calls = requests.map(notRun);
    for (const call of calls) yield { type: 'tool_finished', call };
    const parts = calls.flatMap(({ response }) => response.responseParts);
    chat.addHistory({ role: 'user', origin: 'tool_response', parts });
  }

  private async *runTools(
    requests: readonly ToolCallRequest[],
    signal: AbortSignal,
  ): AsyncGenerator<AgentEvent, CompletedToolCall[]> {
    const queue = new EventQueue<AgentEvent>();
    const { scheduler, limits } = this.options;
    const done = scheduler.schedule(requests, signal, (event) => queue.push(event), limits.toolCallsLeft);
    done.then(
      () => queue.end(),
      (error) => queue.fail(error),
    );
    yield* queue;
    return done;
  }

  /** Work that is done stays in the history, so that the conversation can go on later. */
  private checkLimits(count: number, message: Message): void {
    try {
      this.options.limits.beforeModelCall(count);
    } catch (error) {
      if (message.origin === 'tool_response') this.getChat().addHistory(message);
      throw error;
    }
  }

  private async startChat(): Promise<GeminiChat> {
    const { clock, random, maxAttempts } = this.options;
    const chat = new GeminiChat(this.generator, { clock, random, maxAttempts });
    const context = await this.host.getSessionContext();
    chat.addHistory({ role: 'user', origin: 'context', parts: [{ text: context }] });
    return chat;
  }
}

/** A full disk ends the run: every further step would lose work. */
function reasonToStop(completed: readonly CompletedToolCall[]): Error | undefined {
  for (const { response, request } of completed) {
    const { error } = response;
    if (error?.type === ToolErrorType.NO_SPACE_LEFT) {
      return new FatalToolExecutionError(`Error executing tool ${request.name}: ${error.message}`);
    }
    if (error?.type === ToolErrorType.STOP_EXECUTION) return new StopExecution(error.message);
  }
  return undefined;
}

/** A tool or hook asked for the run to end; that is no failure. */
export class StopExecution extends Error {
  constructor(reason: string) {
    super(reason);
    this.name = 'StopExecution';
  }
}

/** The server does not know us: the documented exit code, with the server's own words. */
export function asAuthenticationError(error: unknown): unknown {
  if (!(error instanceof ApiError) || error.status !== 401) return error;
  return new FatalAuthenticationError(`The server refused the credentials: ${messageOf(error)}`, error);
}
