/** Summarises the old part in the background while the conversation continues; the next turn uses the result. */
import { messageOf } from '../../base/errors.js';
import { createLog } from '../../platform/log.js';
import type { Message } from '../../protocol/messages.js';
import type { CompressionOutcome } from '../compression/compress.js';

const log = createLog('context');

const MESSAGES_BETWEEN_TRIES = 10;

/** Summarises everything before `keepFrom`. */
export type Summarise = (
  history: readonly Message[],
  keepFrom: number,
  signal: AbortSignal,
) => Promise<CompressionOutcome>;

interface Finished {
  replaced: readonly Message[];
  outcome: CompressionOutcome;
  /** What the replaced messages became. */
  head: readonly Message[];
}

export class RollingSummaryProcessor {
  private readonly stop = new AbortController();
  private running: Promise<void> | undefined;
  private finished: Finished | undefined;
  /** Where the last try failed: the next one waits for more messages. */
  private failedAt = Number.NEGATIVE_INFINITY;

  constructor(private readonly summarise: Summarise) {}

  get isRunning(): boolean {
    return this.running !== undefined;
  }

  start(history: readonly Message[], keepFrom: number): void {
    if (this.running || this.finished || this.stop.signal.aborted) return;
    if (Math.abs(keepFrom - this.failedAt) < MESSAGES_BETWEEN_TRIES) return;
    const copy = [...history];
    this.running = this.summarise(copy, keepFrom, this.stop.signal)
      .then((outcome) => this.keep(copy, keepFrom, outcome))
      .catch((error) => {
        this.failedAt = keepFrom;
        log.warn('a rolling summary failed', messageOf(error));
      })
      .finally(() => {
        this.running = undefined;
      });
  }

  /** The history with a finished summary; undefined when there is none for this history. */
  take(
    history: readonly Message[],
  ): { history: readonly Message[]; outcome: CompressionOutcome } | undefined {
    const { finished } = this;
    this.finished = undefined;
    if (!finished?.replaced.every((message, index) => message === history[index])) return undefined;
    return {
      history: [...finished.head, ...history.slice(finished.replaced.length)],
      outcome: finished.outcome,
    };
  }

  /** Resolves when no summary is being made. */
  async settled(): Promise<void> {
    await this.running;
  }

  dispose(): void {
    this.stop.abort();
  }

  private keep(history: readonly Message[], keepFrom: number, outcome: CompressionOutcome): void {
    if (outcome.status !== 'COMPRESSED') {
      this.failedAt = keepFrom;
      return;
    }
    const keptCount = history.length - keepFrom;
    const head = outcome.history.slice(0, outcome.history.length - keptCount);
    this.finished = { replaced: history.slice(0, keepFrom), outcome, head };
  }
}
