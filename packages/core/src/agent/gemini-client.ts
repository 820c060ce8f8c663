/** One user request: model turns and tool calls in alternation until the model asks for nothing more. */

import { FatalAuthenticationError, FatalToolExecutionError, messageOf } from '../base/errors.js';
import { EventQueue } from '../base/event-queue.js';
import { ApiError } from '../model/api-error.js';
import type { ContentGenerator } from '../model/content-generator.js';
import type { Clock } from '../platform/clock.js';
import type { AgentEvent } from '../protocol/agent-events.js';
import { type Message, type Part, type PartListUnion, textOf, toParts } from '../protocol/messages.js';
import type { CompletedToolCall, ToolCallRequest } from '../protocol/tool-calls.js';
import { ToolErrorType } from '../tools/tool-error.js';
import { ContextKeeper, type ContextPort, type RecordedHistory } from './context-keeper.js';
import { GeminiChat } from './gemini-chat.js';
import { type LastWord, PlainAnswers } from './last-word.js';
import type { RunLimits } from './limits.js';
import { LoopDetector, type LoopFinding } from './loop-detection.js';
import { correctionFor, notRun, warningFor } from './loops/answers.js';
import { TurnWatch } from './loops/turn-watch.js';
import type { ModelChoice } from './model-choice.js';
import type { RequestBuilder } from './request-builder.js';
import type { Scheduler } from './scheduler/scheduler.js';
import { Turn } from './turn.js';
import { type TurnEvent, toTurnEvent } from './turn-event.js';

/** Judges from time to time whether a long run still leads anywhere. */
export interface LoopJudge {
  startPrompt(request: string): void;
  afterTurn(
    turn: number,
    history: readonly Message[],
    promptId: string,
    signal: AbortSignal,
  ): Promise<LoopFinding | undefined>;
}

export interface ClientOptions {
  scheduler: Scheduler;
  limits: RunLimits;
  clock: Clock;
  random: () => number;
  maxAttempts: number;
  models: Pick<
    ModelChoice,
    'model' | 'startPrompt' | 'endPrompt' | 'attemptsFor' | 'succeeded' | 'switchAfter'
  >;
  requests: RequestBuilder;
  context: ContextPort;
  /** For compressions of an earlier process, and all but the latest of this one. */
  recordedBeforeCompression?: RecordedHistory;
  /** The first message: where and when we are. */
  sessionContext: () => Promise<string>;
  /** Looks for what has changed since the last prompt, or since the first message was made. */
  beforePrompt?: () => Promise<void>;
  disableLoopDetection?: boolean;
  /** Somebody waits in front of the screen. */
  isInteractive?: boolean;
  /** False: a broken connection is not tried again. */
  retryNetworkErrors?: boolean;
  /** Absent: nobody judges. */
  judge?: LoopJudge;
  /** Decides whether an answer without calls is the last one. */
  lastWord?: LastWord;
}

export interface SendMessageOptions {
  signal?: AbortSignal;
  promptId?: string;
  /** In place of a prompt: calls that wait for their answers at the end of the history. */
  calls?: readonly ToolCallRequest[];
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
  private readonly context: ContextKeeper;
  private readonly lastWord: LastWord;

  constructor(
    private readonly generator: ContentGenerator,
    private readonly options: ClientOptions,
  ) {
    this.loops = new LoopDetector({ disabled: options.disableLoopDetection ?? false });
    this.context = new ContextKeeper(options.context, options.requests, () => this.getChat());
    this.lastWord = options.lastWord ?? new PlainAnswers();
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

  /** The user wants a repetition to go on: for the rest of the session. */
  disableLoopDetection(): void {
    this.loops.disable();
  }

  async resetChat(): Promise<void> {
    this.context.reset();
    this.chat = await this.startChat();
  }

  /** Compresses the conversation now (`/compress`). */
  async compress(promptId: string, signal: AbortSignal): Promise<AgentEvent[]> {
    await this.initialize();
    return this.context.compress(this.options.models.model, promptId, signal);
  }

  /** Goes back to the conversation as it was before the last compression (`/uncompress`). */
  async uncompress(): Promise<boolean> {
    await this.initialize();
    return this.context.uncompress(this.options.recordedBeforeCompression);
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
    if (this.isInitialized()) await this.options.beforePrompt?.();
    else await this.initialize();
    const { limits, models, requests, judge } = this.options;
    const signal = options.signal ?? new AbortController().signal;
    const promptId = options.promptId ?? `prompt-${++this.prompts}`;
    const chat = this.getChat();
    const asked = options.calls ? lastPrompt(chat.getHistory()) : parts;
    yield await models.startPrompt({ parts: asked, history: chat.getHistory(), promptId, signal });
    let message: Message = { role: 'user', origin: 'prompt', parts: this.lastWord.opening(parts) };
    let loopsFound = 0;
    this.loops.startPrompt();
    judge?.startPrompt(textOf(asked));
    if (options.calls) {
      const completed = yield* this.runTools(options.calls, signal);
      message = responseTo(completed);
      const overBudget = limits.addToolCalls(completed.length);
      const stop = reasonToStop(completed) ?? overBudget;
      if (stop || signal.aborted) return this.endWith(message, stop);
    }
    for (let count = 1; ; count++) {
      this.checkLimits(count, message);
      const request = requests.build(models.model, promptId);
      yield* this.context.prepare(message, request, signal);
      yield { type: 'model_turn_started', turn: count, model: request.model };
      const turn = new Turn(chat, request, message);
      const watch = new TurnWatch(this.loops, signal);
      try {
        // Here and not in a generator of its own: every hop costs time, thousands of times.
        for await (const event of turn.run(watch.signal)) {
          if (event.type === 'usage') this.context.learn(event.usage.prompt);
          if (event.type !== 'content' || !this.lastWord.holdsBack) yield event;
          watch.see(event);
        }
      } catch (error) {
        if (!watch.isOurs()) throw error;
      } finally {
        watch.end();
      }
      const finding = watch.finding ?? (await this.judge(turn, count, promptId, signal));
      if (finding && !signal.aborted) {
        yield* this.leaveLoop(message, turn.pendingToolCalls);
        if (++loopsFound > 1) return yield warningFor(finding);
        message = correctionFor(finding);
        continue;
      }
      if (turn.pendingToolCalls.length === 0) {
        const next = signal.aborted
          ? undefined
          : await this.lastWord.after(chat.getHistory(), { promptId, model: request.model, signal });
        if (next?.content) yield { type: 'content', text: next.content };
        if (!next?.message) return models.endPrompt();
        message = next.message;
        continue;
      }
      const completed = yield* this.runTools(turn.pendingToolCalls, signal);
      const overBudget = limits.addToolCalls(completed.length);
      message = responseTo(completed);
      const stop = reasonToStop(completed) ?? overBudget;
      if (stop || signal.aborted) return this.endWith(message, stop);
    }
  }

  /** What is done is done: it stays in the history. */
  private endWith(message: Message, stop: Error | undefined): void {
    this.getChat().addHistory(message);
    if (stop) throw stop;
  }

  /** A turn that asks for nothing ends the prompt by itself. */
  private async judge(
    turn: Turn,
    count: number,
    promptId: string,
    signal: AbortSignal,
  ): Promise<LoopFinding | undefined> {
    if (turn.pendingToolCalls.length === 0 || signal.aborted) return undefined;
    return this.options.judge?.afterTurn(count, this.getChat().getHistory(), promptId, signal);
  }

  /** One model turn with its tool calls, for callers that drive the loop themselves. */
  async processTurn(turn: Turn, signal: AbortSignal): Promise<TurnResult> {
    for await (const _ of turn.run(signal));
    const toolCalls = turn.pendingToolCalls;
    const completed = await this.options.scheduler.schedule(toolCalls, signal, () => undefined);
    return { toolCalls, completed };
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
    const { models, requests, sessionContext } = this.options;
    const { clock, random, maxAttempts, isInteractive, retryNetworkErrors } = this.options;
    const chat = new GeminiChat(this.generator, {
      clock,
      random,
      maxAttempts,
      isInteractive,
      retryNetworkErrors,
      recovery: {
        attemptsFor: (model) => models.attemptsFor(model),
        succeeded: (model) => models.succeeded(model),
        forRetry: ({ model, promptId }) => requests.build(model, promptId, true),
        shorten: (request, signal) => this.context.shorten(request, signal),
        switchAfter: async ({ request, error, isLast }) => {
          const next = await models.switchAfter({ model: request.model, error, isLast });
          return next && { ...next, request: requests.build(next.model, request.promptId) };
        },
      },
    });
    chat.addHistory({ role: 'user', origin: 'context', parts: [{ text: await sessionContext() }] });
    return chat;
  }
}

function lastPrompt(history: readonly Message[]): Part[] {
  return history.findLast(({ origin }) => origin === 'prompt')?.parts ?? [];
}

function responseTo(completed: readonly CompletedToolCall[]): Message {
  const parts = completed.flatMap((call) => call.response.responseParts);
  return { role: 'user', origin: 'tool_response', parts };
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
