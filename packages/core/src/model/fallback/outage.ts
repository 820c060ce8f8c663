/** How long a model is not asked after a failure, and one line about it for the user. */
import { clockTime } from '../../base/clock-time.js';
import { ConnectionError, classifyFailure, failureText, freeAgainAt } from '../errors/api-error.js';
import type { ErrorClass } from '../errors/error-class.js';
import type { ModelAvailability } from './availability.js';
import type { PolicyFailure, PolicyTransition } from './policy-chains.js';

/** The kinds of failure that policies distinguish. */
export function policyFailureOf(error: unknown): PolicyFailure {
  const { kind, limit } = classifyFailure(error);
  if (kind === 'terminal' || limit === 'capacity') return 'terminal';
  if (kind === 'not_found') return 'not_found';
  return kind === 'retryable' ? 'transient' : 'unknown';
}

/**
 * Marks the model according to the failure: `quota` until its reset or the end of the session, no capacity for
 * 30 s, `rate_limit` until the server's delay is over, everything else as the policy says. A conversation that
 * is too long says nothing about the model.
 */
export function markOutage(
  availability: ModelAvailability,
  failed: { model: string; error: unknown; errorClass: ErrorClass },
  now: number,
  transitions?: Record<PolicyFailure, PolicyTransition>,
): void {
  const { model, error, errorClass } = failed;
  if (errorClass === 'context_too_long') return;
  const until = freeAgainAt(error, now);
  if (errorClass === 'quota') {
    availability.markTerminal(model, 'quota', until);
  } else if (errorClass === 'rate_limit' && until !== undefined) {
    availability.markTerminal(model, 'rate_limit', until);
  } else if (classifyFailure(error).limit === 'capacity') {
    availability.markTerminal(model, 'capacity');
  } else if (errorClass !== 'rate_limit' && transitions?.[policyFailureOf(error)] === 'terminal') {
    availability.markTerminal(model, isNotFound(error) ? 'not_found' : 'unavailable', until);
  } else {
    availability.markStickyRetry(model, errorClass === 'rate_limit' ? 'rate_limit' : 'unavailable');
  }
}

function isNotFound(error: unknown): boolean {
  return classifyFailure(error).kind === 'not_found';
}

const LONGEST_TEXT = 160;

/** `The quota of gemini-2.5-pro is used up (until 14:05)`. */
export function describeOutage(
  { model, error, errorClass }: { model: string; error: unknown; errorClass: ErrorClass },
  now: number,
): string {
  const until = freeAgainAt(error, now);
  const when = until === undefined ? '' : ` (until ${clockTime(until, now)})`;
  switch (errorClass) {
    case 'quota':
      return `The quota of ${model} is used up${when}`;
    case 'rate_limit':
      return `${model} gets too many requests${when}`;
    case 'overloaded':
      return `${model} is overloaded`;
    case 'context_too_long':
      return `The conversation is too long for ${model}`;
    case 'unavailable':
      // The text of a failed connection begins with the model.
      if (error instanceof ConnectionError) return oneLine(error.message);
      return `${model} is not available: ${oneLine(failureText(error))}`;
  }
}

function oneLine(text: string): string {
  const line = text.replace(/\s+/g, ' ').trim();
  return line.length > LONGEST_TEXT ? `${line.slice(0, LONGEST_TEXT - 1)}…` : line;
}
