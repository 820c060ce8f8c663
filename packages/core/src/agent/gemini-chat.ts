/** The conversation with a model: its history, and one answer at a time with all retries. */
import { API_BACKOFF, backoffDelay, hintedDelay } from '../base/backoff.js';
import { classifyFailure, failureText } from '../model/api-error.js';
import type { ContentGenerator, GenerateRequest, GenerateResponse } from '../model/content-generator.js';
import type { Clock } from '../platform/clock.js';
import { createLog } from '../platform/log.js';
import type { FailureCause } from '../protocol/agent-events.js';
import type { Message, TokenUsage } from '../protocol/messages.js';
import { AnswerBuilder } from './answer-builder.js';
import { CallIds } from './call-ids.js';
import { correctionFor, findStreamProblem, InvalidStreamError, isWorthRetrying } from './stream-validity.js';

const log = createLog('chat');

export interface ChatOptions {
  /** Tries per request when the server refuses or the network fails. */
  maxAttempts: number;
  clock: Clock;
  random: () => number;
}

/** What the caller decides per request; the chat adds the messages. */
export type ChatRequest = Omit<GenerateRequest, 'messages'>;

export type ChatEvent =
  | { type: 'chunk'; chunk: GenerateResponse }
  | {
      type: 'retry';
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
      error: unknown;
      latencyMs: number;
      cause: FailureCause;
      errorType: string;
      attempt: number;
      isFinal: boolean;
    }
  | {
      type: 'answer';
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

/** What has gone wrong so far with one request. */
interface Tries {
  refusals: number;
  badStreams: number;
  correction?: string;
}

/** After a bad or cut stream: three more tries. */
const STREAM_DELAYS_MS = [1_000, 2_000, 4_000];

export class GeminiChat {
  private history: Message[] = [];
  private readonly callIds: CallIds;

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
    request: ChatRequest,
    signal: AbortSignal,
  ): AsyncGenerator<ChatEvent> {
    if (message.origin !== 'tool_response') this.answerOpenCalls();
    this.history.push(message);
    const tries: Tries = { refusals: 0, badStreams: 0 };
    for (;;) {
      const answer = new AnswerBuilder();
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
        const problem = this.problemOf(answer, message);
        if (problem) throw problem;
        yield this.accept(answer, started);
        return;
      } catch (error) {
        if (signal.aborted) return this.giveUp(error, message, answer);
        const failure = failureOf(error, answer);
        const retry = this.nextTry(error, failure, tries);
        const attempt = tries.refusals + tries.badStreams;
        const latencyMs = this.options.clock.now() - started;
        yield { type: 'failed_attempt', error, latencyMs, ...failure, attempt, isFinal: !retry };
        if (!retry) return this.giveUp(error, message);
        log.debug('retry', retry);
        yield { type: 'retry', ...retry, ...failure, discardsOutput: answer.receivedAny };
        await this.options.clock.sleep(retry.delayMs, signal);
        if (signal.aborted) return this.giveUp(signal.reason, message, answer);
      }
    }
  }

  /** Whoever stopped reading a request in the middle left calls without a response; the API refuses those. */
  private answerOpenCalls(): void {
    const parts = (this.history.at(-1)?.parts ?? []).flatMap(({ functionCall }) => {
      if (!functionCall) return [];
      const error = '[Operation Cancelled] The request was abandoned; whether the call ran is not known.';
      return [{ functionResponse: { id: functionCall.id, name: functionCall.name, response: { error } } }];
    });
    if (parts.length > 0) this.history.push({ role: 'user', origin: 'tool_response', parts });
  }

  private messagesFor(correction: string | undefined): readonly Message[] {
    return correction ? [...this.history, userNote(correction)] : this.history;
  }

  /** What the user saw before cancelling stays known to the model; calls that never ran do not. */
  private giveUp(error: unknown, message: Message, cancelled?: AnswerBuilder): never {
    const seen = cancelled?.finish().parts.filter((part) => part.text && !part.functionCall) ?? [];
    if (seen.length > 0) this.history.push({ role: 'model', origin: 'model', parts: seen });
    else if (message.origin !== 'tool_response' && this.history.at(-1) === message) this.history.pop();
    throw error;
  }

  private nextTry(error: unknown, failure: ModelFailure, tries: Tries) {
    tries.correction = error instanceof InvalidStreamError ? correctionFor(error.problem) : undefined;
    return failure.cause === 'stream'
      ? this.streamRetry(error, tries.badStreams++)
      : this.requestRetry(error, ++tries.refusals);
  }

  private problemOf(answer: AnswerBuilder, message: Message): Error | undefined {
    answer.finish();
    if (answer.blockReason && answer.parts.length === 0) return new PromptBlockedError(answer.blockReason);
    const problem = findStreamProblem({
      parts: answer.parts,
      finishReason: answer.finishReason,
      sawThought: answer.sawThought,
      afterToolResponse: message.origin === 'tool_response',
    });
    return problem && new InvalidStreamError(problem, answer.finishReason);
  }

  private accept(answer: AnswerBuilder, started: number): ChatEvent {
    const message = answer.finish();
    this.callIds.assign(message.parts);
    if (message.parts.length > 0) this.history.push(message);
    return {
      type: 'answer',
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

  private requestRetry(error: unknown, attempt: number) {
    const { maxAttempts, random } = this.options;
    const failure = classifyFailure(error);
    if (failure.kind !== 'retryable' || attempt >= maxAttempts) return undefined;
    const delayMs =
      failure.delayMs === undefined
        ? backoffDelay(API_BACKOFF, attempt, random())
        : hintedDelay(failure.delayMs, random());
    return retryNotice(error, attempt, maxAttempts, delayMs);
  }
}

function failureOf(error: unknown, answer: AnswerBuilder): ModelFailure {
  if (error instanceof InvalidStreamError) return { cause: 'stream', errorType: error.problem };
  const errorType = error instanceof Error ? error.name : 'Error';
  return { cause: answer.receivedAny ? 'stream' : 'request', errorType };
}

function retryNotice(error: unknown, attempt: number, maxAttempts: number, delayMs: number) {
  const seconds = Math.round(delayMs / 100) / 10;
  const message = `${failureText(error)} (attempt ${attempt}/${maxAttempts}, retrying in ${seconds}s)`;
  return { attempt, maxAttempts, delayMs, message };
}

/** The provider refused the prompt itself. */
export class PromptBlockedError extends Error {
  constructor(reason: string) {
    super(`The prompt was blocked by the provider (${reason}). Rephrase it and try again.`);
    this.name = 'PromptBlockedError';
  }
}

function userNote(text: string): Message {
  return { role: 'user', origin: 'correction', parts: [{ text }] };
}
