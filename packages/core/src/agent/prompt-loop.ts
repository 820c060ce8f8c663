/** One user request: model turns and tool calls alternate until the model calls no more tools. */
import { FatalToolExecutionError } from '../base/errors.js';
import { EventQueue } from '../base/event-queue.js';
import { type AgentEventBody, type AgentRef, isMainAgent } from '../protocol/agent-events.js';
import { type Message, type Part, textOf } from '../protocol/messages.js';
import type { CompletedToolCall, ToolCallRequest } from '../protocol/tool-calls.js';
import { ToolErrorType } from '../tools/tool-error.js';
import type { FinalAnswerCheck } from './chat/final-answer-check.js';
import type { GeminiChat } from './chat/gemini-chat.js';
import type { RequestBuilder } from './chat/request-builder.js';
import type { ContextKeeper } from './context-keeper.js';
import { type AfterAgentEffect, type HookPorts, hookContext } from './hook-ports.js';
import type { RunLimits } from './limits.js';
import type { LoopDetector, LoopFinding } from './loop-detection.js';
import { correctionFor, notRun, warningFor } from './loops/answers.js';
import { TurnWatch } from './loops/turn-watch.js';
import type { ModelChoice } from './model-choice.js';
import type { Scheduler } from './scheduler/scheduler.js';
import { type Steering, staysInHistory, steeringMessage } from './steering.js';
import { BlockedExecution, StopExecution } from './stop-execution.js';

/** Checks from time to time whether a long run still makes progress. */
export interface LoopJudge {
  startPrompt(request: string): void;
  afterTurn(
    turn: number,
    history: readonly Message[],
    promptId: string,
    signal: AbortSignal,
  ): Promise<LoopFinding | undefined>;
}

export interface LoopPorts {
  agent: AgentRef;
  open(): Promise<GeminiChat>;
  chat(): GeminiChat;
  scheduler: Scheduler;
  limits: Pick<RunLimits, 'beforeModelCall' | 'addToolCalls' | 'toolCallsLeft'>;
  models: Pick<ModelChoice, 'model' | 'startPrompt' | 'endPrompt'>;
  requests: RequestBuilder;
  context: ContextKeeper;
  loops: LoopDetector;
  finalAnswerCheck: FinalAnswerCheck;
  steering: Steering;
  hooks: HookPorts;
  judge?: LoopJudge;
  /** Awaited before each model request; `turn` counts from 1, `message` is about to be sent. */
  beforeTurn?: (turn: number, signal: AbortSignal, message: Message) => Promise<void>;
  /** Text for the model before a prompt, never between a call and its response. */
  promptContext?: (history: readonly Message[]) => Promise<string | undefined>;
}

export interface PromptRequest {
  /** What the user sent. */
  parts: Part[];
  /** For the model, before the prompt: text that a hook added at the start of the session. */
  opening?: Part;
  promptId: string;
  signal: AbortSignal;
  /** Instead of a prompt: calls at the end of the history that have no response yet. */
  calls?: readonly ToolCallRequest[];
  /** A call of the user's: it stands after the prompt as if the model had made it, and runs first. */
  userCall?: ToolCallRequest;
}

/** How often a model is asked to continue after an answer without a tool call. */
const MAX_REPEATS = 100;

export class PromptLoop {
  private repeats = 0;
  private finishReason: string | undefined;
  /** The AfterAgent hook made the model try again. */
  private isRetry = false;
  /** The model's answers in this prompt; kept only if the AfterAgent hook is set. */
  private readonly said: string[] = [];

  constructor(
    private readonly ports: LoopPorts,
    private readonly request: PromptRequest,
  ) {}

  /** Throws when the request fails; a cancelled one just ends. */
  async *run(): AsyncGenerator<AgentEventBody> {
    const { models, requests, judge, finalAnswerCheck, loops, context, beforeTurn } = this.ports;
    const { promptId, signal, calls } = this.request;
    const chat = await this.ports.open();
    const parts = await this.withContext(await this.opened());
    const asked = calls ? lastPrompt(chat.getHistory()) : parts;
    yield await models.startPrompt({ parts: asked, history: chat.getHistory(), promptId, signal });
    let message: Message = { role: 'user', origin: 'prompt', parts: finalAnswerCheck.opening(parts) };
    let loopsFound = 0;
    loops.startPrompt();
    judge?.startPrompt(textOf(asked));
    const first = calls ?? this.placeUserCall(message);
    if (this.request.userCall) yield { type: 'tool_requested', request: this.request.userCall };
    if (first) {
      const next = yield* this.afterCalls(first);
      if (!next) return;
      message = next;
    }
    for (let count = 1; ; count++) {
      this.checkLimits(message);
      if (beforeTurn) await beforeTurn(count, signal, message);
      const request = requests.build(models.model, promptId);
      yield* context.prepare(message, request, signal);
      yield { type: 'model_turn_started', turn: count, model: request.model };
      const requested: ToolCallRequest[] = [];
      const watch = new TurnWatch(loops, signal);
      try {
        // Not in a generator of its own: every generator in between costs time with every event.
        for await (const event of chat.sendMessageStream(message, request, watch.signal)) {
          if (event.type === 'usage') context.learn(event.usage.prompt);
          else if (event.type === 'tool_requested') requested.push(event.request);
          else if (event.type === 'model_turn_finished') this.finishReason = event.reason;
          if (event.type !== 'content' || !finalAnswerCheck.holdsBack) yield event;
          watch.see(event);
        }
      } catch (error) {
        if (!watch.isOurs()) throw error;
      } finally {
        watch.end();
      }
      this.remember();
      const finding = watch.finding ?? (await this.judged(requested, count));
      if (finding && !signal.aborted) {
        yield* this.leaveLoop(message, requested);
        if (++loopsFound > 1) return yield warningFor(finding);
        message = correctionFor(finding);
        continue;
      }
      const next: Message | undefined =
        requested.length > 0
          ? yield* this.afterCalls(requested)
          : yield* this.afterAnswer(calls ? asked : this.request.parts, request.model);
      if (!next) return;
      message = next;
    }
  }

  /** The call needs the prompt before it and a place of its own, so that the history is valid for every provider. */
  private placeUserCall(prompt: Message): ToolCallRequest[] | undefined {
    const { userCall } = this.request;
    if (!userCall) return undefined;
    const { callId: id, name, args } = userCall;
    const chat = this.ports.chat();
    chat.addHistory(prompt);
    chat.addHistory({ role: 'model', origin: 'model', parts: [{ functionCall: { id, name, args } }] });
    return [userCall];
  }

  /** The prompt for the model, after the BeforeAgent hook. */
  private async opened(): Promise<Part[]> {
    const { hooks, agent, chat } = this.ports;
    const { parts: prompt, opening, signal, calls } = this.request;
    const parts = opening ? [opening, ...prompt] : prompt;
    if (calls || !hooks.beforeAgent || !isMainAgent(agent)) return parts;
    const effect = await hooks.beforeAgent({ agent, signal, prompt });
    if (effect?.stop !== undefined) {
      chat().addHistory({ role: 'user', origin: 'prompt', parts });
      throw new StopExecution(effect.stop);
    }
    if (effect?.deny !== undefined) throw new BlockedExecution(effect.deny);
    return effect?.context ? [...parts, { text: hookContext(effect.context) }] : parts;
  }

  /** Open calls get their responses first. */
  private async withContext(parts: Part[]): Promise<Part[]> {
    const { promptContext, chat } = this.ports;
    const history = chat().getHistory();
    const isBetween = history.at(-1)?.parts.some(({ functionCall }) => functionCall !== undefined);
    if (!promptContext || this.request.calls || isBetween) return parts;
    const text = await promptContext(history);
    return text === undefined ? parts : [{ text }, ...parts];
  }

  /** Runs the calls. @returns the next message to the model; undefined: the request ends here */
  private async *afterCalls(
    requests: readonly ToolCallRequest[],
  ): AsyncGenerator<AgentEventBody, Message | undefined> {
    const { limits, scheduler, steering, finalAnswerCheck } = this.ports;
    const chat = this.ports.chat();
    const completed = yield* this.runTools(requests);
    const overBudget = limits.addToolCalls(completed.length);
    const message = responseTo(completed);
    const stop = scheduler.endsRequestWith ?? reasonToStop(completed) ?? overBudget;
    if (stop || this.request.signal.aborted || finalAnswerCheck.isDone?.()) {
      // The tools have run, so their results stay in the history.
      chat.addHistory(message);
      if (stop) throw stop;
      return undefined;
    }
    const hint = steering.take();
    if (hint === undefined) return message;
    chat.addHistory(message);
    return yield* steered(hint);
  }

  /** After an answer without calls. @returns the next message to the model; undefined: the request ends here */
  private async *afterAnswer(
    asked: readonly Part[],
    model: string,
  ): AsyncGenerator<AgentEventBody, Message | undefined> {
    const { chat, finalAnswerCheck, steering, models } = this.ports;
    const { promptId, signal } = this.request;
    if (signal.aborted) return undefined;
    const { finishReason } = this;
    const next = await finalAnswerCheck.after(chat().getHistory(), { promptId, model, signal, finishReason });
    if (next?.message && this.mayRepeat()) return next.message;
    let hint = steering.take();
    if (hint !== undefined) return yield* steered(hint);
    const effect = await this.afterAgent(asked);
    const hasStopped = effect?.stop !== undefined;
    if (effect?.retry !== undefined && !hasStopped && this.mayRepeat()) {
      this.isRetry = true;
      return { role: 'user', origin: 'correction', parts: [{ text: effect.retry }] };
    }
    // The user may have typed while the hook ran.
    hint = hasStopped || signal.aborted ? undefined : steering.take();
    if (hint !== undefined) return yield* steered(hint);
    // Not earlier: an answer that is held back is shown once, when it is the last.
    if (next?.content) yield { type: 'content', text: next.content };
    if (effect?.stop !== undefined) throw new StopExecution(effect.stop);
    models.endPrompt();
    return undefined;
  }

  private mayRepeat(): boolean {
    return ++this.repeats <= MAX_REPEATS;
  }

  private async afterAgent(asked: readonly Part[]): Promise<AfterAgentEffect | undefined> {
    const { hooks, agent, chat } = this.ports;
    if (!hooks.afterAgent || !isMainAgent(agent)) return undefined;
    const { signal } = this.request;
    const response = this.said.splice(0).join('\n');
    const effect = await hooks.afterAgent({
      agent,
      signal,
      prompt: asked,
      response,
      isRetry: this.isRetry,
    });
    if (effect?.clearContext) {
      chat().setHistory(
        chat()
          .getHistory()
          .filter(({ origin }) => origin === 'context'),
      );
    }
    return effect;
  }

  private remember(): void {
    if (!this.ports.hooks.afterAgent) return;
    const last = this.ports.chat().getHistory().at(-1);
    const text = last?.role === 'model' ? textOf(last.parts) : '';
    if (text !== '') this.said.push(text);
  }

  /** A turn without calls ends the prompt anyway. */
  private async judged(
    requested: readonly ToolCallRequest[],
    count: number,
  ): Promise<LoopFinding | undefined> {
    const { promptId, signal } = this.request;
    if (requested.length === 0 || signal.aborted) return undefined;
    return this.ports.judge?.afterTurn(count, this.ports.chat().getHistory(), promptId, signal);
  }

  /** Keeps the history valid: the message is in it, and every call has a response. */
  private *leaveLoop(message: Message, requests: readonly ToolCallRequest[]): Generator<AgentEventBody> {
    const { loops, scheduler } = this.ports;
    const chat = this.ports.chat();
    loops.startPrompt();
    if (!chat.getHistory().includes(message)) chat.addHistory(message);
    if (requests.length === 0) return;
    const calls = requests.map((request) => notRun(request, scheduler.displayNameOf(request.name)));
    for (const call of calls) yield { type: 'tool_finished', call };
    const parts = calls.flatMap(({ response }) => response.responseParts);
    chat.addHistory({ role: 'user', origin: 'tool_response', parts });
  }

  private async *runTools(
    requests: readonly ToolCallRequest[],
  ): AsyncGenerator<AgentEventBody, CompletedToolCall[]> {
    const queue = new EventQueue<AgentEventBody>();
    const { scheduler, limits } = this.ports;
    const { signal } = this.request;
    const done = scheduler.schedule(requests, signal, (event) => queue.push(event), limits.toolCallsLeft);
    done.then(
      () => queue.end(),
      (error) => queue.fail(error),
    );
    yield* queue;
    return done;
  }

  /** Results of tools stay in the history, so that the conversation can continue later. */
  private checkLimits(message: Message): void {
    try {
      this.ports.limits.beforeModelCall();
    } catch (error) {
      if (staysInHistory(message)) this.ports.chat().addHistory(message);
      throw error;
    }
  }
}

function* steered(text: string): Generator<AgentEventBody, Message> {
  yield { type: 'steered', text };
  return steeringMessage(text);
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
