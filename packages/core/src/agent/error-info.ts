/** Errors as data, for events and for the formats that programs read. */
import { FatalError, messageOf } from '../base/errors.js';
import { ApiError } from '../model/api-error.js';
import type { ErrorInfo } from '../protocol/agent-events.js';
import { PromptBlockedError } from './gemini-chat.js';
import { InvalidStreamError } from './stream-validity.js';

export function toErrorInfo(error: unknown): ErrorInfo {
  if (error instanceof InvalidStreamError || error instanceof PromptBlockedError) {
    return { type: 'INVALID_STREAM', message: error.message };
  }
  if (error instanceof ApiError) {
    return { type: 'ApiError', message: `[API Error: ${error.message}]`, code: error.status };
  }
  if (error instanceof FatalError) return { type: error.name, message: error.message, code: error.exitCode };
  const type = error instanceof Error && error.name ? error.name : 'Error';
  const code = networkCode(error);
  const message = code ? `[API Error: ${networkMessage(code, error)}]` : messageOf(error);
  return { type: code ? 'ApiError' : type, message, ...(code && { code }) };
}

function networkCode(error: unknown): string | undefined {
  if (!(error instanceof Error)) return undefined;
  const { code, syscall } = error as NodeJS.ErrnoException;
  return code && (syscall || code === 'ECONNRESET') ? code : undefined;
}

function networkMessage(code: string, error: unknown): string {
  switch (code) {
    case 'ENOTFOUND':
    case 'EAI_AGAIN':
      return `the server's name cannot be resolved; is the network up? (${messageOf(error)})`;
    case 'ECONNREFUSED':
      return `the server refuses connections (${messageOf(error)})`;
    case 'ECONNRESET':
      return 'the connection was cut';
    default:
      return messageOf(error);
  }
}
