/** Advice after a refusal, where it is the same for every provider. */
import { clockTime } from '../../base/clock-time.js';
import type { ErrorRemedy } from '../../protocol/agent-events.js';
import { ApiError, classifyFailure, clipped, freeAgainAt } from './api-error.js';

const ANOTHER_MODEL = 'choose another model';

/** For refusals that a retry does not change. Empty: no advice. */
export function remedyForRefusal(status: number, location?: string | string[]): string {
  if (status < 400) {
    const where = typeof location === 'string' ? ` to ${clipped(location, 200)}` : '';
    const what = status >= 300 ? `It points${where}; credentials are not sent after it. ` : '';
    return `${what}Check the base URL.`;
  }
  if (status === 400 || status === 422) {
    return `The same request would be refused again: change it, or ${ANOTHER_MODEL}.`;
  }
  if (status === 403) return `The account may not use this model: ${ANOTHER_MODEL}.`;
  return status === 404 ? 'Check the name of the model.' : '';
}

/** After the last try: what the user can do about a limit or a failing service. */
export function remedyAfter(error: unknown, now: number): ErrorRemedy | undefined {
  if (!(error instanceof ApiError) || error.terminal) return undefined;
  const { kind, limit } = classifyFailure(error);
  if (kind === 'retryable') return { kind: 'later' };
  if (kind !== 'terminal') return undefined;
  const until = freeAgainAt(error, now);
  return {
    kind: limit === 'quota' || error.status === 429 ? 'quota' : 'later',
    ...(until !== undefined && { until }),
  };
}

/** The remedy in the words of the command line; the screen has its own. */
export function commandLineAdvice({ kind, until }: ErrorRemedy, now: number): string {
  const time = until === undefined ? undefined : clockTime(until, now);
  switch (kind) {
    case 'quota':
      return `Quota used up${time ? ` until ${time}` : ''}; ${ANOTHER_MODEL} with --model.`;
    case 'later':
      return `Try again ${time ? `after ${time}` : 'later'}, or ${ANOTHER_MODEL} with --model.`;
    case 'again':
      return `Try again, or ${ANOTHER_MODEL} with --model.`;
    case 'rephrase':
      return `Rephrase the prompt, or ${ANOTHER_MODEL} with --model.`;
  }
}
