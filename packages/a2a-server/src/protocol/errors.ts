/** Errors of tasks and of HTTP as the classes that the A2A library writes in both protocol versions. */
import {
  A2AError,
  RequestMalformedError,
  TaskNotCancelableError,
  TaskNotFoundError,
  UnsupportedOperationError,
} from '@a2a-js/sdk/errors';
import { createLog } from '@gemini-cli/core';
import { HttpError } from '../http/http-error.js';
import { TaskError, type TaskErrorCode } from '../task-error.js';
import type { Call } from './call.js';

export const INTERNAL = 'The server failed. Its log says more.';

const log = createLog('a2a-protocol');

const CLASSES: Partial<Record<TaskErrorCode, new (message: string) => A2AError>> = {
  task_not_found: TaskNotFoundError,
  not_cancelable: TaskNotCancelableError,
  invalid: RequestMalformedError,
  unsupported: UnsupportedOperationError,
};

/**
 * What the library writes for the client. A refusal that HTTP has a status of its own for is noted in the call. Texts of
 * unexpected errors are for the log only.
 */
export function toProtocolError(error: unknown, call: Call): unknown {
  if (error instanceof A2AError || isLegacyError(error)) return error;
  if (error instanceof TaskError) {
    const known = CLASSES[error.code];
    if (known) return new known(error.message);
    call.refusal = new HttpError(error.code === 'too_many' ? 429 : 503, error.message, {
      'retry-after': '5',
    });
    return call.refusal;
  }
  if (error instanceof HttpError) {
    call.refusal = error;
    return error;
  }
  if (call.signal.aborted) return error;
  log.error('a request failed', error);
  return new Error(INTERNAL);
}

/** The library's errors of version 0.3, which have a class of their own in each of its files. */
function isLegacyError(error: unknown): boolean {
  return error instanceof Error && 'envelopeCode' in error;
}
