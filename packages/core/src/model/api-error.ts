/** What a model's server answered instead of an answer, and what to do about it. */
import { codeOf, messageOf } from '../base/errors.js';

export interface ErrorDetail {
  '@type'?: string;
  reason?: string;
  domain?: string;
  retryDelay?: string;
  violations?: { quotaId?: string }[];
  links?: { url?: string; description?: string }[];
}

/** `details[].reason` of every provider when the conversation does not fit the model. */
export const CONTEXT_TOO_LONG = 'context_length_exceeded';

export class ApiError extends Error {
  constructor(
    readonly status: number,
    message: string,
    readonly details: readonly ErrorDetail[] = [],
    /** From the header `Retry-After`. */
    readonly retryAfterMs?: number,
    /** The provider said that trying again is no use. */
    readonly terminal = false,
  ) {
    super(message);
    this.name = 'ApiError';
  }
}

/** Builds the error from a body `{error:{code,status,message,details}}`, an array of it, or nested JSON. */
export function toApiError(status: number, body: string, retryAfter?: string, now = Date.now()): ApiError {
  let current: unknown = parseOrText(body);
  let code = status;
  let details: ErrorDetail[] = [];
  let message = '';
  for (let depth = 0; depth < 10; depth++) {
    const error = errorObjectIn(current);
    if (!error) break;
    if (typeof error.code === 'number') code = error.code;
    if (Array.isArray(error.details))
      details = error.details.flatMap((detail) => checkedDetail(detail) ?? []);
    if (typeof error.message !== 'string') break;
    message = error.message;
    const inner = parseOrText(message);
    if (typeof inner === 'string') break;
    current = inner;
  }
  if (!message) message = plainMessage(status, body);
  return new ApiError(code || status, message, details, retryAfterMs(retryAfter, now));
}

interface RawError {
  code?: unknown;
  message?: unknown;
  details?: unknown;
}

/** What the classification relies on, if it has the documented type; the rest as it came. */
function checkedDetail(value: unknown): ErrorDetail | undefined {
  if (typeof value !== 'object' || value === null) return undefined;
  const { reason, retryDelay, violations, ...rest } = value as Record<string, unknown>;
  return {
    ...rest,
    ...(typeof reason === 'string' && { reason }),
    ...(typeof retryDelay === 'string' && { retryDelay }),
    ...(Array.isArray(violations) && { violations: violations.flatMap(checkedViolation) }),
  };
}

function checkedViolation(value: unknown): { quotaId?: string }[] {
  if (typeof value !== 'object' || value === null) return [];
  const { quotaId } = value as Record<string, unknown>;
  return [typeof quotaId === 'string' ? { quotaId } : {}];
}

function errorObjectIn(value: unknown): RawError | undefined {
  const item = Array.isArray(value) ? value[0] : value;
  if (typeof item !== 'object' || item === null || !('error' in item)) return undefined;
  const error = item.error;
  return typeof error === 'object' && error !== null ? (error as RawError) : { message: String(error) };
}

function parseOrText(text: string): unknown {
  if (!/^\s*[[{]/.test(text)) return text;
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}

function plainMessage(status: number, body: string): string {
  const text = body
    .replace(/<[^>]*>/g, ' ')
    .replace(/\s+/g, ' ')
    .trim()
    .slice(0, 300);
  return text ? `HTTP ${status}: ${text}` : `The server answered with HTTP ${status} and no message.`;
}

function retryAfterMs(header: string | undefined, now: number): number | undefined {
  if (!header) return undefined;
  const seconds = Number(header);
  if (Number.isFinite(seconds)) return Math.max(0, seconds * 1000);
  const date = Date.parse(header);
  return Number.isNaN(date) ? undefined : Math.max(0, date - now);
}

export type FailureKind = 'retryable' | 'terminal' | 'not_found' | 'auth' | 'fatal';

export interface Failure {
  kind: FailureKind;
  /** The server's wish; absent: our own backoff. */
  delayMs?: number;
  /** The wire broke, rather than the server saying no. */
  network?: boolean;
}

const LONGEST_WAIT_MS = 300_000;
const NETWORK_CODES = new Set([
  'ECONNRESET',
  'ETIMEDOUT',
  'EPIPE',
  'ENOTFOUND',
  'EAI_AGAIN',
  'ECONNREFUSED',
  'EPROTO',
  'ERR_SSL_WRONG_VERSION_NUMBER',
  'UND_ERR_HEADERS_TIMEOUT',
  'UND_ERR_BODY_TIMEOUT',
  'UND_ERR_CONNECT_TIMEOUT',
  'ERR_STREAM_PREMATURE_CLOSE',
]);

/** The table of models.md §6. */
export function classifyFailure(error: unknown): Failure {
  if (isNetworkError(error)) return { kind: 'retryable', network: true };
  if (!(error instanceof ApiError)) return { kind: 'fatal' };
  const { status, message } = error;
  if (error.terminal) return { kind: 'terminal' };
  if (status === 404) return { kind: 'not_found' };
  if (status === 401) return { kind: 'auth' };
  if (status === 429 || status === 499 || status === 503) return classifyLimit(error, message);
  if (status >= 500) return waitOf(error) ?? { kind: 'retryable' };
  return { kind: 'fatal' };
}

function classifyLimit(error: ApiError, message: string): Failure {
  const reasons = error.details.map((detail) => detail.reason ?? '');
  const quotas = error.details.flatMap((detail) => detail.violations ?? []).map((item) => item.quotaId ?? '');
  if (/limit: 0\b/.test(message)) return { kind: 'terminal' };
  if (quotas.some((id) => /PerDay|Daily/.test(id))) return { kind: 'terminal' };
  if (reasons.includes('INSUFFICIENT_G1_CREDITS_BALANCE') || reasons.includes('QUOTA_EXHAUSTED')) {
    return { kind: 'terminal' };
  }
  const wait = waitOf(error);
  if (wait) return wait;
  if (quotas.some((id) => id.includes('PerMinute'))) return { kind: 'retryable', delayMs: 60_000 };
  return { kind: 'retryable' };
}

/** What the server's wish comes to, if it has one. Nobody waits for hours in front of a prompt. */
function waitOf(error: ApiError): Failure | undefined {
  const delayMs = serverDelay(error);
  if (delayMs === undefined) return undefined;
  return delayMs <= LONGEST_WAIT_MS ? { kind: 'retryable', delayMs } : { kind: 'terminal' };
}

function serverDelay(error: ApiError): number | undefined {
  for (const detail of error.details) {
    const delay = detail.retryDelay ? durationMs(detail.retryDelay) : undefined;
    if (delay !== undefined) return delay;
  }
  const inText = /Please retry in ([\d.]+(?:ms|s))/.exec(error.message)?.[1];
  return (inText ? durationMs(inText) : undefined) ?? error.retryAfterMs;
}

function durationMs(text: string): number | undefined {
  const match = /^([\d.]+)(ms|s)$/.exec(text.trim());
  if (!match) return undefined;
  return Number(match[1]) * (match[2] === 's' ? 1000 : 1);
}

function isNetworkError(error: unknown): boolean {
  let current = error;
  for (let depth = 0; depth < 5 && current; depth++) {
    const code = codeOf(current);
    if (
      code &&
      (NETWORK_CODES.has(code) || /^ERR_SSL_.*BAD_RECORD_MAC$/.test(code) || code.startsWith('HPE_'))
    ) {
      return true;
    }
    current = current instanceof Error ? current.cause : undefined;
  }
  // Node says "aborted" (code ECONNRESET) when a response is cut; other cuts surface as premature close.
  return false;
}

/** The code of a failed connection, if that is what it was. */
export function networkCode(error: unknown): string | undefined {
  if (!(error instanceof Error)) return undefined;
  const { code, syscall } = error as NodeJS.ErrnoException;
  return code && (syscall || code === 'ECONNRESET') ? code : undefined;
}

/** The server's own words; for a failed connection, ours. */
export function failureText(error: unknown): string {
  const message = messageOf(error);
  switch (networkCode(error)) {
    case 'ENOTFOUND':
    case 'EAI_AGAIN':
      return `the server's name cannot be resolved; is the network up? (${message})`;
    case 'ECONNREFUSED':
      return `the server refuses connections (${message})`;
    case 'ECONNRESET':
      return 'the connection was cut';
    default:
      return message;
  }
}
