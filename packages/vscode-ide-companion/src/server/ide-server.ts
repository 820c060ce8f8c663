/** The HTTP server that programs connect to: one address for the window, a session for each program. */
import { randomUUID } from 'node:crypto';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { refusalOf } from './guard.js';
import { type Notification, Session } from './session.js';
import type { DiffTools } from './tools.js';
import { readBody, sendWebResponse, toWebRequest } from './web-bridge.js';

export interface IdeServerOptions {
  version: string;
  diffs: DiffTools;
  /** What a program is told first. */
  firstNotification: () => Notification;
  sessionEnded: (owner: object) => void;
  log: (line: string) => void;
}

const MAX_BODY = 10 * 1024 * 1024;
const PING_MS = 60_000;
const METHODS = ['GET', 'POST', 'DELETE'];

export class IdeServer {
  readonly token = randomUUID();
  private readonly sessions = new Map<string, Session>();
  private readonly http: Server;
  private pings: NodeJS.Timeout | undefined;

  constructor(private readonly options: IdeServerOptions) {
    this.http = createServer((request, response) => {
      this.handle(request, response).catch((error: unknown) => this.fail(error, response));
    });
  }

  get port(): number {
    return (this.http.address() as AddressInfo).port;
  }

  async start(): Promise<void> {
    await new Promise<void>((resolve, reject) => {
      this.http.once('error', reject);
      this.http.listen(0, '127.0.0.1', () => {
        this.http.off('error', reject);
        resolve();
      });
    });
    this.pings = setInterval(() => void this.pingAll(), PING_MS);
    this.pings.unref();
  }

  async stop(): Promise<void> {
    clearInterval(this.pings);
    const closed = new Promise((resolve) => this.http.close(resolve));
    await Promise.allSettled([...this.sessions.values()].map((session) => session.close()));
    this.http.closeAllConnections();
    await closed;
  }

  /** Resolves when all have answered; those that have not for long lose their session. */
  async pingAll(): Promise<void> {
    await Promise.all([...this.sessions.values()].map((session) => session.ping()));
  }

  /** To all programs, or to the one that asked for something. */
  notify(notification: Notification, owner?: object): void {
    for (const session of this.sessions.values()) {
      if (owner === undefined || session === owner) this.send(session, notification);
    }
  }

  private async handle(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const refusal = refusalOf(request.headers, this);
    if (refusal) return this.refuse(request, response, refusal.status, refusal.message);
    if (new URL(request.url ?? '/', 'http://localhost').pathname !== '/mcp')
      return this.refuse(request, response, 404, 'There is only /mcp here.');
    if (!METHODS.includes(request.method ?? '')) {
      response.setHeader('allow', METHODS.join(', '));
      return this.refuse(request, response, 405, `${request.method} is not supported.`);
    }
    await this.handleProtocol(request, response);
  }

  private async handleProtocol(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const id = request.headers['mcp-session-id'];
    const known = typeof id === 'string' ? this.sessions.get(id) : undefined;
    // 404 tells a client to begin a new session, for instance after it was dropped.
    if (id !== undefined && !known) return this.refuse(request, response, 404, 'This session has ended.');
    if (!known && request.method !== 'POST')
      return this.refuse(request, response, 400, 'The session is missing.');

    const hasBody = request.method === 'POST';
    const body = hasBody ? await readBody(request, MAX_BODY) : undefined;
    if (hasBody && body === undefined)
      return this.refuse(request, response, 413, `The request is longer than ${MAX_BODY} bytes.`);
    const session = known ?? (await this.newSession());
    const answer = await session.handle(toWebRequest(request, body));
    // Anything but a valid `initialize` leaves no session behind.
    if (session.id === undefined) await session.close();
    const sent = sendWebResponse(answer, response);
    if (request.method === 'GET' && answer.ok) this.send(session, this.options.firstNotification());
    await sent;
  }

  private async newSession(): Promise<Session> {
    const { version, diffs, sessionEnded, log } = this.options;
    const session = new Session(
      { version, diffs, maxBody: MAX_BODY },
      {
        started: (started) => {
          if (started.id) this.sessions.set(started.id, started);
          log(`A program has connected (${this.sessions.size} now).`);
        },
        ended: (ended) => {
          if (!ended.id || !this.sessions.delete(ended.id)) return;
          log(`A program has left (${this.sessions.size} now).`);
          sessionEnded(ended);
        },
      },
    );
    await session.open();
    return session;
  }

  private send(session: Session, notification: Notification): void {
    session.notify(notification).catch((error: unknown) => {
      this.options.log(`${notification.method} could not be sent: ${error}`);
    });
  }

  private refuse(request: IncomingMessage, response: ServerResponse, status: number, message: string): void {
    this.options.log(`${request.method} ${request.url}: ${status} ${message}`);
    // The rest of a body is read and forgotten; a client that still writes can then read the answer.
    request.resume();
    response.writeHead(status, { 'content-type': 'application/json', connection: 'close' });
    response.end(JSON.stringify({ jsonrpc: '2.0', error: { code: -32000, message }, id: null }));
  }

  private fail(error: unknown, response: ServerResponse): void {
    // A client that goes away in mid stream is not worth a message.
    if (response.headersSent || response.destroyed) return;
    this.options.log(`A request failed: ${error}`);
    response.writeHead(500).end();
  }
}
