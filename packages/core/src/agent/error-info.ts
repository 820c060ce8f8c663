/** Errors as data, for events and for the formats that programs read. */
import { FatalError, messageOf, typeOf } from '../base/errors.js';
import { ApiError, failureText, networkCode } from '../model/errors/api-error.js';
import { adviceAfter } from '../model/errors/remedies.js';
import type { ErrorInfo } from '../protocol/agent-events.js';
import { adviceFor, InvalidStreamError } from './chat/stream-validity.js';

export function toErrorInfo(error: unknown): ErrorInfo {
  const type = typeOf(error);
  if (error instanceof FatalError) {
    const { message, exitCode } = error;
    return { type, message, code: exitCode, exitCode };
  }
  if (error instanceof InvalidStreamError) {
    return { type, message: `${error.message} ${adviceFor(error.problem)}` };
  }
  if (error instanceof ApiError) {
    const advice = adviceAfter(error);
    return { type, message: `[API Error: ${error.message}${advice && ` ${advice}`}]`, code: error.status };
  }
  const code = networkCode(error);
  if (code) return { type: ApiError.type, message: `[API Error: ${failureText(error)}]`, code };
  return { type, message: messageOf(error) };
}
