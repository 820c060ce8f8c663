/** Whether a failed model request is made again, and how long to wait before. */
import { API_BACKOFF, backoffDelay, hintedDelay } from '../../base/backoff.js';
import { ApiError, classifyFailure, failureText } from '../../model/errors/api-error.js';
import type { FailureCause } from '../../protocol/agent-events.js';
import { correctionFor, InvalidStreamError, isWorthRetrying } from './stream-validity.js';

export interface RetryOptions {
  /** Tries per request when the server refuses or the network fails. */
  maxAttempts: number;
  random: () => number;
  /** A user waits in front of the screen. */
  isInteractive?: boolean;
  /** False: a broken connection is not tried again. */
  retryNetworkErrors?: boolean;
}

export interface ModelFailure {
  cause: FailureCause;
  errorType: string;
}

interface NextTry {
  attempt: number;
  /** 0: until the model answers or the user stops. */
  maxAttempts: number;
  delayMs: number;
  message: string;
}

/** After a bad or cut stream: three more tries. */
const STREAM_DELAYS_MS = [1_000, 2_000, 4_000];
/** For an overloaded model, with a user waiting. */
const CAPACITY_DELAYS_MS = [1_000, 3_000];

/** Counts the failures of one request to one model. */
export class RetryPlan {
  /** Added to the next try: tells the model what was wrong with its last answer. */
  correction: string | undefined;
  private refusals = 0;
  private badStreams = 0;
  /** Tries since the user asked to keep trying; undefined: the user was not asked. */
  private extraTries: number | undefined;

  constructor(private readonly options: RetryOptions) {}

  get attempt(): number {
    return this.refusals + this.badStreams;
  }

  /** Undefined: the model is not asked again. @param modelAttempts tries the model has; absent: as the user set */
  next(error: unknown, { cause }: ModelFailure, modelAttempts: number | undefined): NextTry | undefined {
    this.correction = error instanceof InvalidStreamError ? correctionFor(error.problem) : undefined;
    if (this.extraTries !== undefined && classifyFailure(causeOf(error)).kind === 'retryable') {
      this.refusals++;
      return this.keepTrying(error);
    }
    return cause === 'stream'
      ? streamRetry(error, this.badStreams++)
      : this.requestRetry(error, ++this.refusals, modelAttempts);
  }

  /** The user wants to wait: from now on every failure that may pass is followed by another try. */
  keepTrying(error: unknown): NextTry {
    this.extraTries = (this.extraTries ?? 0) + 1;
    const random = this.options.random();
    const { delayMs: hint } = classifyFailure(error);
    const delayMs =
      hint === undefined ? backoffDelay(API_BACKOFF, this.extraTries, random) : hintedDelay(hint, random);
    return nextTry(error, this.attempt, 0, delayMs);
  }

  private requestRetry(error: unknown, attempt: number, modelAttempts: number | undefined) {
    const { random, isInteractive, retryNetworkErrors = true } = this.options;
    const failure = classifyFailure(error);
    if (failure.kind !== 'retryable' || (failure.network && !retryNetworkErrors)) return undefined;
    // Another model may have room, so the user does not wait long for an overloaded one.
    const isBrief = isInteractive === true && failure.limit === 'capacity';
    const maxAttempts = Math.min(
      modelAttempts ?? Number.POSITIVE_INFINITY,
      isBrief ? CAPACITY_DELAYS_MS.length + 1 : this.options.maxAttempts,
    );
    if (attempt >= maxAttempts) return undefined;
    const own = isBrief ? CAPACITY_DELAYS_MS[attempt - 1] : undefined;
    const delayMs =
      failure.delayMs === undefined
        ? (own ?? backoffDelay(API_BACKOFF, attempt, random()))
        : hintedDelay(failure.delayMs, random());
    return nextTry(error, attempt, maxAttempts, delayMs);
  }
}

/** @param receivedAny the answer had begun when it failed */
export function failureOf(error: unknown, receivedAny: boolean): ModelFailure {
  if (error instanceof InvalidStreamError) return { cause: 'stream', errorType: error.problem };
  const errorType = error instanceof Error ? error.name : 'Error';
  return { cause: receivedAny ? 'stream' : 'request', errorType };
}

/** A stream without a finish reason was cut, even if the connection was closed properly. */
export function causeOf(error: unknown): unknown {
  const isCut = error instanceof InvalidStreamError && error.problem === 'NO_FINISH_REASON';
  return isCut ? new ApiError(502, 'the stream was cut') : error;
}

function streamRetry(error: unknown, previous: number): NextTry | undefined {
  const retryable =
    error instanceof InvalidStreamError
      ? isWorthRetrying(error.problem)
      : classifyFailure(error).kind === 'retryable';
  const delayMs = STREAM_DELAYS_MS[previous];
  if (!retryable || delayMs === undefined) return undefined;
  return nextTry(error, previous + 1, STREAM_DELAYS_MS.length + 1, delayMs);
}

function nextTry(error: unknown, attempt: number, maxAttempts: number, delayMs: number): NextTry {
  const seconds = Math.round(delayMs / 100) / 10;
  const count = maxAttempts === 0 ? attempt : `${attempt}/${maxAttempts}`;
  const message = `${failureText(error)} (attempt ${count}, retrying in ${seconds}s)`;
  return { attempt, maxAttempts, delayMs, message };
}
