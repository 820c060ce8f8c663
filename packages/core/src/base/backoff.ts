/** Delays between retries. Pure: the caller provides the random number. */

export interface BackoffRule {
  initialMs: number;
  maxMs: number;
}

export const API_BACKOFF: BackoffRule = { initialMs: 5_000, maxMs: 30_000 };

/** Exponential, ±30 %. `attempt` starts at 1. */
export function backoffDelay(rule: BackoffRule, attempt: number, random: number): number {
  const base = Math.min(rule.maxMs, rule.initialMs * 2 ** (attempt - 1));
  return Math.round(base * (0.7 + 0.6 * random));
}

/** The delay that the server asked for is a minimum: plus 0 to 20 %. */
export function hintedDelay(serverDelayMs: number, random: number): number {
  return Math.round(serverDelayMs * (1 + 0.2 * random));
}
