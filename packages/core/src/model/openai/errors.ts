/** Errors of OpenAI-compatible servers: one clear message, with what to do about it. */
import { codeOf } from '../../base/errors.js';
import { lookUp } from '../../base/look-up.js';
import { objectOf } from '../../base/objects.js';
import { type HttpResponse, readText } from '../../platform/net/http.js';
import { ApiError, CONTEXT_TOO_LONG, clipped, type ErrorDetail, toApiError } from '../errors/api-error.js';
import { toConnectionError } from '../errors/connection-error.js';
import { remedyForRefusal } from '../errors/remedies.js';
import type { Provider } from '../providers.js';

const BODY_LIMIT = 256 * 1024;

/** The error of a response whose status is not 200. */
export async function errorOf(response: HttpResponse, provider: Provider, model: string): Promise<ApiError> {
  const body = await readText(response.body, BODY_LIMIT).catch(() => '');
  return toProviderError(response.status, body, provider, model, response.headers);
}

/** @param status of the response; 200 for an error inside an answer, whose own code decides */
export function toProviderError(
  status: number,
  body: string,
  provider: Provider,
  model: string,
  headers: HttpResponse['headers'] = {},
  now = Date.now(),
): ApiError {
  const fields = errorFields(body);
  const code = status === 200 ? statusInside(fields) : status;
  const retryAfter = headers['retry-after'];
  const base = toApiError(code, body, typeof retryAfter === 'string' ? retryAfter : undefined, now);
  const said = fields.message || base.message;
  const reason = reasonOf(fields, said);
  const isTerminal = code === 402 || reason === 'insufficient_quota';
  return new ApiError(
    code,
    clearMessage(said, code, { provider, model, reason, location: headers['location'] }),
    reason ? [{ reason }] : [],
    base.retryAfterMs ?? (code === 429 ? resetDelay(headers) : undefined),
    isTerminal,
  );
}

/** A failed connection. A remote server may come back; a local one must be started. */
export function connectionError(error: unknown, provider: Provider, model: string): unknown {
  if (!provider.isLocal || codeOf(error) !== 'ECONNREFUSED') {
    return toConnectionError(error, model ? `${provider.id}/${model}` : provider.id);
  }
  const details: ErrorDetail[] = [{ reason: 'ECONNREFUSED' }];
  const start = lookUp(START_COMMANDS, provider.id) ?? 'Start it, or correct its baseUrl in model.providers.';
  return new ApiError(
    0,
    `No server of "${provider.id}" answers at ${provider.baseUrl.href}. ${start}`,
    details,
  );
}

const START_COMMANDS: Readonly<Record<string, string>> = {
  ollama: 'Start it with "ollama serve" (and set OLLAMA_HOST if it listens elsewhere).',
  lmstudio: 'Start the server in LM Studio (Developer tab, or "lms server start").',
  llamacpp: 'Start it with "llama-server -m <model.gguf> --jinja --port 8080".',
  vllm: 'Start it with "vllm serve <model> --enable-auto-tool-choice --tool-call-parser <parser>".',
};

interface ErrorFields {
  message: string;
  type: string;
  code: string | number;
}

/** `{error:{message,type,code}}`, `{error:"…"}`, `{message,…}` or `{detail:"…"}`. */
function errorFields(body: string): ErrorFields {
  const none = { message: '', type: '', code: '' };
  let value: unknown;
  try {
    value = JSON.parse(body);
  } catch {
    return none;
  }
  const outer = objectOf(Array.isArray(value) ? value[0] : value);
  const error = outer['error'] ?? outer['message'] ?? outer['detail'];
  if (typeof error === 'string') return { ...none, ...textFields(outer), message: error };
  return { ...none, ...textFields(objectOf(error)) };
}

function textFields(fields: Record<string, unknown>): Partial<ErrorFields> {
  const { message, type, code } = fields;
  return {
    ...(typeof message === 'string' && { message }),
    ...(typeof type === 'string' && { type }),
    ...((typeof code === 'string' || typeof code === 'number') && { code }),
  };
}

const STATUS_BY_NAME: Readonly<Record<string, number>> = {
  rate_limit_exceeded: 429,
  rate_limit_error: 429,
  insufficient_quota: 429,
  invalid_request_error: 400,
  context_length_exceeded: 400,
  invalid_api_key: 401,
  authentication_error: 401,
  model_not_found: 404,
  overloaded_error: 503,
};

function statusInside({ code, type }: ErrorFields): number {
  const number = Number(code);
  if (number >= 400 && number < 600) return number;
  return lookUp(STATUS_BY_NAME, String(code)) ?? lookUp(STATUS_BY_NAME, type) ?? 500;
}

function reasonOf({ code, type }: ErrorFields, message: string): string {
  if (code === 'insufficient_quota' || type === 'insufficient_quota') return 'insufficient_quota';
  const isTooLong =
    code === CONTEXT_TOO_LONG ||
    type === 'exceed_context_size_error' ||
    /maximum context length|exceeds? the (available |model's )?context|context (size|window|length)[^.]* exceed/i.test(
      message,
    );
  return isTooLong ? CONTEXT_TOO_LONG : typeof code === 'string' ? code || type : type;
}

interface Refusal {
  provider: Provider;
  model: string;
  reason: string;
  /** Where a redirect leads. */
  location: string | string[] | undefined;
}

function clearMessage(said: string, status: number, refusal: Refusal): string {
  const { provider, model, reason, location } = refusal;
  const text = clipped(said, 600);
  const stop = /[.!?]$/.test(text) ? '' : '.';
  const remedy = remedyFor(status, reason, provider.id) || remedyForRefusal(status, location);
  return `${provider.id}/${model}, HTTP ${status}: ${text}${stop}${remedy && ` ${remedy}`}`;
}

function remedyFor(status: number, reason: string, id: string): string {
  if (reason === CONTEXT_TOO_LONG) return 'The conversation is too long for this model: use /compress.';
  if (reason === 'insufficient_quota' || status === 402) return 'Add credit there, or choose another model.';
  if (status === 401 || status === 403) return `Check the key of the provider "${id}".`;
  if (status === 404 && id === 'ollama') return 'Get the model with "ollama pull", or choose another.';
  return '';
}

/** `x-ratelimit-reset-requests: 1s`, `…-tokens: 6m0s`: the later one counts. */
function resetDelay(headers: HttpResponse['headers']): number | undefined {
  const delays = Object.entries(headers).flatMap(([name, value]) =>
    name.startsWith('x-ratelimit-reset-') && typeof value === 'string' ? (spanMs(value) ?? []) : [],
  );
  return delays.length > 0 ? Math.max(...delays) : undefined;
}

const UNIT_MS: Readonly<Record<string, number>> = { ms: 1, s: 1000, m: 60_000, h: 3_600_000, d: 86_400_000 };

function spanMs(text: string): number | undefined {
  if (/^[\d.]+$/.test(text)) return Number(text) * 1000;
  if (!/^([\d.]+(ms|s|m|h|d))+$/.test(text)) return undefined;
  let total = 0;
  for (const [, amount, unit = ''] of text.matchAll(/([\d.]+)(ms|s|m|h|d)/g)) {
    total += Number(amount) * (UNIT_MS[unit] ?? 0);
  }
  return Number.isFinite(total) ? total : undefined;
}

/** For bodies that are not API answers: a web page, half a document. */
export function noAnswerError(provider: Provider, model: string, contentType: string): ApiError {
  const kind = contentType || 'no content type';
  return new ApiError(
    0,
    `${provider.id}/${model}: ${provider.baseUrl.href} did not answer with a model stream but with ${kind}. Check the base URL.`,
  );
}
