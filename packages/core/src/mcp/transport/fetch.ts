/**
 * `fetch` for the library's transports, over our HTTP client: the same proxy rules as everywhere, no limits on open
 * streams, bounded messages, and credentials only for the origin of the server.
 */
import type { FetchLike } from '@modelcontextprotocol/client';
import { LONGEST_TIMER_MS } from '../../base/longest-timer.js';
import { HttpClient, type HttpResponse } from '../../platform/net/http.js';
import { McpServerError } from '../errors.js';
import { EventSize } from './event-size.js';
import { MAX_MESSAGE_BYTES } from './message-lines.js';
import type { RemoteServer } from './remote.js';

/** Requests have limits of their own; an event stream stays open as long as the session. */
const LIMITS = { firstByteMs: 0, silenceMs: 0, contentMs: LONGEST_TIMER_MS, totalMs: LONGEST_TIMER_MS };
const METHODS = ['GET', 'POST', 'DELETE', 'HEAD'] as const;

export function createFetch(
  serverUrl: URL,
  { server, headers, headerProblem, environment, auth }: RemoteServer,
): { fetch: FetchLike; close: () => void } {
  const http = new HttpClient(LIMITS, environment);
  const configured = headers();
  const send = async (url: URL, init: RequestInit): Promise<HttpResponse> => {
    const isOurs = url.origin === serverUrl.origin;
    const credentials = isOurs && auth ? await auth.headers(server) : {};
    const query = (isOurs && (await auth?.query?.(server))) || {};
    const given = new Headers(init.headers);
    const extra = isOurs ? { ...lowerKeys(configured), ...lowerKeys(credentials) } : {};
    return http.send({
      method: METHODS.find((method) => method === (init.method ?? 'GET')) ?? 'POST',
      url: withQuery(url, query),
      headers: { ...extra, ...Object.fromEntries(given), ...lowerKeys(credentials) },
      ...(typeof init.body === 'string' && { body: [Buffer.from(init.body)] }),
      signal: init.signal ?? new AbortController().signal,
    });
  };
  const fetch: FetchLike = async (address, init = {}) => {
    const url = new URL(String(address));
    let response = await send(url, init);
    if (auth && url.origin === serverUrl.origin && asksForSignIn(response)) {
      const isWorthIt = await auth.onUnauthorized(server, headerOf(response, 'www-authenticate'));
      if (isWorthIt) {
        response.dispose();
        response = await send(url, init);
      }
    }
    if (response.status === 401) {
      response.dispose();
      throw unauthorized(server, headerProblem?.());
    }
    // Some servers answer 404 where they have no stream of their own.
    const isMissingStream = response.status === 404 && init.method === 'GET';
    return asResponse(response, isMissingStream ? 405 : response.status, server.name);
  };
  return { fetch, close: () => http.close() };
}

/** A token that lacks a right can be replaced by one that has it. */
function asksForSignIn(response: HttpResponse): boolean {
  const challenge = headerOf(response, 'www-authenticate') ?? '';
  return response.status === 401 || (response.status === 403 && challenge.includes('insufficient_scope'));
}

function withQuery(url: URL, query: Record<string, string>): URL {
  const extended = new URL(url);
  for (const [name, value] of Object.entries(query)) extended.searchParams.set(name, value);
  return extended;
}

/** A header that the user wrote is more likely to be wrong than a sign-in to be missing. */
function unauthorized({ name, config }: RemoteServer['server'], problem: string | undefined): McpServerError {
  const isWritten = Object.keys(config.headers ?? {}).some((header) => /^authorization$/i.test(header));
  const signIn = `/mcp auth ${name}.`;
  const what = problem
    ? `it refused the request: ${problem}`
    : isWritten
      ? `it refused the header "Authorization" of its settings. Correct it, or remove it and run ${signIn}`
      : `it asks for a sign-in. Run ${signIn}`;
  return new McpServerError(name, 'unauthorized', what);
}

const WITHOUT_BODY = new Set([101, 204, 205, 304]);

function asResponse(response: HttpResponse, status: number, serverName: string): Response {
  const headers = new Headers();
  for (const [name, value] of Object.entries(response.headers))
    for (const item of [value ?? []].flat()) headers.append(name, item);
  if (WITHOUT_BODY.has(status)) {
    response.dispose();
    return new Response(null, { status, headers });
  }
  const isStream = headers.get('content-type')?.includes('text/event-stream') ?? false;
  return new Response(bodyOf(response, isStream, serverName), { status, headers });
}

/** An event stream may go on for ever, but no event and no other body may be larger than a message. */
function bodyOf(response: HttpResponse, isStream: boolean, serverName: string): ReadableStream<Uint8Array> {
  const pieces = response.body[Symbol.asyncIterator]();
  const event = new EventSize();
  let total = 0;
  return new ReadableStream({
    async pull(controller) {
      const { done, value } = await pieces.next();
      if (done) return controller.close();
      total += value.length;
      const size = isStream ? event.add(value) : total;
      if (size > MAX_MESSAGE_BYTES) {
        response.dispose();
        throw new McpServerError(
          serverName,
          'transport',
          `it sent a message of more than ${MAX_MESSAGE_BYTES / 1024 / 1024} MB.`,
        );
      }
      controller.enqueue(value);
    },
    cancel: () => response.dispose(),
  });
}

function headerOf({ headers }: HttpResponse, name: string): string | undefined {
  const value = headers[name];
  return Array.isArray(value) ? value.join(', ') : value;
}

function lowerKeys(headers: Readonly<Record<string, string>>): Record<string, string> {
  return Object.fromEntries(Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value]));
}
