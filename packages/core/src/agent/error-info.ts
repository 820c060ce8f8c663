/** Errors as data, for events and for the formats that programs read. */
import { FatalError, messageOf, typeOf } from '../base/errors.js';
import { ApiError, failureText, networkCode } from '../model/errors/api-error.js';
import { commandLineAdvice, remedyAfter } from '../model/errors/remedies.js';
import type { ErrorInfo } from '../protocol/agent-events.js';
import { InvalidStreamError, remedyFor } from './chat/stream-validity.js';

export function toErrorInfo(error: unknown, now = Date.now()): ErrorInfo {
  const type = typeOf(error);
  if (error instanceof FatalError) {
    const { message, exitCode, cause } = error;
    const httpStatus = cause instanceof ApiError ? cause.status : undefined;
    return { type, message, code: exitCode, exitCode, ...(httpStatus !== undefined && { httpStatus }) };
  }
  if (error instanceof InvalidStreamError) {
    const remedy = remedyFor(error.problem);
    return {
      type,
      message: `${error.message} ${commandLineAdvice(remedy, now)}`,
      reason: error.message,
      remedy,
    };
  }
  if (error instanceof ApiError) {
    const remedy = remedyAfter(error, now);
    const advised = (advice: string) => `[API Error: ${error.message}${advice}]`;
    if (!remedy) return { type, message: advised(''), code: error.status };
    const message = advised(` ${commandLineAdvice(remedy, now)}`);
    return { type, message, code: error.status, reason: advised(''), remedy };
  }
  const code = networkCode(error);
  if (code) return { type: ApiError.type, message: `[API Error: ${failureText(error)}]`, code };
  return { type, message: messageOf(error) };
}
