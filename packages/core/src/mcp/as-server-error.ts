/** Turns what the protocol library throws into an error that names the server. Loaded with the first error. */
import { headOf } from '../base/cut-text.js';
import { messageOf } from '../base/errors.js';
import { isObject, objectOf } from '../base/objects.js';
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
  const known = codeOf(error);
  // While connecting there is no session yet: the address is wrong.
  const code = known === 'session_lost' && connecting ? 'transport' : known;
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
  const status = statusOf(error);
  if (status === 401) return 'unauthorized';
  if (status === 404 && error['code'] !== undefined) return 'session_lost';
  if (error['code'] === 'REQUEST_TIMEOUT' || error['name'] === 'TimeoutError') return 'timeout';
  if (error['code'] === 'NOT_CONNECTED') return 'not_connected';
  return typeof error['code'] === 'number' ? 'protocol' : 'transport';
}

const MAX_MESSAGE = 500;

function plain(error: unknown): string {
  const status = statusOf(error);
  const text = status ? refusalText(status, messageOf(error)) : withoutIssueList(messageOf(error));
  return text.length > MAX_MESSAGE ? `${headOf(text, MAX_MESSAGE)}…` : text;
}

/** Of an HTTP answer that the library took for an error. */
function statusOf(error: unknown): number | undefined {
  if (!isObject(error)) return undefined;
  const status = (isObject(error['data']) ? error['data']['status'] : undefined) ?? error['status'];
  return typeof status === 'number' && status >= 300 ? status : undefined;
}

/** The body follows the words of the library: a text, JSON with a message in it, or a page that tells the user nothing. */
function refusalText(status: number, text: string): string {
  const body = text.replace(/^Error POSTing to endpoint:\s*/, '').replace(/ \(redirectPolicy: [^)]*\)$/, '');
  const said = body.startsWith('<') ? '' : messageIn(body);
  return `HTTP ${status}${said === '' ? '.' : `: ${said}`}`;
}

function messageIn(body: string): string {
  try {
    const { error, message } = objectOf(JSON.parse(body));
    const inner = isObject(error) ? error['message'] : error;
    return [inner, message].find((text) => typeof text === 'string') ?? body;
  } catch {
    return body;
  }
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
