/** Google's OAuth servers: addresses to open, codes and refresh tokens to exchange, tokens to check. */
import { UserError } from '../../base/errors.js';
import type { SignInAttempt } from '../../platform/oauth/pkce.js';
import { isGoogleSignInConfigured } from './auth-type.js';
import type { AuthContext } from './context.js';
import type { GoogleTokens } from './token-format.js';

export interface OAuthClient {
  clientId: string;
  clientSecret: string;
}

const SCOPES = [
  'https://www.googleapis.com/auth/cloud-platform',
  'https://www.googleapis.com/auth/userinfo.email',
  'https://www.googleapis.com/auth/userinfo.profile',
];

type OAuthContext = Pick<AuthContext, 'http' | 'endpoints' | 'clock' | 'signal'>;

/** The server refused: the code or the token is invalid. */
export class OAuthRefusal extends UserError {
  override readonly name = 'OAuthRefusal';
  override readonly code = 'oauth_refused';
  constructor(
    readonly reason: string,
    description: string,
  ) {
    super(description ? `${reason}: ${description}` : reason);
  }
}

export function oauthClientFrom(env: NodeJS.ProcessEnv): OAuthClient | undefined {
  if (!isGoogleSignInConfigured(env)) return undefined;
  return {
    clientId: env['GEMINI_OAUTH_CLIENT_ID']?.trim() ?? '',
    clientSecret: env['GEMINI_OAUTH_CLIENT_SECRET']?.trim() ?? '',
  };
}

export function authorizeUrl(
  { endpoints }: Pick<AuthContext, 'endpoints'>,
  { clientId }: OAuthClient,
  attempt: SignInAttempt,
  redirectUri: string,
): string {
  const url = new URL(endpoints.authorize);
  url.search = new URLSearchParams({
    client_id: clientId,
    redirect_uri: redirectUri,
    response_type: 'code',
    scope: SCOPES.join(' '),
    access_type: 'offline',
    // Without it Google omits the refresh token for users who have agreed before.
    prompt: 'consent',
    state: attempt.state,
    code_challenge: attempt.challenge,
    code_challenge_method: 'S256',
  }).toString();
  return url.toString();
}

export function exchangeCode(
  context: OAuthContext,
  client: OAuthClient,
  { code, verifier, redirectUri }: { code: string; verifier: string; redirectUri: string },
): Promise<GoogleTokens> {
  return askToken(context, {
    ...clientForm(client),
    grant_type: 'authorization_code',
    code,
    code_verifier: verifier,
    redirect_uri: redirectUri,
  });
}

/** Keeps fields that the answer omits, above all the refresh token. */
export async function refreshTokens(
  context: OAuthContext,
  client: OAuthClient,
  tokens: GoogleTokens & { refresh_token: string },
): Promise<GoogleTokens> {
  const { refresh_token } = tokens;
  const form = { ...clientForm(client), grant_type: 'refresh_token', refresh_token };
  return { ...tokens, ...(await askToken(context, form)) };
}

/** False: Google does not know the token. @throws when Google cannot be asked. */
export async function isTokenValid(context: OAuthContext, accessToken: string): Promise<boolean> {
  const { http, endpoints, signal } = context;
  const { status } = await http.send({
    method: 'POST',
    url: endpoints.tokenInfo,
    form: { access_token: accessToken },
    signal,
  });
  if (status === 200) return true;
  if (status === 400 || status === 401 || status === 403) return false;
  throw strangeAnswer(endpoints.tokenInfo, `HTTP ${status}`);
}

export async function fetchEmail(context: OAuthContext, accessToken: string): Promise<string | undefined> {
  const { http, endpoints, signal } = context;
  const headers = { authorization: `Bearer ${accessToken}` };
  const { status, body } = await http.send({ method: 'GET', url: endpoints.userInfo, headers, signal });
  const email = body['email'];
  return status === 200 && typeof email === 'string' && email !== '' ? email : undefined;
}

/** Any grant. @throws OAuthRefusal when the server refuses; other errors mean that it could not be reached. */
export async function askToken(
  { http, endpoints, clock, signal }: OAuthContext,
  form: Record<string, string>,
): Promise<GoogleTokens> {
  const { status, body } = await http.send({ method: 'POST', url: endpoints.token, form, signal });
  if (status !== 200) {
    const reason = body['error'];
    if (status >= 500 || typeof reason !== 'string') throw strangeAnswer(endpoints.token, `HTTP ${status}`);
    const description = body['error_description'];
    throw new OAuthRefusal(reason, typeof description === 'string' ? description : '');
  }
  const text = (name: string): string | undefined => {
    const value = body[name];
    return typeof value === 'string' && value !== '' ? value : undefined;
  };
  const accessToken = text('access_token');
  if (!accessToken) throw strangeAnswer(endpoints.token, 'something that holds no token');
  const lifetime = Number(body['expires_in']);
  return withoutUndefined({
    access_token: accessToken,
    refresh_token: text('refresh_token'),
    scope: text('scope'),
    token_type: text('token_type') ?? 'Bearer',
    id_token: text('id_token'),
    expiry_date: Number.isFinite(lifetime) && lifetime > 0 ? clock.now() + lifetime * 1000 : undefined,
  });
}

/** Neither accepted nor refused: the state of the token is unknown. */
function strangeAnswer(url: string, what: string): UserError {
  const message = `${new URL(url).host} answered with ${what}. Try again later.`;
  return new UserError(message, { code: 'auth_server' });
}

function clientForm({ clientId, clientSecret }: OAuthClient): Record<string, string> {
  return { client_id: clientId, client_secret: clientSecret };
}

function withoutUndefined(tokens: GoogleTokens): GoogleTokens {
  return Object.fromEntries(Object.entries(tokens).filter(([, value]) => value !== undefined));
}
