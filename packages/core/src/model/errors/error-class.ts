/** The error classes of `model.fallbacks`. */
import { ApiError, CONTEXT_TOO_LONG, classifyFailure, type Failure } from './api-error.js';

export const ERROR_CLASSES = [
  'rate_limit',
  'quota',
  'overloaded',
  'unavailable',
  'context_too_long',
] as const;
export type ErrorClass = (typeof ERROR_CLASSES)[number];

/** Undefined: another model would fail, too (bad request, wrong key, a bug), or must not be asked. */
export function errorClassOf(error: unknown): ErrorClass | undefined {
  const failure = classifyFailure(error);
  if (failure.network) return 'unavailable';
  if (!(error instanceof ApiError)) return undefined;
  if (isContextTooLong(error)) return 'context_too_long';
  // A local server that does not run; fatal, because waiting does not start it.
  if (error.details.some(({ reason }) => reason === 'ECONNREFUSED')) return 'unavailable';
  return classOf(failure, error);
}

function classOf({ kind, limit }: Failure, { status, terminal }: ApiError): ErrorClass | undefined {
  if (limit) return limit === 'capacity' ? 'overloaded' : 'quota';
  switch (kind) {
    case 'not_found':
      return 'unavailable';
    case 'terminal':
      return terminal || status < 500 ? 'quota' : serverClass(status);
    case 'retryable':
      return status === 429 ? 'rate_limit' : serverClass(status);
    default:
      return undefined;
  }
}

function serverClass(status: number): ErrorClass {
  return status === 503 || status === 529 ? 'overloaded' : 'unavailable';
}

function isContextTooLong({ status, message, details }: ApiError): boolean {
  if (details.some(({ reason }) => reason === CONTEXT_TOO_LONG)) return true;
  return status === 400 && /input token count.*exceeds the maximum/is.test(message);
}
