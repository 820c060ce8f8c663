/** Errors of Google's model services: the service, its message, and what to do. */
import type { HttpResponse } from '../../platform/net/http.js';
import { readText } from '../../platform/net/http.js';
import type { GenerateRequest } from '../content-generator.js';
import { ApiError, CONTEXT_TOO_LONG, classifyFailure, clipped, toApiError } from '../errors/api-error.js';
import { remedyForRefusal } from '../errors/remedies.js';

export interface GoogleService {
  title: string;
  /** What to do about refused credentials. */
  credentials: string;
  /** The variable that sets its address. */
  address: string;
  /** What to do about a quota that is used up. */
  quota?: string;
}

export const GEMINI_API: GoogleService = {
  title: 'Gemini API',
  credentials: 'Check the key in GEMINI_API_KEY.',
  address: 'GOOGLE_GEMINI_BASE_URL',
};

export const VERTEX_AI: GoogleService = {
  title: 'Vertex AI',
  credentials: 'Check GOOGLE_API_KEY, or sign in with "gcloud auth application-default login".',
  address: 'GOOGLE_VERTEX_BASE_URL',
};

export const CODE_ASSIST: GoogleService = {
  title: 'Gemini Code Assist',
  credentials: 'Sign in with Google again.',
  address: 'CODE_ASSIST_ENDPOINT',
};

export interface Asked {
  service: GoogleService;
  /** Empty: the request names no model. */
  model: string;
  /** The declared tools, in order: the server names a schema it refuses by its place. */
  tools?: GenerateRequest['tools'];
}

export function nameOf({ service, model }: Asked): string {
  return model ? `${model} (${service.title})` : service.title;
}

const BODY_LIMIT = 256 * 1024;
const LONGEST_TEXT = 1_000;

/** The error of a response whose status is not 200. */
export async function errorOf(response: HttpResponse, asked: Asked): Promise<ApiError> {
  const body = await readText(response.body, BODY_LIMIT).catch(() => '');
  return toGoogleError(asked, response.status, body, response.headers);
}

/** @param status used if the body names no other */
export function toGoogleError(
  asked: Asked,
  status: number,
  body: string,
  headers: HttpResponse['headers'] = {},
): ApiError {
  const retryAfter = headers['retry-after'];
  const plain = toApiError(status, body, typeof retryAfter === 'string' ? retryAfter : undefined);
  const text = clipped(plain.message, LONGEST_TEXT);
  const isLong = plain.status === 400 && /input token count.*exceeds the maximum/is.test(text);
  const remedy = isLong
    ? TOO_LONG
    : (schemaRemedy(text, asked) ?? remedyFor(plain, asked, headers['location']));
  const from = [asked.model, asked.service.title].filter(Boolean).join(', ');
  return new ApiError(
    isRefusedKey(plain) ? 401 : plain.status,
    `${text} (HTTP ${plain.status} from ${from}).${remedy && ` ${remedy}`}`,
    isLong ? [...plain.details, { reason: CONTEXT_TOO_LONG }] : plain.details,
    plain.retryAfterMs,
  );
}

/** The response is not an API answer: a web page, a download. */
export function noStreamError(asked: Asked, contentType: string): ApiError {
  const kind = contentType || 'no content type';
  return new ApiError(
    0,
    `${nameOf(asked)} did not answer with a model stream but with ${kind}. Check the base URL (${asked.service.address}).`,
  );
}

const TOO_LONG = 'Shorten the conversation with /compress, or start a new one.';

/** For a refused schema of a tool; the tools of MCP servers have the name of the server in theirs. */
function schemaRemedy(text: string, { tools = [] }: Asked): string | undefined {
  const place = /function_?declarations\[(\d+)\]/i.exec(text)?.[1];
  const name = place === undefined ? undefined : tools[Number(place)]?.name;
  if (name === undefined) return undefined;
  const way = name.startsWith('mcp_')
    ? 'Leave the tool out with excludeTools of its MCP server'
    : 'Leave it out with tools.exclude';
  return `The schema of the tool "${name}" is refused. ${way}.`;
}

/** This API reports a wrong key as a bad request, not as missing credentials. */
function isRefusedKey({ details }: ApiError): boolean {
  return details.some(({ reason }) => reason === 'API_KEY_INVALID');
}

function remedyFor(
  error: ApiError,
  { service, model }: Asked,
  location: string | string[] | undefined,
): string {
  const { kind, link, limit } = classifyFailure(error);
  if (kind === 'validation') {
    const way = link?.startsWith('https://') ? `open ${clipped(link, 500)}` : 'sign in in the browser';
    return `Google wants to verify the account: ${way}, then try again.`;
  }
  if (kind === 'blocked') {
    const way = link?.startsWith('https://') ? ` To appeal: ${clipped(link, 500)}` : '';
    return `Google refuses this account; /auth changes it.${way}`;
  }
  if (kind === 'auth' || isRefusedKey(error)) return service.credentials;
  if (error.status === 429 && limit !== 'capacity' && service.quota) return service.quota;
  return model || error.status < 400 ? remedyForRefusal(error.status, location) : '';
}
