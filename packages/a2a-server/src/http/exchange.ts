/** One request and its response, as the routes see them. */
import type { IncomingMessage, ServerResponse } from 'node:http';

export interface Exchange {
  request: IncomingMessage;
  response: ServerResponse;
  url: URL;
  /** Named groups of the route's pattern, decoded. */
  params: Readonly<Record<string, string>>;
  /** Aborts when the client has gone before the response was complete. */
  signal: AbortSignal;
}

export type Handler = (exchange: Exchange) => Promise<void>;

export interface Route {
  method: string;
  /** Of the path. */
  pattern: RegExp;
  handle: Handler;
  /** Needs no credentials. */
  isOpen?: boolean;
  /** For a browser: requests of this server's own pages are allowed. */
  isPage?: boolean;
  /** How an error is written; the default is `{"error": "..."}`. */
  writeError?: ErrorWriter;
}

/** Writes a refusal in the form of the route's protocol. */
export type ErrorWriter = (response: ServerResponse, error: unknown, exchange: Exchange) => void;

/** The address in the request line, relative to any host. */
export function urlOf({ url = '/' }: IncomingMessage): URL | undefined {
  // An absolute address or `//host` in the request line must not become the host.
  const path = url.startsWith('/') ? `http://server${url.replace(/^\/+/, '/')}` : undefined;
  return path !== undefined && URL.canParse(path) ? new URL(path) : undefined;
}

export function sendJson(
  response: ServerResponse,
  status: number,
  body: unknown,
  headers: Readonly<Record<string, string>> = {},
): void {
  const bytes = Buffer.from(JSON.stringify(body));
  response.writeHead(status, {
    'content-type': 'application/json',
    'content-length': bytes.length,
    'cache-control': 'no-store',
    ...headers,
  });
  response.end(bytes);
}

export function sendText(response: ServerResponse, status: number, text: string, type = 'text/plain'): void {
  const bytes = Buffer.from(text);
  response.writeHead(status, {
    'content-type': `${type}; charset=utf-8`,
    'content-length': bytes.length,
    'cache-control': 'no-store',
  });
  response.end(bytes);
}
