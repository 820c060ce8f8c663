/** Small JSON exchanges with sign-in servers: limited in time and size, never unencrypted, without redirects. */
import type { LookupFunction } from 'node:net';
import { messageOf, UserError } from '../../base/errors.js';
import { objectOf } from '../../base/objects.js';
import type { ProxySource } from '../environment.js';
import { TimeLimitError, withTimeLimit } from '../time-limit.js';
import { HttpClient, readText } from './http.js';

export interface AuthRequest {
  method: 'GET' | 'POST' | 'HEAD';
  url: string | URL;
  headers?: Record<string, string>;
  /** Sent as `application/x-www-form-urlencoded`. */
  form?: Record<string, string>;
  json?: unknown;
  signal?: AbortSignal;
  timeoutMs?: number;
  /** Allows http to another machine: for requests that carry no secret (the metadata server). */
  plain?: boolean;
}

export interface AuthResponse {
  status: number;
  headers: Record<string, string | string[] | undefined>;
  text: string;
  /** The body as an object; empty if it is not one. */
  body: Record<string, unknown>;
}

const ANSWER_LIMIT = 1024 * 1024;
const TIMEOUT_MS = 30_000;

export class AuthHttp {
  /** One client per server: each decides once whether to use a proxy. */
  private readonly clients = new Map<string, HttpClient>();

  /**
   * @param proxies may name a proxy
   * @param lookup resolves and may refuse host names of direct connections (`checked-lookup.ts`)
   */
  constructor(
    private readonly proxies: ProxySource = { variables: {} },
    private readonly timeoutMs = TIMEOUT_MS,
    private readonly lookup?: LookupFunction,
  ) {}

  async send(request: AuthRequest): Promise<AuthResponse> {
    const url = new URL(request.url);
    if (!request.plain) requirePrivate(url);
    try {
      return await withTimeLimit(this.limitOf(request), request.signal, (signal) =>
        this.exchange(url, request, signal),
      );
    } catch (error) {
      request.signal?.throwIfAborted();
      throw unreachable(url, error instanceof TimeLimitError ? tooLate() : error);
    }
  }

  private limitOf({ timeoutMs = this.timeoutMs }: AuthRequest): number {
    return Math.min(timeoutMs, this.timeoutMs);
  }

  private async exchange(url: URL, request: AuthRequest, signal: AbortSignal): Promise<AuthResponse> {
    const { method } = request;
    const response = await this.clientFor(url).send({ method, url, signal, ...encode(request) });
    try {
      const text = await readText(response.body, ANSWER_LIMIT);
      return { status: response.status, headers: response.headers, text, body: objectIn(text) };
    } finally {
      response.dispose();
    }
  }

  close(): void {
    for (const client of this.clients.values()) client.close();
    this.clients.clear();
  }

  private clientFor(url: URL): HttpClient {
    const existing = this.clients.get(url.origin);
    if (existing) return existing;
    const client = new HttpClient({}, this.proxies, this.lookup);
    this.clients.set(url.origin, client);
    return client;
  }
}

export function isLoopback(url: URL): boolean {
  return ['localhost', '127.0.0.1', '[::1]'].includes(url.hostname);
}

/** The cause keeps its code, which tells callers that a retry may help. */
function unreachable(url: URL, cause: unknown): UserError {
  const message = `Cannot reach ${url.host}: ${messageOf(cause)}`;
  return new UserError(message, { code: 'unreachable', cause });
}

function tooLate(): Error {
  return Object.assign(new Error('no answer in time'), { code: 'ETIMEDOUT' });
}

function requirePrivate(url: URL): void {
  if (url.protocol === 'https:' || (url.protocol === 'http:' && isLoopback(url))) return;
  throw new UserError(`Credentials are only sent over https, not to ${url.origin}.`, {
    code: 'insecure_address',
  });
}

function encode({ headers, form, json }: AuthRequest): { headers: Record<string, string>; body?: Buffer[] } {
  if (form) {
    const body = [Buffer.from(new URLSearchParams(form).toString())];
    return { headers: { 'content-type': 'application/x-www-form-urlencoded', ...headers }, body };
  }
  if (json !== undefined) {
    return {
      headers: { 'content-type': 'application/json', ...headers },
      body: [Buffer.from(JSON.stringify(json))],
    };
  }
  return { headers: { ...headers } };
}

function objectIn(text: string): Record<string, unknown> {
  try {
    const value: unknown = JSON.parse(text);
    return objectOf(value);
  } catch {
    return {};
  }
}
