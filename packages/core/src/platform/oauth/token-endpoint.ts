/** Exchanges codes and refresh tokens for tokens. */
import { objectOf } from '../../base/objects.js';
import type { Clock } from '../clock.js';
import type { AuthHttp, AuthResponse } from '../net/auth-http.js';
import { OAuthError } from './oauth-error.js';
import type { OAuthClient, OAuthRequest, OAuthServer, OAuthTokens } from './types.js';

export interface TokenExchange {
  http: AuthHttp;
  clock: Clock;
  signal?: AbortSignal;
}

export function exchangeCode(
  exchange: TokenExchange,
  { server, audiences = [], resource }: OAuthRequest,
  client: OAuthClient,
  { code, verifier, redirectUri }: { code: string; verifier: string; redirectUri: string },
): Promise<OAuthTokens> {
  return askToken(exchange, server, client, {
    grant_type: 'authorization_code',
    code,
    code_verifier: verifier,
    redirect_uri: redirectUri,
    ...(audiences.length > 0 && { audience: audiences.join(' ') }),
    ...(resource && { resource }),
  });
}

/** A server that sends no new refresh token lets us keep the old one. */
export async function refreshTokens(
  exchange: TokenExchange,
  { server, resource }: Pick<OAuthRequest, 'server' | 'resource'>,
  client: OAuthClient,
  refreshToken: string,
): Promise<OAuthTokens> {
  const tokens = await askToken(exchange, server, client, {
    grant_type: 'refresh_token',
    refresh_token: refreshToken,
    ...(resource && { resource }),
  });
  return { refreshToken, ...tokens };
}

/** @throws OAuthError `refused` when the server refuses; other errors mean that nothing is known about the grant */
async function askToken(
  { http, clock, signal }: TokenExchange,
  server: OAuthServer,
  client: OAuthClient,
  grant: Record<string, string>,
): Promise<OAuthTokens> {
  const send = (method: ClientAuth) =>
    http.send({ method: 'POST', url: server.tokenUrl, signal, ...authenticated(client, method, grant) });
  const method = methodFor(server, client);
  let response = await send(method);
  // Servers must know one of two methods, and do not always say which.
  if (method === 'post' && refusalIn(response)?.reason === 'invalid_client') response = await send('basic');
  return tokensIn(response, server.tokenUrl, clock);
}

type ClientAuth = 'none' | 'post' | 'basic';

function methodFor({ tokenAuthMethods }: OAuthServer, { clientSecret }: OAuthClient): ClientAuth {
  if (!clientSecret) return 'none';
  return tokenAuthMethods && !tokenAuthMethods.includes('client_secret_post') ? 'basic' : 'post';
}

function authenticated(
  { clientId, clientSecret = '' }: OAuthClient,
  method: ClientAuth,
  grant: Record<string, string>,
): { form: Record<string, string>; headers: Record<string, string> } {
  const accept = { accept: 'application/json' };
  if (method !== 'basic') {
    const client = { ...grant, client_id: clientId };
    const form = method === 'post' ? { ...client, client_secret: clientSecret } : client;
    return { form, headers: accept };
  }
  const pair = `${encodeURIComponent(clientId)}:${encodeURIComponent(clientSecret)}`;
  const authorization = `Basic ${Buffer.from(pair).toString('base64')}`;
  return { form: grant, headers: { ...accept, authorization } };
}

function tokensIn(response: AuthResponse, tokenUrl: string, clock: Clock): OAuthTokens {
  const { host } = new URL(tokenUrl);
  const refusal = refusalIn(response);
  if (refusal) {
    const { reason, description } = refusal;
    throw new OAuthError('refused', `${host} refused: ${description ? `${reason}, ${description}` : reason}`);
  }
  const value = (name: string) => textAt(bodyOf(response), name);
  const accessToken = response.status === 200 ? value('access_token') : undefined;
  if (!accessToken) {
    throw new OAuthError('server', `${host} answered with HTTP ${response.status} and no token.`);
  }
  const lifetime = Number(bodyOf(response)['expires_in']);
  const refreshToken = value('refresh_token');
  const scope = value('scope');
  return {
    accessToken,
    tokenType: value('token_type') ?? 'Bearer',
    ...(refreshToken && { refreshToken }),
    ...(scope && { scope }),
    ...(lifetime > 0 && { expiresAt: clock.now() + lifetime * 1000 }),
  };
}

function refusalIn(response: AuthResponse): { reason: string; description?: string } | undefined {
  // Some servers send a refusal with status 200.
  if (response.status >= 500) return undefined;
  const reason = textAt(bodyOf(response), 'error');
  return reason === undefined
    ? undefined
    : { reason: safe(reason), description: safe(textAt(bodyOf(response), 'error_description') ?? '') };
}

/** JSON, or form-encoded as some servers answer. */
function bodyOf({ body, text, headers }: AuthResponse): Record<string, unknown> {
  if (!String(headers['content-type']).includes('application/x-www-form-urlencoded')) return objectOf(body);
  return Object.fromEntries(new URLSearchParams(text));
}

function textAt(body: Record<string, unknown>, name: string): string | undefined {
  const value = body[name];
  return typeof value === 'string' && value !== '' ? value : undefined;
}

/** Text of the server, for one line of a message. */
function safe(text: string): string {
  return text.replace(/[^\x20-\x7e]/g, '?').slice(0, 200);
}
