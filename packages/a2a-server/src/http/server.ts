/** The HTTP server: refuses strangers before anything of a request is used, finds its route, reports failures. */
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';
import { codeOf, createLog, FatalConfigError } from '@gemini-cli/core';
import { refuseStranger } from '@gemini-cli/core/server';
import { Gatekeeper } from './auth.js';
import { type Exchange, type Route, sendJson, urlOf } from './exchange.js';
import { HttpError, tooMany } from './http-error.js';
import type { ServerLimits, ServerTimes } from './limits.js';

export interface HttpServerOptions {
  host: string;
  port: number;
  /** Further `Host` headers, as `name:port`; behind a proxy or on other interfaces. */
  hosts: readonly string[];
  credentials: { token?: string; basic?: string };
  limits: ServerLimits;
  times: ServerTimes;
  /** Called for each finished request. */
  onRequest?: (report: RequestReport) => void;
}

export interface RequestReport {
  method: string;
  /** The pattern, not the path: few values. */
  route: string;
  status: number;
  ms: number;
}

const log = createLog('a2a-http');

export class HttpServer {
  private readonly server: Server;
  private readonly gatekeeper: Gatekeeper;
  private readonly sockets = new Set<Socket>();
  private isClosing = false;

  constructor(
    private readonly routes: readonly Route[],
    private readonly options: HttpServerOptions,
  ) {
    this.gatekeeper = new Gatekeeper(options.credentials);
    const { requestMs } = options.times;
    this.server = createServer({
      requestTimeout: requestMs,
      headersTimeout: Math.min(requestMs, 15_000),
      connectionsCheckingInterval: Math.min(requestMs, 5_000),
    });
    this.server.on('request', (request, response) => void this.answer(request, response));
    this.server.on('connection', (socket) => {
      this.sockets.add(socket);
      socket.once('close', () => this.sockets.delete(socket));
    });
    // A client that speaks something else, or vanishes.
    this.server.on('clientError', (error, socket) => {
      const isLate = codeOf(error) === 'ERR_HTTP_REQUEST_TIMEOUT';
      const status = isLate ? '408 Request Timeout' : '400 Bad Request';
      if (socket.writable) socket.end(`HTTP/1.1 ${status}\r\nconnection: close\r\n\r\n`);
      else socket.destroy();
    });
  }

  get clients(): number {
    return this.sockets.size;
  }

  get port(): number {
    return (this.server.address() as AddressInfo).port;
  }

  async listen(): Promise<void> {
    const { host, port } = this.options;
    await new Promise<void>((resolve, reject) => {
      this.server.once('error', (error) => reject(listenProblem(error, port)));
      this.server.listen(port, host, () => {
        this.server.removeAllListeners('error');
        // A connection that cannot be accepted, because files or memory have run out, must not end the others.
        this.server.on('error', (error) => log.error('a connection was not accepted', error));
        resolve();
      });
    });
  }

  /** Takes no new requests; those that run go on. */
  stopAccepting(): void {
    this.isClosing = true;
    this.server.close();
    this.server.closeIdleConnections();
  }

  async close(): Promise<void> {
    this.stopAccepting();
    this.server.closeAllConnections();
    if (this.server.listening) await new Promise((resolve) => this.server.once('close', resolve));
  }

  private async answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const start = performance.now();
    const exchange: Exchange = {
      request,
      response,
      url: urlOf(request) ?? new URL('http://server/'),
      params: {},
      signal: whenGone(response),
    };
    let route: Route | undefined;
    response.once('close', () => {
      const [method, ms] = [request.method ?? '', performance.now() - start];
      this.options.onRequest?.({ method, route: nameOf(route), status: response.statusCode, ms });
    });
    // A client that vanishes while it is answered is not an error of this server.
    request.on('error', () => {});
    response.on('error', () => {});
    try {
      const found = this.find(request, exchange.url);
      route = found.route;
      this.admit(request, route);
      if (!route) throw missing(found.methods);
      await route.handle({ ...exchange, params: found.params });
    } catch (error) {
      this.refuse(error, exchange, route);
    }
  }

  private admit(request: IncomingMessage, route: Route | undefined): void {
    const { hosts, limits } = this.options;
    if (this.isClosing) throw new HttpError(503, 'This server is stopping.', { 'retry-after': '5' });
    const own = route?.isPage ? [`http://${request.headers.host}`, `https://${request.headers.host}`] : [];
    const refusal = refuseStranger(request, { port: this.port, hosts, origins: own });
    if (refusal) throw new HttpError(refusal.status, refusal.text);
    if (!route?.isOpen) this.gatekeeper.check(request);
    if (this.sockets.size > limits.clients) throw tooMany('clients');
  }

  private find(request: IncomingMessage, { pathname }: URL) {
    const matching = this.routes.flatMap((route) => {
      const match = route.pattern.exec(pathname);
      return match ? [{ route, groups: match.groups ?? {} }] : [];
    });
    const method = request.method === 'HEAD' ? 'GET' : request.method;
    const found = matching.find(({ route }) => route.method === method);
    const methods = [...new Set(matching.map(({ route }) => route.method))];
    return { route: found?.route, params: decodedGroups(found?.groups ?? {}), methods };
  }

  private refuse(error: unknown, exchange: Exchange, route: Route | undefined): void {
    const { request, response } = exchange;
    if (response.headersSent || response.destroyed) {
      if (!exchange.signal.aborted) log.error('a response broke off', error);
      response.destroy();
      return;
    }
    discardRest(request);
    if (error instanceof HttpError)
      for (const [name, value] of Object.entries(error.headers)) response.setHeader(name, value);
    if (route?.writeError) route.writeError(response, error, exchange);
    else if (error instanceof HttpError) sendJson(response, error.status, { error: error.message });
    else {
      log.error('a request failed', error);
      sendJson(response, 500, { error: 'The server failed. Its log says more.' });
    }
  }
}

function listenProblem(error: Error, port: number): Error {
  const problem = { EADDRINUSE: 'is in use', EACCES: 'needs rights that this user lacks' }[
    codeOf(error) ?? ''
  ];
  return problem === undefined
    ? error
    : new FatalConfigError(`Port ${port} ${problem}. Choose another one with --port or CODER_AGENT_PORT.`);
}

const MAX_DISCARDED_BYTES = 32 * 1024 * 1024;

/**
 * Reads what a refused client still sends and forgets it: closing the connection at once would make the client lose the
 * answer. One that takes too long is cut off.
 */
function discardRest(request: IncomingMessage): void {
  if (request.complete) return;
  let discarded = 0;
  request.on('data', (piece: Buffer) => {
    discarded += piece.length;
    if (discarded > MAX_DISCARDED_BYTES) request.destroy();
  });
  request.resume();
}

function missing(methods: readonly string[]): HttpError {
  if (methods.length === 0) return new HttpError(404, 'There is nothing at this address.');
  return new HttpError(405, `Use ${methods.join(' or ')} here.`, { allow: methods.join(', ') });
}

function decodedGroups(groups: Record<string, string>): Record<string, string> {
  try {
    return Object.fromEntries(
      Object.entries(groups).map(([name, text]) => [name, decodeURIComponent(text ?? '')]),
    );
  } catch {
    throw new HttpError(400, 'The address is not encoded correctly.');
  }
}

function whenGone(response: ServerResponse): AbortSignal {
  const controller = new AbortController();
  response.once('close', () => {
    if (!response.writableFinished) controller.abort(new Error('The client has gone.'));
  });
  return controller.signal;
}

function nameOf(route: Route | undefined): string {
  if (!route) return 'none';
  const { source } = route.pattern;
  return source
    .replace(/\(\?<(\w+)>[^)]*\)/g, ':$1')
    .replace(/\(\?:/g, '(')
    .replace(/[\\^$?]/g, '');
}
