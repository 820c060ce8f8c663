/** Advice after a refusal, where it is the same for every provider. */
import { ApiError, classifyFailure, clipped, serverDelay } from './api-error.js';

const ANOTHER_MODEL = 'choose another model with --model';

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
export function adviceAfter(error: unknown): string {
  if (!(error instanceof ApiError) || error.terminal) return '';
  const { kind, limit } = classifyFailure(error);
  if (kind === 'retryable') return `Try again later, or ${ANOTHER_MODEL}.`;
  if (kind !== 'terminal') return '';
  const delay = serverDelay(error);
  const when = delay === undefined ? '' : ` (${spanOf(delay)})`;
  return limit === 'quota'
    ? `Wait until the quota is renewed${when}, or ${ANOTHER_MODEL}.`
    : `Try again later${when}, or ${ANOTHER_MODEL}.`;
}

function spanOf(ms: number): string {
  const minutes = Math.ceil(ms / 60_000);
  return minutes < 120 ? `${minutes} min` : `${Math.ceil(minutes / 60)} h`;
}
