/**
 * Receives the redirect of an authorization server: a server on this machine that accepts one request. Web pages and
 * other users can reach the port as well; without the secret state they change nothing.
 */
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { codeOf, messageOf } from '../../base/errors.js';
import type { Variables } from '../environment.js';
import { isSameSecret, refuseStranger } from '../net/local-server-guard.js';
import { OAuthError } from './oauth-error.js';
import { isFromIssuer } from './pasted-code.js';

export interface ReceiverOptions {
  /** Who asks for the sign-in, for messages: `Google`. */
  service: string;
  state: string;
  /** A redirect that names another one is refused (RFC 9207). */
  issuer?: string;
  /** Of the redirect URI, with a leading slash. */
  path: string;
  /** In the redirect URI; some servers compare it with a registered one. Default `127.0.0.1`. */
  visibleHost?: string;
  /** Default: as the environment says. */
  port?: number;
}

export class LoopbackReceiver {
  private readonly arrival: Promise<string>;
  private settle: { resolve: (code: string) => void; reject: (error: Error) => void } | undefined;

  private constructor(
    private readonly server: Server,
    readonly redirectUri: string,
    private readonly options: ReceiverOptions,
  ) {
    this.arrival = new Promise((resolve, reject) => {
      this.settle = { resolve, reject };
    });
    // It may close before the caller waits for it: avoid an unhandled rejection.
    this.arrival.catch(() => {});
    server.on('request', (request, response) => this.handle(request, response));
  }

  /** @param env `OAUTH_CALLBACK_HOST`: the address to listen on; `OAUTH_CALLBACK_PORT` */
  static async listen(env: Variables, options: ReceiverOptions): Promise<LoopbackReceiver> {
    const server = createServer({ requestTimeout: 10_000, headersTimeout: 10_000, keepAliveTimeout: 1 });
    const host = env['OAUTH_CALLBACK_HOST']?.trim() || '127.0.0.1';
    const wanted = options.port ?? callbackPort(env);
    await new Promise<void>((resolve, reject) => {
      server.once('error', (error) => reject(cannotListen(error, host, wanted)));
      server.listen(wanted, host, resolve);
    });
    // A listening TCP server has an address with a port.
    const { port } = server.address() as AddressInfo;
    const visible = host === '::1' ? '[::1]' : (options.visibleHost ?? '127.0.0.1');
    return new LoopbackReceiver(server, `http://${visible}:${port}${options.path}`, options);
  }

  /** The code, once the browser brings it. Rejects when the user refused. */
  code(): Promise<string> {
    return this.arrival;
  }

  close(): void {
    this.server.close();
    this.server.closeAllConnections();
  }

  private handle(request: IncomingMessage, response: ServerResponse): void {
    const url = URL.canParse(request.url ?? '', this.redirectUri)
      ? new URL(request.url ?? '', this.redirectUri)
      : undefined;
    const refusal = this.refusalOf(request, url);
    const settle = this.settle;
    if (!url || refusal || !settle) {
      const { status, text } = refusal ?? { status: 410, text: 'This sign-in is over.' };
      answer(response, status, text);
      return;
    }
    this.settle = undefined;
    const code = url.searchParams.get('code');
    const text = code
      ? 'The sign-in continues in the terminal. You can close this page.'
      : 'The sign-in was not completed. You can close this page.';
    answer(response, code ? 200 : 400, text, () => {
      if (code) settle.resolve(code);
      else settle.reject(refused(this.options.service, url.searchParams.get('error')));
    });
  }

  /** A refused request changes nothing: the server keeps waiting for the right one. */
  private refusalOf(
    request: IncomingMessage,
    url: URL | undefined,
  ): { status: number; text: string } | undefined {
    // A browser that follows a redirect sends no origin; scripts of other pages do.
    const stranger = refuseStranger(request, { port: Number(new URL(this.redirectUri).port || 80) });
    if (stranger) return { status: stranger.status, text: 'This address is only for the sign-in.' };
    if (url?.pathname !== this.options.path) return { status: 404, text: 'Nothing here.' };
    if (request.method !== 'GET') return { status: 405, text: 'Nothing here.' };
    const { state, issuer } = this.options;
    const isOurs =
      isSameSecret(url.searchParams.get('state'), state) && isFromIssuer(url.searchParams, issuer);
    if (isOurs) return undefined;
    return { status: 400, text: 'This page does not belong to the sign-in that is waiting. Start it again.' };
  }
}

/** 0: any free port. */
export function callbackPort(env: Variables): number {
  const text = env['OAUTH_CALLBACK_PORT']?.trim();
  if (!text) return 0;
  const port = Number(text);
  if (Number.isInteger(port) && port > 0 && port < 65_536) return port;
  throw new OAuthError('callback', `OAUTH_CALLBACK_PORT is "${text}"; a port is a number from 1 to 65535.`);
}

function cannotListen(error: Error, host: string, port: number): OAuthError {
  const reason = codeOf(error) === 'EADDRINUSE' ? `port ${port} is in use` : messageOf(error);
  return new OAuthError(
    'callback',
    `The browser cannot be received on ${host}: ${reason}. Change OAUTH_CALLBACK_HOST or OAUTH_CALLBACK_PORT, ` +
      'or set NO_BROWSER=true to paste a code instead.',
    error,
  );
}

function refused(service: string, error: string | null): OAuthError {
  const reason =
    error === 'access_denied' ? 'access was denied in the browser' : `${service} says "${safe(error)}"`;
  return new OAuthError('refused', `The sign-in with ${service} was not completed: ${reason}.`);
}

/** Untrusted text: it comes from the address of the request. */
function safe(text: string | null): string {
  return (text ?? 'no code').replace(/[^\w .-]/g, '?').slice(0, 80);
}

function answer(response: ServerResponse, status: number, text: string, done?: () => void): void {
  response.writeHead(status, {
    'content-type': 'text/html; charset=utf-8',
    'cache-control': 'no-store',
    'content-security-policy': "default-src 'none'",
    'referrer-policy': 'no-referrer',
    'x-content-type-options': 'nosniff',
    connection: 'close',
  });
  response.once('close', () => done?.());
  response.end(`<!doctype html><meta charset="utf-8"><title>Gemini CLI</title><p>${text}</p>\n`);
}
