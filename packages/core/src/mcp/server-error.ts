/** What an error of the protocol library means for the connection. */
import { isObject } from '../base/objects.js';

/** Of a remote server: a network error, or a server that was started again and does not know our session. */
export function isConnectionGone(error: unknown): boolean {
  if (!isObject(error)) return false;
  const isNetwork = typeof error['code'] === 'string' && /^E[A-Z]+$/.test(error['code']);
  return isNetwork || (isObject(error['data']) && error['data']['status'] === 400);
}

export function isMethodNotFound(error: unknown): boolean {
  return isObject(error) && error['code'] === -32601;
}
