/**
 * A `fetch` for the A2A library over our own HTTP client: with proxy and limits, to one origin only, without redirects,
 * and with the agent's credentials.
 */
import type { HttpClient, HttpResponse } from '../../../platform/net/http.js';
import {
  type Grant,
  isRefusal,
  isSameGrant,
  NO_GRANT,
  type RemoteCredentials,
  withQuery,
} from '../auth/credentials.js';
import type { RemoteLimits } from '../limits.js';
import { RemoteAgentError } from '../remote-agent-error.js';

export interface AgentFetchParts {
  http: HttpClient;
  origin: string;
  /** Absent: none, or not for this origin. */
  credentials?: RemoteCredentials;
  limits: Pick<RemoteLimits, 'answerBytes' | 'replyBytes'>;
}

const MAX_RETRIES = 2;

export function agentFetch(parts: AgentFetchParts): typeof fetch {
  return async (input, init = {}) => {
    const url = new URL(input instanceof Request ? input.url : input);
    if (url.origin !== parts.origin) {
      throw new RemoteAgentError('address', `The agent leads to ${url.origin} instead of ${parts.origin}.`);
    }
    const signal = init.signal ?? new AbortController().signal;
    const response = await sendWithRetries(parts, url, init, signal);
    return toResponse(response, url, parts.limits);
  };
}

/** After a refusal once more with newly resolved credentials, if they differ. */
async function sendWithRetries(
  { http, credentials }: AgentFetchParts,
  url: URL,
  init: RequestInit,
  signal: AbortSignal,
): Promise<HttpResponse> {
  let grant = credentials ? await credentials.grant(url, { signal, mayAsk: true }) : NO_GRANT;
  let response = await send(http, url, init, grant, signal);
  for (let retries = 0; credentials && isRefusal(response.status) && retries < MAX_RETRIES; retries++) {
    credentials.refused(response.status);
    const fresh = await freshGrant(credentials, url, signal, response);
    if (isSameGrant(fresh, grant)) break;
    response.dispose();
    grant = fresh;
    response = await send(http, url, init, grant, signal);
  }
  return response;
}

async function freshGrant(
  credentials: RemoteCredentials,
  url: URL,
  signal: AbortSignal,
  response: HttpResponse,
): Promise<Grant> {
  try {
    return await credentials.grant(url, { signal, mayAsk: true });
  } catch (error) {
    response.dispose();
    throw error;
  }
}

function send(
  http: HttpClient,
  url: URL,
  { method, headers, body }: RequestInit,
  grant: Grant,
  signal: AbortSignal,
): Promise<HttpResponse> {
  return http.send({
    method: method === 'GET' ? 'GET' : 'POST',
    url: withQuery(url, grant),
    headers: { ...Object.fromEntries(new Headers(headers)), ...grant.headers },
    ...(typeof body === 'string' && { body: [Buffer.from(body)] }),
    signal,
  });
}

function toResponse(
  response: HttpResponse,
  { host }: URL,
  { answerBytes, replyBytes }: AgentFetchParts['limits'],
): Response {
  const { status, headers } = response;
  if (isRefusal(status) || (status >= 300 && status < 400) || status < 200) response.dispose();
  if (isRefusal(status)) {
    throw new RemoteAgentError('auth', `${host} refused the request (HTTP ${status}): check "auth".`);
  }
  if (status >= 300 && status < 400) {
    throw new RemoteAgentError('address', `${host} redirects the request, which is not followed.`);
  }
  const type = String(headers['content-type'] ?? '');
  const limit = type.startsWith('text/event-stream') ? answerBytes : replyBytes;
  const hasBody = status !== 204 && status !== 205 && status !== 304;
  return new Response(hasBody ? boundedStream(response, limit, host) : null, {
    status,
    headers: { 'content-type': type },
  });
}

/** Read only as fast as the library asks for it, and to the limit. */
function boundedStream(response: HttpResponse, limit: number, host: string): ReadableStream<Uint8Array> {
  const pieces = response.body[Symbol.asyncIterator]();
  let size = 0;
  return new ReadableStream({
    async pull(controller) {
      try {
        const { done, value } = await pieces.next();
        if (done) return controller.close();
        size += value.length;
        if (size > limit) {
          throw new RemoteAgentError('limit', `${host} sent more than ${Math.round(limit / 1024)} KB.`);
        }
        controller.enqueue(value);
      } catch (error) {
        response.dispose();
        controller.error(error);
      }
    },
    cancel: () => response.dispose(),
  });
}
