/** One message for a failed connection: the server, what happened, what to do. */
import { codeOf, messageOf } from '../../base/errors.js';
import { HttpTimeoutError } from '../../platform/net/http.js';
import { OversizedPayloadError } from '../wire/sse.js';
import { ApiError, ConnectionError, failureText, networkCodeIn } from './api-error.js';

/** @param name the requested model: `openai/gpt-4o`. Other errors are returned unchanged. */
export function toConnectionError(error: unknown, name: string): unknown {
  if (error instanceof ConnectionError || error instanceof ApiError) return error;
  if (error instanceof OversizedPayloadError) {
    return new ApiError(0, `${name}: ${error.message}. Check the base URL.`);
  }
  const code = networkCodeIn(error);
  if (!code) return error;
  // A wrapping error has its own message, e.g. about the sign-in server.
  const what = codeOf(error) === code ? whatHappened(code, error) : messageOf(error);
  return new ConnectionError(code, `${name}: ${what}. ${remedyFor(code, error)}`, error);
}

function whatHappened(code: string, error: unknown): string {
  const message = messageOf(error);
  if (code.startsWith('HPE_')) return `what the server sends is not HTTP (${message})`;
  if (code === 'EPIPE' || code === 'ERR_STREAM_PREMATURE_CLOSE') return 'connection lost';
  if (isTls(code)) return `no secure connection could be made (${code})`;
  return failureText(error);
}

function remedyFor(code: string, error: unknown): string {
  if (code.startsWith('HPE_') || code === 'ECONNREFUSED') return 'Check the server address.';
  if (isTls(code)) return 'Check the server address and the proxy.';
  if (error instanceof HttpTimeoutError)
    return `GEMINI_CLI_${error.limit === 'request' ? 'REQUEST' : 'STREAM'}_TIMEOUT sets the limit, in seconds.`;
  return 'If this keeps happening, check your network or proxy.';
}

function isTls(code: string): boolean {
  return code === 'EPROTO' || code.startsWith('ERR_SSL_');
}
