/** Errors of fetching a web page, worded for the model. */
import { codeOf, ModelError, messageOf } from '../../base/errors.js';

/** `blocked`: not on the public internet. `network`: a retry may work. */
export type WebRequestProblem = 'blocked' | 'timeout' | 'redirect' | 'encoding' | 'network';

export class WebRequestError extends ModelError {
  override readonly name = 'WebRequestError';
  constructor(
    readonly problem: WebRequestProblem,
    message: string,
    cause?: unknown,
  ) {
    super(message, { cause });
  }
}

export function toWebRequestError(error: unknown, host: string): WebRequestError {
  if (error instanceof WebRequestError) return error;
  const code = codeOf(error) ?? '';
  if (code.startsWith('Z_') || code.startsWith('ERR__ERROR_FORMAT') || code.startsWith('ERR_BROTLI')) {
    return new WebRequestError('encoding', `${host} sent a damaged compressed body.`, error);
  }
  const known = NETWORK_ERRORS[code];
  // Some messages repeat text of the server.
  const detail = known ?? (messageOf(error).slice(0, MAX_DETAIL) || code || 'connection failed');
  return new WebRequestError('network', `${host}: ${detail}`, error);
}

const MAX_DETAIL = 150;

const NETWORK_ERRORS: Readonly<Record<string, string>> = {
  ENOTFOUND: 'no such host',
  EAI_AGAIN: 'the name could not be resolved',
  ECONNREFUSED: 'the connection was refused',
  ECONNRESET: 'connection lost',
  EHOSTUNREACH: 'the host cannot be reached',
  ENETUNREACH: 'the network cannot be reached',
  ETIMEDOUT: 'no connection in time',
  ERR_TLS_CERT_ALTNAME_INVALID: 'the certificate is for another host',
};
