/** Turns what the protocol library throws into an error that names the server. */
import { messageOf } from '../base/errors.js';
import { isObject } from '../base/objects.js';
import { type McpErrorCode, McpServerError } from './errors.js';

export interface ErrorScene {
  connecting?: boolean;
  /** The limit that a timeout exceeded. */
  timeout?: number;
}

export function asServerError(
  name: string,
  error: unknown,
  { connecting = false, timeout }: ErrorScene = {},
): McpServerError {
  if (error instanceof McpServerError) return error;
  const code = codeOf(error);
  const what = {
    unauthorized: `it asks for a sign-in. Run /mcp auth ${name}.`,
    session_lost: 'it does not know this session any more.',
    timeout: `it did not answer within ${(timeout ?? 0) < 1000 ? `${timeout} ms` : `${Math.round((timeout ?? 0) / 100) / 10} s`}.`,
    transport: connecting ? `connecting failed: ${plain(error)}` : plain(error),
    protocol: connecting ? `connecting failed: ${plain(error)}` : plain(error),
    not_connected: 'it is not connected.',
  }[code];
  return new McpServerError(name, code, what, error);
}

/** Codes of the library: strings for its own errors, numbers for those that servers send. */
function codeOf(error: unknown): McpErrorCode {
  if (!isObject(error)) return 'transport';
  const data = isObject(error['data']) ? error['data'] : {};
  const status = data['status'] ?? error['status'];
  if (status === 401) return 'unauthorized';
  if (status === 404 && error['code'] !== undefined) return 'session_lost';
  if (error['code'] === 'REQUEST_TIMEOUT') return 'timeout';
  if (error['code'] === 'NOT_CONNECTED') return 'not_connected';
  return typeof error['code'] === 'number' ? 'protocol' : 'transport';
}

const MAX_MESSAGE = 500;

function plain(error: unknown): string {
  const text = withoutIssueList(messageOf(error));
  return text.length > MAX_MESSAGE ? `${text.slice(0, MAX_MESSAGE)}…` : text;
}

/** The library prints what a check found as JSON: `Invalid result for initialize: [{"path": …, "message": …}]`. */
function withoutIssueList(text: string): string {
  const [, what = '', list = ''] = /^(Invalid [^[]*): (\[.*\])$/s.exec(text) ?? [];
  try {
    const issues: unknown = JSON.parse(list);
    if (!Array.isArray(issues)) return text;
    const found = issues
      .filter(isObject)
      .map(({ path, message }) => `${[path].flat().join('.')}: ${message}`);
    return `${what} (${found.join('; ')}).`;
  } catch {
    return text;
  }
}

/** Of a remote server: a network error, or a server that was started again and does not know our session. */
export function isConnectionGone(error: unknown): boolean {
  if (!isObject(error)) return false;
  const isNetwork = typeof error['code'] === 'string' && /^E[A-Z]+$/.test(error['code']);
  return isNetwork || (isObject(error['data']) && error['data']['status'] === 400);
}

export function isMethodNotFound(error: unknown): boolean {
  return isObject(error) && error['code'] === -32601;
}
