/** One payload of a streamed answer. */
import { createLog } from '../../platform/log.js';
import { type Asked, toGoogleError } from './errors.js';

const log = createLog('model');

/** Undefined for an unreadable payload: it is skipped. @throws ApiError for a failure inside the stream */
export function parsePayload(payload: string, asked: Asked): unknown {
  let value: unknown;
  try {
    value = JSON.parse(payload);
  } catch {
    log.warn('invalid_chunk', { length: payload.length });
    return undefined;
  }
  if (hasError(value)) throw toGoogleError(asked, 500, payload);
  return value;
}

/** Status 200 with an error inside. */
export function hasError(value: unknown): boolean {
  return typeof value === 'object' && value !== null && 'error' in value && Boolean(value.error);
}
