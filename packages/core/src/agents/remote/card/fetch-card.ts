/** Fetches a card: without credentials, and with them when the server asks for them. */
import type { HttpClient, HttpResponse } from '../../../platform/net/http.js';
import { TimeLimitError, withTimeLimit } from '../../../platform/time-limit.js';
import { type Grant, isRefusal, NO_GRANT, type RemoteCredentials, withQuery } from '../auth/credentials.js';
import { RemoteAgentError } from '../remote-agent-error.js';

export interface CardRequest {
  url: URL;
  http: HttpClient;
  /** Asked for when the server refuses without. */
  credentials?: RemoteCredentials;
  maxBytes: number;
  /** Of one request. */
  timeoutMs: number;
  signal: AbortSignal;
  /** False: the user is not asked to sign in. */
  mayAsk: boolean;
}

const MAX_REDIRECTS = 3;
const MAX_RETRIES = 2;
const WELL_KNOWN = '/.well-known/agent-card.json';

/** @throws RemoteAgentError; the signal's reason when it aborts */
export async function fetchCard(request: CardRequest): Promise<string> {
  const { url, credentials, signal, mayAsk } = request;
  let reply = await exchange(request, NO_GRANT);
  for (let tries = 0; credentials && isRefusal(reply.status) && tries <= MAX_RETRIES; tries++) {
    if (tries > 0) credentials.refused(reply.status);
    reply = await exchange(request, await credentials.grant(url, { signal, mayAsk }));
  }
  const { status, text } = reply;
  if (isRefusal(status)) {
    const hint = credentials ? 'refused the credentials' : 'asks for credentials: add "auth" to the agent';
    throw new RemoteAgentError('auth', `${url.host} ${hint} (HTTP ${status}).`);
  }
  if (status !== 200) throw new RemoteAgentError('card', `${url.host} sent no card (HTTP ${status}).`);
  return text;
}

/** The address of a server without a path stands for the usual place of its card. */
export function cardUrl(text: string): URL {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (!url || !/^https?:$/.test(url.protocol)) {
    throw new RemoteAgentError('card', 'The address of the card is not an http or https URL.');
  }
  if (url.username || url.password) {
    throw new RemoteAgentError(
      'card',
      'The address of the card holds a user name or password; use "auth" instead.',
    );
  }
  return url.pathname === '/' ? new URL(WELL_KNOWN, url) : url;
}

/** The time of a sign-in, between two of them, is the user's. */
async function exchange(request: CardRequest, grant: Grant): Promise<{ status: number; text: string }> {
  const { url, timeoutMs, signal, maxBytes } = request;
  try {
    return await withTimeLimit(timeoutMs, signal, async (limited) => {
      const response = await followed({ ...request, signal: limited }, grant);
      try {
        const { status } = response;
        return { status, text: status === 200 ? await bounded(response, maxBytes, url) : '' };
      } finally {
        response.dispose();
      }
    });
  } catch (error) {
    if (!(error instanceof TimeLimitError)) throw error;
    throw new RemoteAgentError('limit', `${url.host} sent no card within ${timeoutMs / 1000} s.`);
  }
}

/** Only within the origin that the user named: elsewhere another party would speak for the agent. */
async function followed({ url, http, signal }: CardRequest, grant: Grant): Promise<HttpResponse> {
  let current = url;
  for (let hops = 0; ; hops++) {
    const response = await http.send({
      method: 'GET',
      url: withQuery(current, grant),
      headers: { accept: 'application/json', ...grant.headers },
      signal,
    });
    const { location } = response.headers;
    if (response.status < 300 || response.status >= 400 || typeof location !== 'string') return response;
    response.dispose();
    const next = URL.canParse(location, current.href) ? new URL(location, current) : undefined;
    if (next?.origin !== url.origin) {
      const target = next ? next.origin : 'no address';
      throw new RemoteAgentError(
        'address',
        `${url.host} redirects to ${target}. If you trust it, use its address in agent_card_url.`,
      );
    }
    if (hops === MAX_REDIRECTS)
      throw new RemoteAgentError('address', `${url.host} redirects again and again.`);
    current = next;
  }
}

async function bounded({ body }: HttpResponse, limit: number, { host }: URL): Promise<string> {
  const pieces: Buffer[] = [];
  let size = 0;
  for await (const piece of body) {
    size += piece.length;
    if (size > limit)
      throw new RemoteAgentError('limit', `The card of ${host} is larger than ${limit} bytes.`);
    pieces.push(piece);
  }
  return Buffer.concat(pieces).toString('utf8');
}
