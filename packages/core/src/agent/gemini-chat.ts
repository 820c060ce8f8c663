/** The conversation with a model: its history, and one answer at a time with all retries. */
import { API_BACKOFF, backoffDelay, hintedDelay } from '../base/backoff.js';
import { messageOf } from '../base/errors.js';
import { classifyFailure } from '../model/api-error.js';
import type { ContentGenerator, GenerateRequest, GenerateResponse } from '../model/content-generator.js';
import type { Clock } from '../platform/clock.js';
import { createLog } from '../platform/log.js';
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
    }
  | { type: 'failed_attempt'; error: unknown; latencyMs: number }
  | {
      type: 'answer';
      message: Message;
      finishReason: string;
      usage?: TokenUsage;
      modelVersion?: string;
      latencyMs: number;
    };

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
        }
        signal.throwIfAborted();
        const problem = this.problemOf(answer, message);
        if (problem) throw problem;
        yield this.accept(answer, started);
        return;
      } catch (error) {
        if (signal.aborted) return this.giveUp(error, message, answer);
        yield { type: 'failed_attempt', error, latencyMs: this.options.clock.now() - started };
        const retry = this.nextTry(error, answer, tries);
        if (!retry) return this.giveUp(error, message);
        log.debug('retry', retry);
        yield { type: 'retry', ...retry, discardsOutput: answer.receivedAny };
        await this.options.clock.sleep(retry.delayMs, signal);
        if (signal.aborted) return this.giveUp(signal.reason, message);
      }
    }
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

  private nextTry(error: unknown, answer: AnswerBuilder, tries: Tries) {
    const isInvalid = error instanceof InvalidStreamError;
    tries.correction = isInvalid ? correctionFor(error.problem) : undefined;
    return answer.receivedAny || isInvalid
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

function retryNotice(error: unknown, attempt: number, maxAttempts: number, delayMs: number) {
  const seconds = Math.round(delayMs / 100) / 10;
  const message = `${messageOf(error)} (attempt ${attempt}/${maxAttempts}, retrying in ${seconds}s)`;
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
