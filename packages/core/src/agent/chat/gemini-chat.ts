/** The conversation with a model: its history, and one answer at a time with all retries. */

import { API_BACKOFF, backoffDelay, hintedDelay } from '../../base/backoff.js';
import { INVALID_STREAM, UserError } from '../../base/errors.js';
import { HistoryCurator } from '../../context/curate/curate.js';
import type { ContentGenerator, GenerateRequest, GenerateResponse } from '../../model/content-generator.js';
import { ApiError, CONTEXT_TOO_LONG, classifyFailure, failureText } from '../../model/errors/api-error.js';
import type { Clock } from '../../platform/clock.js';
import { createLog } from '../../platform/log.js';
import type { AgentEventBody, FailureCause } from '../../protocol/agent-events.js';
import type { Message, TokenUsage } from '../../protocol/messages.js';
import { staysInHistory } from '../steering.js';
import { BlockedExecution, endsOnPurpose } from '../stop-execution.js';
import { AnswerBuilder } from './answer-builder.js';
import { CallIds } from './call-ids.js';
import { type ModelSwitch, NO_RECOVERY, type Recovery } from './recovery.js';
import { correctionFor, findStreamProblem, InvalidStreamError, isWorthRetrying } from './stream-validity.js';

const log = createLog('chat');

export interface ChatOptions {
  /** Tries per request when the server refuses or the network fails. */
  maxAttempts: number;
  clock: Clock;
  random: () => number;
  recovery?: Recovery;
  /** Somebody waits in front of the screen. */
  isInteractive?: boolean;
  /** False: a broken connection is not tried again. */
  retryNetworkErrors?: boolean;
}

/** What the caller decides per request; the chat adds the messages. */
export type ChatRequest = Omit<GenerateRequest, 'messages'>;

export type ChatEvent =
  | { type: 'chunk'; chunk: GenerateResponse }
  /** Another model takes over; what the first one said so far is void. */
  | { type: 'switch'; from: string; to: string; errorClass: string; reason: string }
  /** Something that happened on the way, for the user. */
  | { type: 'aside'; event: AgentEventBody }
  | {
      type: 'retry';
      model: string;
      attempt: number;
      maxAttempts: number;
      delayMs: number;
      message: string;
      discardsOutput: boolean;
      cause: FailureCause;
      errorType: string;
    }
  | {
      type: 'failed_attempt';
      model: string;
      error: unknown;
      latencyMs: number;
      cause: FailureCause;
      errorType: string;
      attempt: number;
      isFinal: boolean;
    }
  | {
      type: 'answer';
      model: string;
      message: Message;
      finishReason: string;
      usage?: TokenUsage;
      modelVersion?: string;
      latencyMs: number;
    };

interface ModelFailure {
  cause: FailureCause;
  errorType: string;
}

/** What has gone wrong so far with one request to one model. */
interface Tries {
  refusals: number;
  badStreams: number;
  correction?: string;
}

const noTries = (): Tries => ({ refusals: 0, badStreams: 0 });

/** After a bad or cut stream: three more tries. */
const STREAM_DELAYS_MS = [1_000, 2_000, 4_000];
/** In front of a model without room, with a user waiting. */
const CAPACITY_DELAYS_MS = [1_000, 3_000];

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
   * Sends `message` and yields the answer's chunks, then the answer. A request that fails for good takes
   * the prompt back out of the history and throws; tool responses stay, the work behind them is done.
   */
  async *sendMessageStream(
    message: Message,
    first: ChatRequest,
    signal: AbortSignal,
  ): AsyncGenerator<ChatEvent> {
    this.history.push(message);
    let request = first;
    let tries = noTries();
    let isShortened = false;
    for (;;) {
      const answer = new AnswerBuilder();
      const { model } = request;
      const started = this.options.clock.now();
      try {
        const sent = { ...request, messages: this.messagesFor(tries.correction) };
        for await (const chunk of this.generator.generateContentStream(sent, signal)) {
          answer.add(chunk);
          yield { type: 'chunk', chunk };
          // What nobody has seen is not kept either, even if the generator has more at hand.
          signal.throwIfAborted();
        }
        signal.throwIfAborted();
        const problem = this.problemOf(answer, message, model);
        if (problem) throw problem;
        this.recovery.succeeded(model);
        yield this.accept(answer, started, model);
        return;
      } catch (error) {
        if (signal.aborted) return this.giveUp(error, message, answer);
        if (endsOnPurpose(error)) return this.endOnPurpose(error, message, answer);
        const failure = failureOf(error, answer);
        const latencyMs = this.options.clock.now() - started;
        const failed = { type: 'failed_attempt', model, error, latencyMs, ...failure } as const;
        if (!isShortened && isTooLong(error)) {
          isShortened = true;
          const events = await this.recovery.shorten(request, signal);
          if (signal.aborted) return this.giveUp(signal.reason, message, answer);
          if (events) {
            yield { ...failed, attempt: 1, isFinal: false };
            for (const event of events) yield { type: 'aside', event };
            continue;
          }
        }
        const retry = this.nextTry(error, failure, tries, model);
        const attempt = tries.refusals + tries.badStreams;
        const cause = causeOf(error);
        const next = await this.recovery.switchAfter({ request, error: cause, isLast: !retry, signal });
        if (signal.aborted) return this.giveUp(signal.reason, message, answer);
        yield { ...failed, attempt, isFinal: !retry && !next };
        if (next) {
          yield switchEvent(model, next);
          request = next.request;
          tries = noTries();
          continue;
        }
        if (!retry) return this.giveUp(error, message);
        log.debug('retry', retry);
        yield { type: 'retry', model, ...retry, ...failure, discardsOutput: answer.receivedAny };
        if (failure.cause === 'stream') request = this.recovery.forRetry(request);
        await this.options.clock.sleep(retry.delayMs, signal);
        if (signal.aborted) return this.giveUp(signal.reason, message, answer);
      }
    }
  }

  private get recovery(): Recovery {
    return this.options.recovery ?? NO_RECOVERY;
  }

  /** As every provider accepts them. */
  private messagesFor(correction: string | undefined): readonly Message[] {
    const messages = this.curator.curate(this.history);
    return correction ? [...messages, userNote(correction)] : messages;
  }

  /** What the user saw before cancelling stays known to the model; calls that never ran do not. */
  private giveUp(error: unknown, message: Message, cancelled?: AnswerBuilder): never {
    const seen = cancelled?.finish().parts.filter((part) => part.text && !part.functionCall) ?? [];
    if (seen.length > 0) this.history.push({ role: 'model', origin: 'model', parts: seen });
    else if (!staysInHistory(message) && this.history.at(-1) === message) this.history.pop();
    throw error;
  }

  /** A hook ended it: a stopped prompt stays with what was said, a blocked one goes. */
  private endOnPurpose(error: Error, message: Message, answer: AnswerBuilder): never {
    if (error instanceof BlockedExecution) return this.giveUp(error, message);
    const seen = answer.finish().parts.filter((part) => part.text && !part.functionCall);
    if (seen.length > 0) this.history.push({ role: 'model', origin: 'model', parts: seen });
    throw error;
  }

  private nextTry(error: unknown, failure: ModelFailure, tries: Tries, model: string) {
    tries.correction = error instanceof InvalidStreamError ? correctionFor(error.problem) : undefined;
    return failure.cause === 'stream'
      ? this.streamRetry(error, tries.badStreams++)
      : this.requestRetry(error, ++tries.refusals, this.recovery.attemptsFor(model));
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

  private accept(answer: AnswerBuilder, started: number, model: string): ChatEvent {
    const message = answer.finish();
    this.callIds.assign(message.parts);
    if (message.parts.length > 0) this.history.push(message);
    return {
      type: 'answer',
      model,
      message,
      finishReason: answer.finishReason ?? 'STOP',
      usage: answer.usage,
      modelVersion: answer.modelVersion,
      latencyMs: this.options.clock.now() - started,
    };
  }

  private streamRetry(error: unknown, previous: number) {
    const retryable =
      error instanceof InvalidStreamError
        ? isWorthRetrying(error.problem)
        : classifyFailure(error).kind === 'retryable';
    const delayMs = STREAM_DELAYS_MS[previous];
    if (!retryable || delayMs === undefined) return undefined;
    return retryNotice(error, previous + 1, STREAM_DELAYS_MS.length + 1, delayMs);
  }

  private requestRetry(error: unknown, attempt: number, attemptsOfModel: number | undefined) {
    const { random, isInteractive, retryNetworkErrors = true } = this.options;
    const failure = classifyFailure(error);
    if (failure.kind !== 'retryable' || (failure.network && !retryNetworkErrors)) return undefined;
    // Nobody should wait long for a model that has no room: there may be another one.
    const isBrief = isInteractive === true && failure.limit === 'capacity';
    const maxAttempts = Math.min(
      attemptsOfModel ?? Number.POSITIVE_INFINITY,
      isBrief ? CAPACITY_DELAYS_MS.length + 1 : this.options.maxAttempts,
    );
    if (attempt >= maxAttempts) return undefined;
    const own = isBrief ? CAPACITY_DELAYS_MS[attempt - 1] : undefined;
    const delayMs =
      failure.delayMs === undefined
        ? (own ?? backoffDelay(API_BACKOFF, attempt, random()))
        : hintedDelay(failure.delayMs, random());
    return retryNotice(error, attempt, maxAttempts, delayMs);
  }
}

function failureOf(error: unknown, answer: AnswerBuilder): ModelFailure {
  if (error instanceof InvalidStreamError) return { cause: 'stream', errorType: error.problem };
  const errorType = error instanceof Error ? error.name : 'Error';
  return { cause: answer.receivedAny ? 'stream' : 'request', errorType };
}

function isTooLong(error: unknown): boolean {
  return error instanceof ApiError && error.details.some(({ reason }) => reason === CONTEXT_TOO_LONG);
}

/** A stream that ends without its end was cut, even where the connection was closed politely. */
function causeOf(error: unknown): unknown {
  const isCut = error instanceof InvalidStreamError && error.problem === 'NO_FINISH_REASON';
  return isCut ? new ApiError(502, 'the stream was cut') : error;
}

function switchEvent(from: string, { request, errorClass, reason }: ModelSwitch): ChatEvent {
  return { type: 'switch', from, to: request.model, errorClass, reason };
}

function retryNotice(error: unknown, attempt: number, maxAttempts: number, delayMs: number) {
  const seconds = Math.round(delayMs / 100) / 10;
  const message = `${failureText(error)} (attempt ${attempt}/${maxAttempts}, retrying in ${seconds}s)`;
  return { attempt, maxAttempts, delayMs, message };
}

/** The provider refused the prompt itself. */
class PromptBlockedError extends UserError {
  override readonly name = 'PromptBlockedError';
  override readonly reportedType = INVALID_STREAM;
  constructor(reason: string, model: string) {
    super(`${model}: the prompt was blocked by the provider (${reason}). Rephrase it and try again.`);
  }
}

function userNote(text: string): Message {
  return { role: 'user', origin: 'correction', parts: [{ text }] };
}
