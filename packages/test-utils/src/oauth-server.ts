/**
 * Google's sign-in servers over real HTTP on 127.0.0.1: consent page, tokens, token info, user info, metadata
 * server, Code Assist. It issues, expires and revokes like the real ones, and can be told to misbehave.
 */
import { createHash, createPublicKey, verify } from 'node:crypto';
import { createServer, type IncomingHttpHeaders, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

export interface AuthExchange {
  method: string;
  /** Without the query. */
  path: string;
  headers: IncomingHttpHeaders;
  /** Query and form together. */
  params: URLSearchParams;
  /** A JSON body. */
  json: unknown;
}

export interface AuthAnswer {
  status: number;
  body: unknown;
  headers?: Record<string, string>;
}

/** Replaces the right answer: by this one, or by none. */
export type Misbehaviour = AuthAnswer | 'silence';

interface Grant {
  challenge: string;
  redirectUri: string;
}

export async function startOAuthServer(): Promise<OAuthServer> {
  const server = new OAuthServer();
  await server.listen();
  return server;
}

export class OAuthServer {
  readonly client = { clientId: 'test-client', clientSecret: 'test-client-secret' };
  readonly requests: AuthExchange[] = [];
  /** What the user does on the consent page. */
  consent: 'grant' | 'deny' | 'foreign-state' = 'grant';
  email = 'ada@example.com';
  lifetimeS = 3600;
  /** PEM of the service account's public key. */
  serviceAccountKey: string | undefined;
  /** Answers of Code Assist by method (`loadCodeAssist`) or operation name, used up in order; the last one stays. */
  readonly codeAssist = new Map<string, AuthAnswer[]>();

  private readonly misbehaviours = new Map<string, Misbehaviour[]>();
  private readonly codes = new Map<string, Grant>();
  private readonly accessTokens = new Set<string>();
  private readonly refreshTokens = new Set<string>();
  private count = 0;
  private readonly http = createServer((request, response) => {
    this.handle(request, response).catch((error: unknown) => response.destroy(error as Error));
  });

  get url(): string {
    // A listening TCP server has an address with a port.
    return `http://127.0.0.1:${(this.http.address() as AddressInfo).port}`;
  }

  /** The addresses for the program that signs in. */
  get endpoints() {
    const at = (path: string) => `${this.url}${path}`;
    return {
      authorize: at('/authorize'),
      token: at('/token'),
      tokenInfo: at('/tokeninfo'),
      userInfo: at('/userinfo'),
      manualRedirect: at('/authcode'),
      metadata: [this.url],
      iamCredentials: this.url,
    };
  }

  /** The next answers to requests for this path. */
  misbehave(path: string, ...answers: Misbehaviour[]): void {
    this.misbehaviours.set(path, [...(this.misbehaviours.get(path) ?? []), ...answers]);
  }

  /** Tokens of an earlier sign-in. */
  issue(): { access_token: string; refresh_token: string } {
    const number = ++this.count;
    const tokens = { access_token: `ya29.access-${number}`, refresh_token: `1//refresh-${number}` };
    this.accessTokens.add(tokens.access_token);
    this.refreshTokens.add(tokens.refresh_token);
    return tokens;
  }

  revoke(token: string): void {
    this.accessTokens.delete(token);
    this.refreshTokens.delete(token);
  }

  to(path: string): AuthExchange[] {
    return this.requests.filter((request) => request.path === path);
  }

  listen(): Promise<void> {
    return new Promise((resolve) => this.http.listen(0, '127.0.0.1', resolve));
  }

  close(): Promise<void> {
    this.http.closeAllConnections();
    return new Promise((resolve) => this.http.close(() => resolve()));
  }

  private async handle(incoming: IncomingMessage, response: ServerResponse): Promise<void> {
    const request = await describe(incoming);
    this.requests.push(request);
    const answer = this.misbehaviours.get(request.path)?.shift() ?? this.answer(request);
    if (answer === 'silence') return;
    const isText = typeof answer.body === 'string';
    response.writeHead(answer.status, {
      'content-type': isText ? 'text/html' : 'application/json',
      ...answer.headers,
    });
    response.end(isText ? answer.body : JSON.stringify(answer.body));
  }

  private answer(request: AuthExchange): AuthAnswer {
    switch (request.path) {
      case '/authorize':
        return this.authorize(request.params);
      case '/authcode':
        return { status: 200, body: request.params.get('code') ?? 'no code' };
      case '/token':
        return this.token(request.params);
      case '/tokeninfo':
        return this.accessTokens.has(request.params.get('access_token') ?? '')
          ? ok({ expires_in: this.lifetimeS, email: this.email })
          : refuse('invalid_token');
      case '/userinfo':
        return this.isAuthorized(request) ? ok({ email: this.email }) : refuse('unauthorized', 401);
      case '/computeMetadata/v1/instance/service-accounts/default/token':
        return this.metadata(request);
      default:
        return this.codeAssistAnswer(request);
    }
  }

  private authorize(params: URLSearchParams): AuthAnswer {
    const redirectUri = params.get('redirect_uri') ?? '';
    if (params.get('client_id') !== this.client.clientId || !URL.canParse(redirectUri)) {
      return { status: 400, body: 'unknown client' };
    }
    const target = new URL(redirectUri);
    target.searchParams.set(
      'state',
      this.consent === 'foreign-state' ? 'f'.repeat(64) : (params.get('state') ?? ''),
    );
    if (this.consent === 'deny') {
      target.searchParams.set('error', 'access_denied');
    } else {
      const code = `4/code-${++this.count}`;
      this.codes.set(code, { challenge: params.get('code_challenge') ?? '', redirectUri });
      target.searchParams.set('code', code);
    }
    return { status: 302, body: '', headers: { location: target.toString() } };
  }

  private token(form: URLSearchParams): AuthAnswer {
    const grantType = form.get('grant_type');
    if (grantType === 'urn:ietf:params:oauth:grant-type:jwt-bearer') {
      return this.isSigned(form.get('assertion') ?? '')
        ? this.newTokens(false)
        : refuse('invalid_grant', 400, 'bad JWT');
    }
    const isClient =
      form.get('client_id') === this.client.clientId &&
      form.get('client_secret') === this.client.clientSecret;
    if (!isClient) return refuse('invalid_client', 401);
    if (grantType === 'refresh_token') {
      const known = this.refreshTokens.has(form.get('refresh_token') ?? '');
      return known
        ? this.newTokens(false)
        : refuse('invalid_grant', 400, 'Token has been expired or revoked.');
    }
    return this.redeem(form);
  }

  /** A code works once, for its redirect address, and with the right verifier. */
  private redeem(form: URLSearchParams): AuthAnswer {
    const code = form.get('code') ?? '';
    const grant = this.codes.get(code);
    this.codes.delete(code);
    const challenge = createHash('sha256')
      .update(form.get('code_verifier') ?? '')
      .digest('base64url');
    const isRight = grant?.challenge === challenge && grant.redirectUri === form.get('redirect_uri');
    return isRight ? this.newTokens(true) : refuse('invalid_grant', 400, 'Malformed auth code.');
  }

  private newTokens(withRefresh: boolean): AuthAnswer {
    const { access_token, refresh_token } = this.issue();
    if (!withRefresh) this.refreshTokens.delete(refresh_token);
    return ok({
      access_token,
      ...(withRefresh && { refresh_token, id_token: 'header.payload.signature' }),
      scope: 'openid',
      token_type: 'Bearer',
      expires_in: this.lifetimeS,
    });
  }

  private metadata({ headers }: AuthExchange): AuthAnswer {
    if (headers['metadata-flavor'] !== 'Google') return { status: 403, body: 'missing header' };
    const { access_token } = this.issue();
    const body = { access_token, expires_in: this.lifetimeS, token_type: 'Bearer' };
    return { ...ok(body), headers: { 'metadata-flavor': 'Google' } };
  }

  private codeAssistAnswer(request: AuthExchange): AuthAnswer {
    const name = request.path.replace(/^\/v1internal[:/]/, '');
    const answers = this.codeAssist.get(name);
    if (!answers) return { status: 404, body: { error: { code: 404, message: `no ${name}` } } };
    if (!this.isAuthorized(request))
      return { status: 401, body: { error: { code: 401, message: 'no valid token' } } };
    return (answers.length > 1 ? answers.shift() : answers[0]) ?? { status: 500, body: {} };
  }

  private isAuthorized({ headers }: AuthExchange): boolean {
    return this.accessTokens.has(headers.authorization?.replace(/^Bearer /, '') ?? '');
  }

  private isSigned(assertion: string): boolean {
    const [header = '', claims = '', signature = ''] = assertion.split('.');
    if (!this.serviceAccountKey) return false;
    const { aud } = JSON.parse(Buffer.from(claims, 'base64url').toString('utf8'));
    const key = createPublicKey(this.serviceAccountKey);
    const signed = Buffer.from(`${header}.${claims}`);
    return (
      aud === this.endpoints.token && verify('RSA-SHA256', signed, key, Buffer.from(signature, 'base64url'))
    );
  }
}

function ok(body: unknown): AuthAnswer {
  return { status: 200, body };
}

function refuse(error: string, status = 400, description?: string): AuthAnswer {
  return { status, body: { error, ...(description && { error_description: description }) } };
}

async function describe(incoming: IncomingMessage): Promise<AuthExchange> {
  const url = new URL(incoming.url ?? '/', 'http://127.0.0.1');
  const pieces: Buffer[] = [];
  for await (const piece of incoming) pieces.push(piece as Buffer);
  const text = Buffer.concat(pieces).toString('utf8');
  const isJson = (incoming.headers['content-type'] ?? '').includes('json');
  const params = new URLSearchParams(url.searchParams);
  if (!isJson) for (const [name, value] of new URLSearchParams(text)) params.append(name, value);
  return {
    method: incoming.method ?? '',
    path: url.pathname,
    headers: incoming.headers,
    params,
    json: isJson && text ? JSON.parse(text) : undefined,
  };
}
