/** A retried request, for the status line. */
import type { AgentEventBody } from '@gemini-cli/core';
import type { Retry } from './state.js';

type RetryEvent = Extract<AgentEventBody, { type: 'retry' }>;

export function retryOf(event: RetryEvent, now: number): Retry {
  const { attempt, maxAttempts, delayMs, message } = event;
  const next = attempt + 1;
  const count = attempt === 0 ? '' : maxAttempts === 0 ? `try ${next}` : `${next}/${maxAttempts}`;
  return { what: whatFailed(event), count, endsAt: now + delayMs, details: message };
}

function whatFailed({ cause, code, message }: RetryEvent): string {
  if (cause === undefined) return message;
  if (cause === 'stream') return 'Incomplete answer';
  if (typeof code !== 'number' || code === 0) return 'No connection';
  if (code === 429) return 'Too many requests';
  return code >= 500 ? `Server error ${code}` : `Error ${code}`;
}
