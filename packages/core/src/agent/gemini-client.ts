/** The conversation of one agent: its chat, one prompt at a time, compression on request. */
import { FatalAuthenticationError, messageOf } from '../base/errors.js';
import type { ContentGenerator } from '../model/content-generator.js';
import { ApiError } from '../model/errors/api-error.js';
import type { Clock } from '../platform/clock.js';
import { type AgentEventBody, type AgentRef, MAIN_AGENT, shortensHistory } from '../protocol/agent-events.js';
import { type Part, type PartListUnion, toParts } from '../protocol/messages.js';
import type { CompletedToolCall, ToolCallRequest } from '../protocol/tool-calls.js';
import type { ChatRecordingService } from '../sessions/recording/chat-recording-service.js';
import { noTelemetry, type TelemetryRecorder } from '../telemetry/record.js';
import { type FinalAnswerCheck, PlainAnswers } from './chat/final-answer-check.js';
import { GeminiChat } from './chat/gemini-chat.js';
import { withModelHooks } from './chat/hooked-generator.js';
import type { RequestBuilder } from './chat/request-builder.js';
import type { Turn } from './chat/turn.js';
import { type TurnEvent, toTurnEvent } from './chat/turn-event.js';
import { ContextKeeper, type ContextPort, type RecordedHistory } from './context-keeper.js';
import type { HookPorts } from './hook-ports.js';
import type { RunLimits } from './limits.js';
import { LoopDetector } from './loop-detection.js';
import type { ModelChoice } from './model-choice.js';
import { type LoopJudge, type LoopPorts, PromptLoop } from './prompt-loop.js';
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
  /** Chunks that arrive while a hook works are handed over as one. Absent: each on its own, as replayed answers need. */
  joinsChunks?: boolean;
  /** Where the conversation is recorded; absent: nowhere. */
  recording?: ChatRecordingService;
  /** For compressions of an earlier process, and all but the latest of this one. */
  recordedBeforeCompression?: RecordedHistory;
  /** Saves a history that changed outside a request. */
  saveHistory?: () => void;
  /** The first message (date, folder, platform); absent: the prompt is the first. */
  sessionContext?: () => Promise<string>;
  /** Checks what has changed since the last prompt, or since the first message. */
  beforePrompt?: () => Promise<void>;
  /** Text for the model with a prompt, which is not part of what the user sent: what the editor shows. */
  promptContext?: LoopPorts['promptContext'];
  /** Awaited before the first request of every prompt: tools that are still being discovered. */
  untilToolsReady?: (signal: AbortSignal) => Promise<void>;
  disableLoopDetection?: boolean;
  /** A user waits in front of the screen. */
  isInteractive?: boolean;
  /** False: a broken connection is not tried again. */
  retryNetworkErrors?: boolean;
  /** Absent: long runs are not checked by a model. */
  judge?: LoopJudge;
  /** Awaited before each model request. */
  beforeTurn?: LoopPorts['beforeTurn'];
  /** Decides whether an answer without calls is the last one. */
  finalAnswerCheck?: FinalAnswerCheck;
  /** Absent: nothing is recorded. */
  telemetry?: TelemetryRecorder;
}

export interface SendMessageOptions {
  signal?: AbortSignal;
  promptId?: string;
  /** For the model, before the prompt; not part of what the user sent. */
  opening?: Part;
  /** Instead of a prompt: calls at the end of the history that have no response yet. */
  calls?: readonly ToolCallRequest[];
  /** A call of the user's: it stands after the prompt as if the model had made it, and runs first. */
  userCall?: ToolCallRequest;
}

export interface TurnResult {
  toolCalls: ToolCallRequest[];
  completed: CompletedToolCall[];
}

export class GeminiClient {
  private chat: GeminiChat | undefined;
  private prompts = 0;
  private lastPromptId: string | undefined;
  private readonly generator: ContentGenerator;
  private readonly loops: LoopDetector;
  private readonly context: ContextKeeper;
  private readonly finalAnswerCheck: FinalAnswerCheck;
  private readonly hooks: HookPorts;
  private readonly agent: AgentRef;
  readonly steering = new Steering();

  constructor(
    generator: ContentGenerator,
    private readonly options: ClientOptions,
  ) {
    const { hooks = {}, agent = MAIN_AGENT } = options;
    this.hooks = hooks;
    this.agent = agent;
    const { joinsChunks = false } = options;
    this.generator = withModelHooks(generator, { hooks, agent, joinsChunks });
    this.loops = new LoopDetector({ disabled: options.disableLoopDetection ?? false });
    this.context = new ContextKeeper({
      port: options.context,
      requests: options.requests,
      chat: () => this.getChat(),
      agent,
      hooks,
    });
    this.finalAnswerCheck = options.finalAnswerCheck ?? new PlainAnswers();
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

  /** The user wants a repetition to continue; holds for the rest of the session. */
  disableLoopDetection(): void {
    this.loops.disable();
    this.telemetry.event('gemini_cli.loop_detection_disabled', { prompt_id: this.lastPromptId });
  }

  async resetChat(): Promise<void> {
    this.context.reset();
    this.chat = await this.startChat();
  }

  /** To be called after tools have changed. Every request reads the declared tools again, so nothing depends on it. */
  async setTools(): Promise<void> {
    await this.initialize();
  }

  /** `/compress` */
  async compress(promptId: string, signal: AbortSignal): Promise<AgentEventBody[]> {
    await this.initialize();
    const events = await this.context.compress(this.options.models.model, promptId, signal);
    this.options.saveHistory?.();
    // These events are not on the stream that telemetry observes.
    for (const event of events) {
      if (event.type !== 'chat_compressed' || !shortensHistory(event.status)) continue;
      const sizes = { tokens_before: event.originalTokens, tokens_after: event.newTokens };
      this.telemetry.event('gemini_cli.chat_compression', sizes);
    }
    return events;
  }

  /** `/uncompress`: restores the conversation before the last compression. */
  async uncompress(): Promise<boolean> {
    await this.initialize();
    const isRestored = await this.context.uncompress(this.options.recordedBeforeCompression);
    if (isRestored) this.options.saveHistory?.();
    return isRestored;
  }

  /** For programs: the events of `run` as `TurnEvent`s. */
  async *sendMessageStream(
    message: PartListUnion,
    options: SendMessageOptions = {},
  ): AsyncGenerator<TurnEvent> {
    for await (const event of this.run(toParts(message), options)) {
      const turnEvent = toTurnEvent(event);
      if (turnEvent) yield turnEvent;
    }
  }

  /** Runs one prompt to its end. Throws when the request fails; a cancelled one just ends. */
  run(parts: Part[], options: SendMessageOptions = {}): AsyncGenerator<AgentEventBody> {
    const { scheduler, limits, models, requests, judge, beforeTurn, promptContext } = this.options;
    const { agent, hooks, context, loops, finalAnswerCheck, steering } = this;
    const { opening, calls, userCall, signal = new AbortController().signal } = options;
    const promptId = options.promptId ?? `prompt-${++this.prompts}`;
    this.lastPromptId = promptId;
    const loop = new PromptLoop(
      {
        agent,
        open: () => this.openForPrompt(signal),
        chat: () => this.getChat(),
        scheduler,
        limits,
        models,
        requests,
        context,
        loops,
        finalAnswerCheck,
        steering,
        hooks,
        ...(judge && { judge }),
        ...(beforeTurn && { beforeTurn }),
        ...(promptContext && { promptContext }),
      },
      {
        parts,
        promptId,
        signal,
        ...(opening && { opening }),
        ...(calls && { calls }),
        ...(userCall && { userCall }),
      },
    );
    // The loop's own generator: another one around it would cost time with every event.
    return loop.run();
  }

  private async openForPrompt(signal: AbortSignal): Promise<GeminiChat> {
    const opening = this.isInitialized() ? this.options.beforePrompt?.() : this.initialize();
    await Promise.all([opening, this.options.untilToolsReady?.(signal)]);
    return this.getChat();
  }

  /** One model turn with its tool calls, for callers that drive the loop themselves. */
  async processTurn(turn: Turn, signal: AbortSignal): Promise<TurnResult> {
    for await (const _ of turn.run(signal));
    const toolCalls = turn.pendingToolCalls;
    const completed = await this.options.scheduler.schedule(toolCalls, signal, () => undefined);
    return { toolCalls, completed };
  }

  private get telemetry(): TelemetryRecorder {
    return this.options.telemetry ?? noTelemetry;
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
          if (typeof next !== 'object') return next;
          return { ...next, request: requests.build(next.model, request.promptId) };
        },
      },
    });
    const text = await sessionContext?.();
    if (text !== undefined) chat.addHistory({ role: 'user', origin: 'context', parts: [{ text }] });
    return chat;
  }
}

/** A 401 gets the documented exit code, with the server's message. */
export function asAuthenticationError(error: unknown): unknown {
  if (!(error instanceof ApiError) || error.status !== 401) return error;
  return new FatalAuthenticationError(`The server refused the credentials: ${messageOf(error)}`, error);
}
