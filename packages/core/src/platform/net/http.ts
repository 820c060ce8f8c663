/**
 * Requests over node:http(s), streaming, with kept-alive connections. Not the global `fetch`: on Node 20
 * its first use costs about 130 ms and 40 MB.
 */
import { Agent, request as httpRequest, type IncomingMessage, type RequestOptions } from 'node:http';
import type { LookupFunction } from 'node:net';
import { UserError } from '../../base/errors.js';
import type { ProxySource } from '../environment.js';
import { proxyFor } from './proxy.js';

export interface HttpRequest {
  method: 'GET' | 'POST' | 'DELETE' | 'HEAD';
  url: URL;
  headers: Record<string, string>;
  /** In pieces, sent one after the other. */
  body?: readonly Buffer[];
  signal: AbortSignal;
}

export interface HttpResponse {
  status: number;
  headers: Record<string, string | string[] | undefined>;
  body: AsyncIterable<Buffer>;
  /**
   * Call when usable content has arrived. After the first call, the response times out when there is no further
   * call within `contentMs`, whatever else the server sends.
   */
  contentArrived(): void;
  /** Reads nothing for so long: what arrives meanwhile waits in the connection. */
  rest?(ms: number): Promise<void>;
  /** Stops reading and frees the connection. */
  dispose(): void;
}

/** Time limits in milliseconds. */
export interface HttpLimits {
  /** Until the response begins; models may think for minutes. */
  firstByteMs: number;
  /** Without any data. */
  silenceMs: number;
  /** With only keep-alives and empty events: models may also think in the middle of a response. */
  contentMs: number;
  /** For the whole request. */
  totalMs: number;
}

const DEFAULT_LIMITS: HttpLimits = {
  firstByteMs: 300_000,
  silenceMs: 120_000,
  contentMs: 300_000,
  totalMs: 1_800_000,
};

const KEPT_ALIVE = { keepAlive: true, maxSockets: 16 };

export class HttpClient {
  private readonly plainAgent = new Agent(KEPT_ALIVE);
  /** By proxy; '' is a direct connection. */
  private readonly tlsAgents = new Map<string, Agent>();
  private readonly limits: HttpLimits;

  /**
   * @param proxies may name a proxy
   * @param lookup resolves and may refuse host names of direct connections (`checked-lookup.ts`)
   */
  constructor(
    limits: Partial<HttpLimits> = {},
    private readonly proxies: ProxySource = { variables: {} },
    private readonly lookup?: LookupFunction,
  ) {
    this.limits = { ...DEFAULT_LIMITS, ...limits };
  }

  async send(request: HttpRequest): Promise<HttpResponse> {
    const options = {
      method: request.method,
      headers: headersOf(request),
      timeout: this.limits.firstByteMs,
      ...(this.lookup && { lookup: this.lookup }),
    };
    const proxy = proxyFor(request.url, this.proxies);
    if (request.url.protocol === 'https:') return this.sendTls(request, options, proxy);
    if (proxy) return this.sendPlainTo(proxy, request, options);
    return exchange(httpRequest, request, { ...options, agent: this.plainAgent }, this.limits);
  }

  close(): void {
    this.plainAgent.destroy();
    for (const agent of this.tlsAgents.values()) agent.destroy();
  }

  private async sendTls(
    request: HttpRequest,
    options: RequestOptions,
    proxy: URL | undefined,
  ): Promise<HttpResponse> {
    const https = await import('node:https');
    const agent = this.tlsAgents.get(proxy?.href ?? '') ?? (await tlsAgent(proxy));
    this.tlsAgents.set(proxy?.href ?? '', agent);
    return exchange(https.request, request, { ...options, agent }, this.limits);
  }

  private async sendPlainTo(
    proxy: URL,
    request: HttpRequest,
    options: RequestOptions & { headers: Record<string, string | number> },
  ): Promise<HttpResponse> {
    const { plainRequestTo } = await import('./proxied-request.js');
    const start = proxy.protocol === 'https:' ? (await import('node:https')).request : httpRequest;
    const changed = { ...options, ...plainRequestTo(request.url, proxy, options.headers), agent: false };
    return exchange(start, request, changed, this.limits);
  }
}

/** The proxy module is loaded only if a proxy is set. */
async function tlsAgent(proxy: URL | undefined): Promise<Agent> {
  if (proxy) {
    const { HttpsProxyAgent } = await import('https-proxy-agent');
    return new HttpsProxyAgent(proxy, KEPT_ALIVE);
  }
  const https = await import('node:https');
  return new https.Agent(KEPT_ALIVE);
}

function headersOf({ headers, body }: HttpRequest): Record<string, string | number> {
  if (body === undefined) return headers;
  return { ...headers, 'content-length': body.reduce((size, piece) => size + piece.length, 0) };
}

type Requester = (url: URL, options: RequestOptions) => ReturnType<typeof httpRequest>;

function exchange(
  start: Requester,
  request: HttpRequest,
  options: RequestOptions,
  limits: HttpLimits,
): Promise<HttpResponse> {
  return new Promise((resolve, reject) => {
    const outgoing = start(request.url, options);
    const { host } = request.url;
    // After the response has begun, its reader must get the error.
    let giveUp = (error: Error) => void outgoing.destroy(error);
    // Not the `signal` of Node's request: it ends the connection of a response that has arrived but was not read yet,
    // with an error that has no listener and so ends the process.
    const { signal } = request;
    const stop = () => giveUp(abortError(signal));
    let silent = () => new HttpTimeoutError('stream', `no data from ${host} for`, limits.firstByteMs);
    const total = setTimeout(
      () => giveUp(new HttpTimeoutError('request', `${host} took longer than`, limits.totalMs)),
      limits.totalMs,
    );
    total.unref();
    let content: NodeJS.Timeout | undefined;
    const contentArrived = () => {
      if (content) return void content.refresh();
      const error = new HttpTimeoutError(
        'stream',
        `nothing but keep-alives from ${host} for`,
        limits.contentMs,
      );
      content = setTimeout(() => giveUp(error), limits.contentMs);
      content.unref();
    };
    outgoing.once('response', (incoming) => {
      giveUp = (error) => void incoming.destroy(error);
      outgoing.setTimeout(limits.silenceMs);
      silent = () => new HttpTimeoutError('stream', `no more data from ${host} for`, limits.silenceMs);
      resolve({
        status: incoming.statusCode ?? 0,
        headers: incoming.headers,
        body: incoming,
        contentArrived,
        rest: (ms) => restFrom(incoming, ms),
        dispose: () => incoming.destroy(),
      });
    });
    outgoing.once('close', () => {
      signal.removeEventListener('abort', stop);
      clearTimeout(total);
      clearTimeout(content);
    });
    outgoing.on('error', reject);
    outgoing.on('timeout', () => giveUp(silent()));
    signal.addEventListener('abort', stop, { once: true });
    if (signal.aborted) return stop();
    for (const piece of request.body ?? []) outgoing.write(piece);
    outgoing.end();
  });
}

function restFrom({ socket }: IncomingMessage, ms: number): Promise<void> {
  socket.pause();
  return new Promise((resolve) => {
    setTimeout(() => {
      socket.resume();
      resolve();
    }, ms);
  });
}

/** As Node names it. */
function abortError({ reason }: AbortSignal): Error {
  const error = new Error('The operation was aborted', { cause: reason });
  return Object.assign(error, { name: 'AbortError', code: 'ABORT_ERR' });
}

/** The request exceeded one of our own limits. */
export class HttpTimeoutError extends UserError {
  override readonly name = 'HttpTimeoutError';
  override readonly code = 'ETIMEDOUT';
  constructor(
    /** The limit of the whole request, or of silence. */
    readonly limit: 'request' | 'stream',
    what: string,
    limitMs: number,
  ) {
    super(`${what} ${limitMs / 1000} s`);
  }
}

/** Reads a body as text, at most `limit` bytes of it. */
export async function readText(body: AsyncIterable<Buffer>, limit: number): Promise<string> {
  const pieces: Buffer[] = [];
  let size = 0;
  for await (const piece of body) {
    pieces.push(piece);
    size += piece.length;
    if (size >= limit) break;
  }
  return Buffer.concat(pieces).subarray(0, limit).toString('utf8');
}
