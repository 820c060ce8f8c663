/** Errors of the Messages API: `{type:"error",error:{type,message}}`, as a response or inside a stream. */
import { lookUp } from '../../base/look-up.js';
import { isObject } from '../../base/objects.js';
import type { HttpResponse } from '../../platform/net/http.js';
import { ApiError, CONTEXT_TOO_LONG, clipped, toApiError } from '../errors/api-error.js';
import { remedyForRefusal } from '../errors/remedies.js';
import type { Provider } from '../providers.js';

/** The provider and model of the request. */
export interface Asked {
  provider: Pick<Provider, 'id' | 'baseUrl'>;
  model: string;
}

export function nameOf({ provider, model }: Asked): string {
  return model ? `${provider.id}/${model}` : provider.id;
}

const LONGEST_TEXT = 600;

/** @param status of the response; 200 for an error inside an answer, whose own type decides */
export function toAnthropicError(
  asked: Asked,
  status: number,
  body: string,
  headers: HttpResponse['headers'] = {},
): ApiError {
  const error = errorIn(body);
  const retryAfter = headers['retry-after'];
  const plain = toApiError(status, body, typeof retryAfter === 'string' ? retryAfter : undefined);
  const message = clipped(error?.message || plain.message, LONGEST_TEXT);
  const real = status === 200 ? (lookUp(STATUS_OF_TYPE, error?.type) ?? 500) : status;
  const isBroke = /credit balance|billing|spend(?:ing)? limit/i.test(message) && real < 500;
  const isLong = real === 413 || /prompt is too long|context (?:window|length)/i.test(message);
  const details = isLong ? [{ reason: CONTEXT_TOO_LONG }] : [];
  const kind = error?.type ? `HTTP ${real}, ${error.type}` : `HTTP ${real}`;
  const remedy = isBroke
    ? BROKE
    : isLong
      ? TOO_LONG
      : remedyFor(real, asked) || remedyForRefusal(real, headers['location']);
  const text = `${nameOf(asked)}: ${message} (${kind})${remedy ? `. ${remedy}` : ''}`;
  return new ApiError(real, text, details, plain.retryAfterMs, isBroke);
}

const BROKE = 'Add credit to the account, or choose another model.';
const TOO_LONG = 'Shorten the conversation with /compress, or start a new one.';

const STATUS_OF_TYPE: Readonly<Record<string, number>> = {
  invalid_request_error: 400,
  authentication_error: 401,
  billing_error: 402,
  permission_error: 403,
  not_found_error: 404,
  request_too_large: 413,
  rate_limit_error: 429,
  api_error: 500,
  timeout_error: 504,
  overloaded_error: 529,
};

function remedyFor(status: number, { provider }: Asked): string {
  switch (status) {
    case 401:
      return `Check the API key of the provider "${provider.id}"`;
    case 403:
      return 'The key may not use this model; choose another one';
    case 404:
      return `Check the name of the model and the address ${provider.baseUrl.href}`;
    default:
      return '';
  }
}

function errorIn(body: string): { type: string; message: string } | undefined {
  let value: unknown;
  try {
    value = JSON.parse(body);
  } catch {
    return undefined;
  }
  const error = isObject(value) ? value['error'] : undefined;
  if (!isObject(error)) return undefined;
  const { type, message } = error;
  return { type: typeof type === 'string' ? type : '', message: typeof message === 'string' ? message : '' };
}
