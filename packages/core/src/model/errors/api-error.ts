/** Error responses of model servers, and how to react to them. */
import { codeOf, messageOf, UserError } from '../../base/errors.js';
import { lookUp } from '../../base/look-up.js';

export interface ErrorDetail {
  '@type'?: string;
  reason?: string;
  domain?: string;
  retryDelay?: string;
  violations?: { quotaId?: string }[];
  links?: { url?: string; description?: string }[];
  metadata?: unknown;
}

/** `details[].reason`, for every provider, when the conversation does not fit the model. */
export const CONTEXT_TOO_LONG = 'context_length_exceeded';

/** `details[].reason` when a Google account has too few credits. */
export const NO_CREDITS = 'INSUFFICIENT_G1_CREDITS_BALANCE';

export class ApiError extends UserError {
  static readonly type = 'ApiError';
  override readonly name = ApiError.type;
  constructor(
    readonly status: number,
    message: string,
    readonly details: readonly ErrorDetail[] = [],
    /** From the header `Retry-After`. */
    readonly retryAfterMs?: number,
    /** The provider said that a retry is useless. */
    readonly terminal = false,
  ) {
    super(message);
  }
}

/** The connection to a model server failed; the message names the server. */
export class ConnectionError extends UserError {
  override readonly name = 'ConnectionError';
  constructor(
    override readonly code: string,
    message: string,
    cause: unknown,
  ) {
    super(message, { cause });
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
    code = statusIn(error) ?? code;
    if (Array.isArray(error.details))
      details = error.details.flatMap((detail) => checkedDetail(detail) ?? []);
    if (typeof error.message !== 'string') break;
    message = error.message;
    const inner = parseOrText(message);
    if (typeof inner === 'string') break;
    current = inner;
  }
  if (!message) message = plainMessage(body);
  return new ApiError(code, message, details, retryAfterMs(retryAfter, now));
}

interface RawError {
  code?: unknown;
  status?: unknown;
  message?: unknown;
  details?: unknown;
}

const STATUS_BY_NAME: Readonly<Record<string, number>> = {
  INVALID_ARGUMENT: 400,
  FAILED_PRECONDITION: 400,
  UNAUTHENTICATED: 401,
  PERMISSION_DENIED: 403,
  NOT_FOUND: 404,
  RESOURCE_EXHAUSTED: 429,
  CANCELLED: 499,
  INTERNAL: 500,
  UNAVAILABLE: 503,
  DEADLINE_EXCEEDED: 504,
};

/** The status inside an error. Some gateways send gRPC codes there, or the response's own 200. */
function statusIn({ code, status }: RawError): number | undefined {
  if (typeof code === 'number' && code >= 400 && code < 600) return code;
  return typeof status === 'string' ? lookUp(STATUS_BY_NAME, status) : undefined;
}

/** Fields the classification uses, if they have the documented type; the rest unchanged. */
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

/** For HTML pages and other bodies that are not JSON. */
function plainMessage(body: string): string {
  // Cut first: searching tags in a body of nothing but "<" would take minutes.
  const text = body.slice(0, 8_192).replace(/<(script|style)\b.*?<\/\1>/gis, ' ');
  return clipped(text.replace(/<[^>]*>/g, ' '), 300) || 'the server gave no reason';
}

/** One line; a long text keeps its end, where hints like "Please retry in 3s" are. */
export function clipped(text: string, limit: number): string {
  const line = text.replace(/\s+/g, ' ').trim();
  if (line.length <= limit) return line;
  const tail = Math.floor(limit / 4);
  return `${line.slice(0, limit - tail - 3)} … ${line.slice(-tail)}`;
}

function retryAfterMs(header: string | undefined, now: number): number | undefined {
  if (!header) return undefined;
  const seconds = Number(header);
  if (Number.isFinite(seconds)) return Math.max(0, seconds * 1000);
  const date = Date.parse(header);
  return Number.isNaN(date) ? undefined : Math.max(0, date - now);
}

/** `validation`: Google requires the user to verify in the browser first; `blocked`: it refuses the account. */
export type FailureKind =
  | 'retryable'
  | 'terminal'
  | 'not_found'
  | 'auth'
  | 'validation'
  | 'blocked'
  | 'fatal';

export interface Failure {
  kind: FailureKind;
  /** The server's delay; absent: our own backoff. */
  delayMs?: number;
  /** The connection failed; the server did not refuse. */
  network?: boolean;
  /** What ran out: the user's quota, or the server's capacity. */
  limit?: 'quota' | 'capacity';
  /** Where the user can verify, or appeal. */
  link?: string;
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

/** How each status and reason is handled. */
export function classifyFailure(error: unknown): Failure {
  if (networkCodeIn(error)) return { kind: 'retryable', network: true };
  if (!(error instanceof ApiError)) return { kind: 'fatal' };
  const { status, message } = error;
  if (error.terminal) return { kind: 'terminal' };
  if (status === 404) return { kind: 'not_found' };
  if (status === 401) return { kind: 'auth' };
  if (status === 403) return accountProblemIn(error) ?? { kind: 'fatal' };
  if (status === 429 || status === 499 || status === 503) return classifyLimit(error, message);
  if (status >= 500) return waitOf(error) ?? { kind: 'retryable' };
  return { kind: 'fatal' };
}

const CAPACITY = /MODEL_CAPACITY_(?:EXHAUSTED|EXCEEDED)|no capacity available/i;
const USED_UP = new Set([NO_CREDITS, 'QUOTA_EXHAUSTED']);

function classifyLimit(error: ApiError, message: string): Failure {
  const reasons = error.details.map((detail) => detail.reason ?? '');
  const quotas = error.details.flatMap((detail) => detail.violations ?? []).map((item) => item.quotaId ?? '');
  const isUsedUp =
    /limit: 0\b/.test(message) ||
    quotas.some((id) => /PerDay|Daily/.test(id)) ||
    reasons.some((reason) => USED_UP.has(reason));
  if (isUsedUp) return { kind: 'terminal', limit: 'quota' };
  const wait = waitOf(error);
  if ([message, ...reasons].some((text) => CAPACITY.test(text))) {
    // Capacity may return any moment: worth a few tries, whatever the server says.
    return {
      kind: 'retryable',
      ...(wait?.delayMs !== undefined && { delayMs: wait.delayMs }),
      limit: 'capacity',
    };
  }
  if (wait) return wait;
  if (quotas.some((id) => id.includes('PerMinute'))) return { kind: 'retryable', delayMs: 60_000 };
  return { kind: 'retryable' };
}

const ACCOUNT_PROBLEMS: Readonly<Record<string, 'validation' | 'blocked'>> = {
  VALIDATION_REQUIRED: 'validation',
  TOS_VIOLATION: 'blocked',
  ACCOUNT_BLOCKED: 'blocked',
  ACCOUNT_SUSPENDED: 'blocked',
};

function accountProblemIn(error: ApiError): Failure | undefined {
  const [kind] = error.details.flatMap(({ reason = '', domain }) => {
    const isOfService = /^(?:[\w-]+-)?cloudcode-pa\.googleapis\.com$/.test(String(domain));
    return (isOfService && lookUp(ACCOUNT_PROBLEMS, reason)) || [];
  });
  if (!kind) return undefined;
  const links = error.details.flatMap((detail) => (Array.isArray(detail.links) ? detail.links : []));
  const link = links.find((item) => typeof item?.url === 'string')?.url;
  return { kind, ...(link !== undefined && { link }) };
}

/** The server's delay, if it gave one. A user does not wait for hours. */
function waitOf(error: ApiError): Failure | undefined {
  const delayMs = serverDelay(error);
  if (delayMs === undefined) return undefined;
  return delayMs <= LONGEST_WAIT_MS ? { kind: 'retryable', delayMs } : { kind: 'terminal' };
}

/** When a retry makes sense, relative to now, from any of the server's notations. */
function serverDelay(error: ApiError): number | undefined {
  for (const { retryDelay, metadata } of error.details) {
    const delay = durationMs(retryDelay) ?? durationMs(resetDelayIn(metadata));
    if (delay !== undefined) return delay;
  }
  const inText = /(?:Please retry in|will reset after) ([\d.hms]+)/.exec(error.message)?.[1];
  return durationMs(inText) ?? error.retryAfterMs;
}

/** When the server answers again, if it said so. */
export function freeAgainAt(error: unknown, now: number): number | undefined {
  const delay =
    error instanceof ApiError ? (classifyFailure(error).delayMs ?? serverDelay(error)) : undefined;
  // Ignore a time that is not a valid date.
  return delay === undefined || now + delay > LAST_DATE_MS ? undefined : now + delay;
}

/** The latest time a `Date` can hold. */
const LAST_DATE_MS = 8.64e15;

function resetDelayIn(metadata: unknown): unknown {
  return typeof metadata === 'object' && metadata !== null && 'quotaResetDelay' in metadata
    ? metadata.quotaResetDelay
    : undefined;
}

const UNIT_MS: Readonly<Record<string, number>> = { h: 3_600_000, m: 60_000, s: 1000, ms: 1 };

/** `34.07s`, `900ms`, `5h12m3s`. */
function durationMs(value: unknown): number | undefined {
  const text = typeof value === 'string' ? value.trim().replace(/\.$/, '') : '';
  if (!/^(?:\d+(?:\.\d+)?(?:ms|[hms]))+$/.test(text)) return undefined;
  let total = 0;
  for (const [, amount, unit = ''] of text.matchAll(/([\d.]+)(ms|[hms])/g)) {
    total += Number(amount) * (UNIT_MS[unit] ?? 0);
  }
  return total;
}

/** The code of a network error, at any depth of causes. */
export function networkCodeIn(error: unknown): string | undefined {
  let current = error;
  for (let depth = 0; depth < 5 && current; depth++) {
    const code = codeOf(current);
    if (
      code &&
      (NETWORK_CODES.has(code) || /^ERR_SSL_.*BAD_RECORD_MAC$/.test(code) || code.startsWith('HPE_'))
    ) {
      return code;
    }
    current = current instanceof Error ? current.cause : undefined;
  }
  return undefined;
}

/** The code of a failed connection; undefined for other errors. */
export function networkCode(error: unknown): string | undefined {
  if (!(error instanceof Error)) return undefined;
  if (error instanceof ConnectionError) return error.code;
  const { code, syscall } = error as NodeJS.ErrnoException;
  return code && (syscall || code === 'ECONNRESET') ? code : undefined;
}

/** The server's message; for a failed connection, ours. */
export function failureText(error: unknown): string {
  const message = messageOf(error);
  if (error instanceof ConnectionError) return message;
  switch (networkCode(error)) {
    case 'ENOTFOUND':
    case 'EAI_AGAIN':
      return `the server's name cannot be resolved; is the network up? (${message})`;
    case 'ECONNREFUSED':
      return `connection refused (${message})`;
    case 'ECONNRESET':
      return 'connection lost';
    default:
      return message;
  }
}
