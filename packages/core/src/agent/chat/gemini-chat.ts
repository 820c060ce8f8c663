/** The chat with the model: its history, a request with retries, and the answer as events. */
import { HistoryCurator } from '../../context/curate/curate.js';
import type { ContentGenerator, GenerateRequest } from '../../model/content-generator.js';
import { ApiError, CONTEXT_TOO_LONG } from '../../model/errors/api-error.js';
import type { Clock } from '../../platform/clock.js';
import { createLog } from '../../platform/log.js';
import type { AgentEventBody } from '../../protocol/agent-events.js';
import type { Message } from '../../protocol/messages.js';
import { toErrorInfo } from '../error-info.js';
import { staysInHistory } from '../steering.js';
import { AnsweredInstead, BlockedExecution, endsOnPurpose } from '../stop-execution.js';
import { AnswerBuilder } from './answer-builder.js';
import { type AcceptedAnswer, AnswerEvents } from './answer-events.js';
import { CallIds } from './call-ids.js';
import { type ModelSwitch, NO_RECOVERY, type Recovery } from './recovery.js';
import { causeOf, failureOf, type RetryOptions, RetryPlan } from './retry-plan.js';
import { findStreamProblem, InvalidStreamError, PromptBlockedError } from './stream-validity.js';

const log = createLog('chat');

/** The code of the warning that another model takes over. */
const MODEL_SWITCHED = 'model_switched';

export interface ChatOptions extends RetryOptions {
  clock: Clock;
  recovery?: Recovery;
}

/** What the caller decides per request; the chat adds the messages. */
export type ChatRequest = Omit<GenerateRequest, 'messages'>;

export class GeminiChat {
  private history: Message[] = [];
  private readonly callIds: CallIds;
  private readonly curator = new HistoryCurator();

  constructor(
    private readonly generator: ContentGenerator,
    private readonly options: ChatOptions,
  ) {
    this.callIds = new CallIds(options.clock.now);
  }

  getHistory(): readonly Message[] {
    return this.history;
  }

  setHistory(history: readonly Message[]): void {
    this.history = [...history];
  }

  addHistory(message: Message): void {
    this.history.push(message);
  }

  /**
   * Sends `message` and yields what the model says. A request that fails for good removes the prompt from the history
   * and throws; tool responses stay, because the tools have run.
   */
  async *sendMessageStream(
    message: Message,
    first: ChatRequest,
    signal: AbortSignal,
  ): AsyncGenerator<AgentEventBody> {
    this.history.push(message);
    const events = new AnswerEvents();
    let request = first;
    let plan = new RetryPlan(this.options);
    let isShortened = false;
    for (;;) {
      const answer = new AnswerBuilder();
      const { model, role } = request;
      const started = this.options.clock.now();
      try {
        const sent = { ...request, messages: this.messagesFor(plan.correction) };
        for await (const chunk of this.generator.generateContentStream(sent, signal)) {
          answer.add(chunk);
          // `yield*` would make promises of its own for each of them.
          for (const event of events.ofChunk(chunk)) yield event;
          // Chunks after a cancellation were not shown, so they are not kept either.
          signal.throwIfAborted();
        }
        signal.throwIfAborted();
        const problem = this.problemOf(answer, message, model);
        if (problem) throw problem;
        this.recovery.succeeded(model);
        yield* events.ofAnswer(this.accept(answer, started, request));
        return;
      } catch (error) {
        if (signal.aborted) return this.giveUp(error, message, answer);
        if (endsOnPurpose(error)) return this.endOnPurpose(error, message, answer);
        const failure = failureOf(error, answer.receivedAny);
        const latencyMs = this.options.clock.now() - started;
        const failed = {
          type: 'api_failure',
          model,
          role,
          latencyMs,
          error: toErrorInfo(error),
          ...failure,
        } as const;
        if (!isShortened && isTooLong(error)) {
          isShortened = true;
          const shortened = await this.recovery.shorten(request, signal);
          if (signal.aborted) return this.giveUp(signal.reason, message, answer);
          if (shortened) {
            yield { ...failed, attempt: 1, isFinal: false };
            yield* shortened;
            continue;
          }
        }
        let retry = plan.next(error, failure, this.recovery.attemptsFor(model));
        const cause = causeOf(error);
        const next = await this.recovery.switchAfter({ request, error: cause, isLast: !retry, signal });
        if (signal.aborted) return this.giveUp(signal.reason, message, answer);
        if (next === 'keep_trying') retry = plan.keepTrying(error);
        yield { ...failed, attempt: plan.attempt, isFinal: !retry && !next };
        if (next === 'retry') {
          events.restart();
          plan = new RetryPlan(this.options);
          continue;
        }
        if (typeof next === 'object') {
          events.restart();
          yield switchWarning(model, next);
          request = next.request;
          plan = new RetryPlan(this.options);
          continue;
        }
        if (!retry) return this.giveUp(error, message);
        log.debug('retry', retry);
        events.restart();
        const { code } = failed.error;
        yield {
          type: 'retry',
          model,
          ...retry,
          ...failure,
          ...(code !== undefined && { code }),
          discardsOutput: false,
        };
        if (failure.cause === 'stream') request = this.recovery.forRetry(request);
        await this.options.clock.sleep(retry.delayMs, signal);
        if (signal.aborted) return this.giveUp(signal.reason, message, answer);
      }
    }
  }

  private get recovery(): Recovery {
    return this.options.recovery ?? NO_RECOVERY;
  }

  /** The history in a form that every provider accepts. */
  private messagesFor(correction: string | undefined): readonly Message[] {
    const messages = this.curator.curate(this.history);
    return correction ? [...messages, userNote(correction)] : messages;
  }

  /** Text the user saw before cancelling stays in the history; calls that never ran do not. */
  private giveUp(error: unknown, message: Message, cancelled?: AnswerBuilder): never {
    const seen = cancelled?.finish().parts.filter((part) => part.text && !part.functionCall) ?? [];
    if (seen.length > 0) this.history.push({ role: 'model', origin: 'model', parts: seen });
    else if (!staysInHistory(message) && this.history.at(-1) === message) this.history.pop();
    throw error;
  }

  /** A hook ended it: a stopped or answered prompt stays with the text so far, a blocked one is removed. */
  private endOnPurpose(error: Error, message: Message, answer: AnswerBuilder): never {
    if (error instanceof BlockedExecution && !(error instanceof AnsweredInstead))
      return this.giveUp(error, message);
    const seen = answer.finish().parts.filter((part) => part.text && !part.functionCall);
    if (seen.length > 0) this.history.push({ role: 'model', origin: 'model', parts: seen });
    throw error;
  }

  private problemOf(answer: AnswerBuilder, message: Message, model: string): Error | undefined {
    answer.finish();
    if (answer.blockReason && answer.parts.length === 0)
      return new PromptBlockedError(answer.blockReason, model);
    const problem = findStreamProblem({
      parts: answer.parts,
      finishReason: answer.finishReason,
      sawThought: answer.sawThought,
      afterToolResponse: message.origin === 'tool_response',
    });
    return problem && new InvalidStreamError(problem, model, answer.finishReason);
  }

  private accept(answer: AnswerBuilder, started: number, request: ChatRequest): AcceptedAnswer {
    const message = answer.finish();
    this.callIds.assign(message.parts);
    if (message.parts.length > 0) this.history.push(message);
    return {
      message,
      model: answer.modelVersion ?? request.model,
      role: request.role,
      promptId: request.promptId,
      finishReason: answer.finishReason ?? 'STOP',
      usage: answer.usage,
      latencyMs: this.options.clock.now() - started,
    };
  }
}

function isTooLong(error: unknown): boolean {
  return error instanceof ApiError && error.details.some(({ reason }) => reason === CONTEXT_TOO_LONG);
}

function switchWarning(from: string, { request, errorClass, reason }: ModelSwitch): AgentEventBody {
  const { model: to } = request;
  const message = `${reason} Continuing with ${to}.`;
  return { type: 'warning', code: MODEL_SWITCHED, message, from, to, reason: errorClass };
}

function userNote(text: string): Message {
  return { role: 'user', origin: 'correction', parts: [{ text }] };
}
