/** Errors as data, for events and for the formats that programs read. */
import { FatalError, messageOf, OutputSchemaError } from '../base/errors.js';
import { ApiError, failureText, networkCode } from '../model/errors/api-error.js';
import { adviceAfter } from '../model/errors/remedies.js';
import type { ErrorInfo } from '../protocol/agent-events.js';
import { adviceFor, InvalidStreamError, PromptBlockedError } from './chat/stream-validity.js';

export function toErrorInfo(error: unknown): ErrorInfo {
  if (error instanceof PromptBlockedError) return { type: 'INVALID_STREAM', message: error.message };
  if (error instanceof InvalidStreamError) {
    return { type: 'INVALID_STREAM', message: `${error.message} ${adviceFor(error.problem)}` };
  }
  if (error instanceof OutputSchemaError) return { type: 'OUTPUT_SCHEMA', message: error.message };
  if (error instanceof ApiError) {
    const advice = adviceAfter(error);
    const message = `[API Error: ${error.message}${advice && ` ${advice}`}]`;
    return { type: 'ApiError', message, code: error.status };
  }
  if (error instanceof FatalError) return { type: error.name, message: error.message, code: error.exitCode };
  const type = error instanceof Error && error.name ? error.name : 'Error';
  const code = networkCode(error);
  const message = code ? `[API Error: ${failureText(error)}]` : messageOf(error);
  return { type: code ? 'ApiError' : type, message, ...(code && { code }) };
}
