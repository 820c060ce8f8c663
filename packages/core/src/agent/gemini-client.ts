/** The conversation of one agent: its chat, one prompt at a time, compression on request. */
import { FatalAuthenticationError, messageOf } from '../base/errors.js';
import type { ContentGenerator } from '../model/content-generator.js';
import { ApiError } from '../model/errors/api-error.js';
import type { Clock } from '../platform/clock.js';
import { type AgentEventBody, type AgentRef, MAIN_AGENT } from '../protocol/agent-events.js';
import { type Part, type PartListUnion, toParts } from '../protocol/messages.js';
import type { CompletedToolCall, ToolCallRequest } from '../protocol/tool-calls.js';
import type { ChatRecordingService } from '../sessions/recording/chat-recording-service.js';
import { GeminiChat } from './chat/gemini-chat.js';
import { withModelHooks } from './chat/hooked-generator.js';
import { type LastWord, PlainAnswers } from './chat/last-word.js';
import type { RequestBuilder } from './chat/request-builder.js';
import type { Turn } from './chat/turn.js';
import { type TurnEvent, toTurnEvent } from './chat/turn-event.js';
import { ContextKeeper, type ContextPort, type RecordedHistory } from './context-keeper.js';
import type { HookPorts } from './hook-ports.js';
import type { RunLimits } from './limits.js';
import { LoopDetector } from './loop-detection.js';
import type { ModelChoice } from './model-choice.js';
import { type LoopJudge, PromptLoop } from './prompt-loop.js';
import type { Scheduler } from './scheduler/scheduler.js';
import { Steering } from './steering.js';

/** Which model answers; `ModelChoice` for the user's conversation, `FixedModel` for other agents. */
export type AgentModel = Pick<
  ModelChoice,
  'model' | 'startPrompt' | 'endPrompt' | 'attemptsFor' | 'succeeded' | 'switchAfter'
>;

export interface ClientOptions {
  scheduler: Scheduler;
  limits: Pick<RunLimits, 'beforeModelCall' | 'addToolCalls' | 'toolCallsLeft'>;
  clock: Clock;
  random: () => number;
  maxAttempts: number;
  models: AgentModel;
  requests: RequestBuilder;
  context: ContextPort;
  /** Whose conversation it is; absent: the main agent's. */
  agent?: AgentRef;
  hooks?: HookPorts;
  /** Where the conversation is recorded; absent: nowhere. */
  recording?: ChatRecordingService;
  /** For compressions of an earlier process, and all but the latest of this one. */
  recordedBeforeCompression?: RecordedHistory;
  /** The first message, e.g. where and when we are; absent: the prompt is the first. */
  sessionContext?: () => Promise<string>;
  /** Looks for what has changed since the last prompt, or since the first message was made. */
  beforePrompt?: () => Promise<void>;
  disableLoopDetection?: boolean;
  /** A user waits in front of the screen. */
  isInteractive?: boolean;
  /** False: a broken connection is not tried again. */
  retryNetworkErrors?: boolean;
  /** Absent: long runs are not judged. */
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
  private readonly generator: ContentGenerator;
  private readonly loops: LoopDetector;
  private readonly context: ContextKeeper;
  private readonly lastWord: LastWord;
  private readonly hooks: HookPorts;
  private readonly agent: AgentRef;
  /** What the user types while a prompt is worked on. */
  readonly steering = new Steering();

  constructor(
    generator: ContentGenerator,
    private readonly options: ClientOptions,
  ) {
    const { hooks = {}, agent = MAIN_AGENT } = options;
    this.hooks = hooks;
    this.agent = agent;
    this.generator = withModelHooks(generator, hooks, agent);
    this.loops = new LoopDetector({ disabled: options.disableLoopDetection ?? false });
    this.context = new ContextKeeper({
      port: options.context,
      requests: options.requests,
      chat: () => this.getChat(),
      agent,
      hooks,
    });
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

  getChatRecordingService(): ChatRecordingService | undefined {
    return this.options.recording;
  }

  /** The user wants a repetition to go on: for the rest of the session. */
  disableLoopDetection(): void {
    this.loops.disable();
  }

  async resetChat(): Promise<void> {
    this.context.reset();
    this.chat = await this.startChat();
  }

  /** The seeds' call after tools have changed. The declared tools are read anew for every request, so nothing waits for it. */
  async setTools(): Promise<void> {
    await this.initialize();
  }

  /** Compresses the conversation now (`/compress`). */
  async compress(promptId: string, signal: AbortSignal): Promise<AgentEventBody[]> {
    await this.initialize();
    return this.context.compress(this.options.models.model, promptId, signal);
  }

  /** Goes back to the conversation as it was before the last compression (`/uncompress`). */
  async uncompress(): Promise<boolean> {
    await this.initialize();
    return this.context.uncompress(this.options.recordedBeforeCompression);
  }

  /** The seeds' stream: `text`, `tool_call`, `error`, and the other events under names of their own. */
  async *sendMessageStream(
    message: PartListUnion,
    options: SendMessageOptions = {},
  ): AsyncGenerator<TurnEvent> {
    for await (const event of this.run(toParts(message), options)) {
      const turnEvent = toTurnEvent(event);
      if (turnEvent) yield turnEvent;
    }
  }

  /** One prompt to its end. Throws what ends the request; a cancelled one just ends. */
  run(parts: Part[], options: SendMessageOptions = {}): AsyncGenerator<AgentEventBody> {
    const { scheduler, limits, models, requests, judge } = this.options;
    const { agent, hooks, context, loops, lastWord, steering } = this;
    const { calls, signal = new AbortController().signal } = options;
    const promptId = options.promptId ?? `prompt-${++this.prompts}`;
    const loop = new PromptLoop(
      {
        agent,
        open: () => this.openForPrompt(),
        chat: () => this.getChat(),
        scheduler,
        limits,
        models,
        requests,
        context,
        loops,
        lastWord,
        steering,
        hooks,
        ...(judge && { judge }),
      },
      { parts, promptId, signal, ...(calls && { calls }) },
    );
    // The loop's own generator: one more around it would cost time with every event.
    return loop.run();
  }

  private async openForPrompt(): Promise<GeminiChat> {
    if (this.isInitialized()) await this.options.beforePrompt?.();
    else await this.initialize();
    return this.getChat();
  }

  /** One model turn with its tool calls, for callers that drive the loop themselves. */
  async processTurn(turn: Turn, signal: AbortSignal): Promise<TurnResult> {
    for await (const _ of turn.run(signal));
    const toolCalls = turn.pendingToolCalls;
    const completed = await this.options.scheduler.schedule(toolCalls, signal, () => undefined);
    return { toolCalls, completed };
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
        switchAfter: async ({ request, error, isLast, signal }) => {
          const next = await models.switchAfter({ model: request.model, error, isLast, signal });
          return next && { ...next, request: requests.build(next.model, request.promptId) };
        },
      },
    });
    const text = await sessionContext?.();
    if (text !== undefined) chat.addHistory({ role: 'user', origin: 'context', parts: [{ text }] });
    return chat;
  }
}

/** The server does not know us: the documented exit code, with the server's own words. */
export function asAuthenticationError(error: unknown): unknown {
  if (!(error instanceof ApiError) || error.status !== 401) return error;
  return new FatalAuthenticationError(`The server refused the credentials: ${messageOf(error)}`, error);
}
