/** Repeats work while the database is away: it may be restarting. */
import { setTimeout as sleep } from 'node:timers/promises';

const FIRST_MS = 50;
const LONGEST_MS = 1000;

export interface RetryOptions {
  /** Then the last error is thrown. */
  forMs: number;
  signal?: AbortSignal;
}

/** The work must be safe to repeat: its first run may have had its effect. */
export async function whileAway<T>(work: () => Promise<T>, { forMs, signal }: RetryOptions): Promise<T> {
  const until = performance.now() + forMs;
  for (let pause = FIRST_MS; ; pause = Math.min(pause * 2, LONGEST_MS)) {
    try {
      return await work();
    } catch (error) {
      if (!isAway(error) || signal?.aborted || performance.now() > until) throw error;
      await sleep(pause);
    }
  }
}

/** Connection errors, shutdown and start of the server, a full disk or memory, serialization conflicts. */
export function isAway(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  const { code } = error as { code?: unknown };
  if (typeof code === 'string' && AWAY_CODES.test(code)) return true;
  if (error instanceof AggregateError) return error.errors.some(isAway);
  return /Connection terminated|timeout expired|timeout exceeded|Query read timeout|Client has encountered a connection error/i.test(
    error.message,
  );
}

const AWAY_CODES = /^(08|53|57P|40001|40P01|ECONN|EPIPE|ETIMEDOUT|ENOTFOUND|EAI_AGAIN)/;
