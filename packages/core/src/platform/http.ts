/**
 * Requests over node:http(s), streaming, with kept-alive connections. Not the global `fetch`: on Node 20
 * its first use costs about 130 ms and 40 MB.
 */
import { Agent, request as httpRequest, type RequestOptions } from 'node:http';
import { proxyFor } from './proxy.js';

export interface HttpRequest {
  method: 'GET' | 'POST';
  url: URL;
  headers: Record<string, string>;
  /** In pieces, which are sent as they are. */
  body?: readonly Buffer[];
  signal: AbortSignal;
}

export interface HttpResponse {
  status: number;
  headers: Record<string, string | string[] | undefined>;
  body: AsyncIterable<Buffer>;
  /** Stops reading and frees the connection. */
  dispose(): void;
}

/** A connection that is silent for so long is given up; models may think for minutes. */
const IDLE_TIMEOUT_MS = 300_000;

export class HttpClient {
  private readonly plainAgent = new Agent({ keepAlive: true, maxSockets: 16 });
  private tlsAgent: Agent | undefined;

  async send(request: HttpRequest): Promise<HttpResponse> {
    const options = {
      method: request.method,
      headers: headersOf(request),
      signal: request.signal,
      timeout: IDLE_TIMEOUT_MS,
    };
    return request.url.protocol === 'https:'
      ? this.sendTls(request, options)
      : exchange(httpRequest, request, { ...options, agent: this.plainAgent });
  }

  close(): void {
    this.plainAgent.destroy();
    this.tlsAgent?.destroy();
  }

  private async sendTls(request: HttpRequest, options: RequestOptions): Promise<HttpResponse> {
    const https = await import('node:https');
    this.tlsAgent ??= await tlsAgentFor(request.url);
    return exchange(https.request, request, { ...options, agent: this.tlsAgent });
  }
}

/** One server per client, so one agent; a proxy is only loaded where one is set. */
async function tlsAgentFor(url: URL): Promise<Agent> {
  const settings = { keepAlive: true, maxSockets: 16 };
  const proxy = proxyFor(url, process.env);
  if (proxy) {
    const { HttpsProxyAgent } = await import('https-proxy-agent');
    return new HttpsProxyAgent(proxy, settings);
  }
  const https = await import('node:https');
  return new https.Agent(settings);
}

function headersOf({ headers, body }: HttpRequest): Record<string, string | number> {
  if (body === undefined) return headers;
  return { ...headers, 'content-length': body.reduce((size, piece) => size + piece.length, 0) };
}

type Requester = (url: URL, options: RequestOptions) => ReturnType<typeof httpRequest>;

function exchange(start: Requester, request: HttpRequest, options: RequestOptions): Promise<HttpResponse> {
  return new Promise((resolve, reject) => {
    const outgoing = start(request.url, options);
    outgoing.once('response', (incoming) => {
      resolve({
        status: incoming.statusCode ?? 0,
        headers: incoming.headers,
        body: incoming,
        dispose: () => incoming.destroy(),
      });
    });
    outgoing.on('error', reject);
    outgoing.on('timeout', () => {
      const error = new Error(`No data from ${request.url.host} for ${IDLE_TIMEOUT_MS / 1000} s`);
      outgoing.destroy(Object.assign(error, { code: 'ETIMEDOUT' }));
    });
    for (const piece of request.body ?? []) outgoing.write(piece);
    outgoing.end();
  });
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
