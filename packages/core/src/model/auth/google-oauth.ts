/** Google sign-in: picks the token source, in the documented order. */
import { FatalAuthenticationError, messageOf, UserError } from '../../base/errors.js';
import { createLog } from '../../platform/log.js';
import { type AccessToken, bearerAuthorizer, CachedToken, isFresh } from './access-token.js';
import { setActiveAccount } from './accounts.js';
import { checkedKey, deleteApiKey } from './api-key.js';
import { isOn } from './auth-type.js';
import type { AuthContext, Authorizer } from './context.js';
import { clientMissing, signInWithGoogle } from './google-sign-in.js';
import { isTokenValid, OAuthRefusal, oauthClientFrom, refreshTokens } from './oauth-client.js';
import type { GoogleTokens } from './token-format.js';
import { TokenStore } from './token-store.js';

const log = createLog('auth');

export type GoogleType = 'oauth-personal' | 'compute-default-credentials';

export async function createGoogleAuthorizer(type: GoogleType, context: AuthContext): Promise<Authorizer> {
  const given = context.env['GOOGLE_CLOUD_ACCESS_TOKEN']?.trim();
  if (given && isOn(context.env['GOOGLE_GENAI_USE_GCA'])) {
    return givenToken(type, checkedKey(given, 'GOOGLE_CLOUD_ACCESS_TOKEN'), context);
  }
  const { tokens: cached, problems } = await cachedTokens(context);
  if (cached) return userAuthorizer(type, cached, context);
  if (context.env['GOOGLE_APPLICATION_CREDENTIALS']?.trim()) {
    const { createCredentialFileAuthorizer } = await import('./credential-file.js');
    return createCredentialFileAuthorizer(type, context);
  }
  if (type === 'compute-default-credentials') {
    const { createComputeAuthorizer } = await import('./compute.js');
    return createComputeAuthorizer(context);
  }
  return userAuthorizer(type, await signInWithGoogle(context, problems), context);
}

/** Removes everything that a sign-in has saved on this machine, the API key included. */
export async function forgetSignIn(context: Pick<AuthContext, 'env' | 'secrets'>): Promise<void> {
  // Each is tried, even if another one fails.
  const outcomes = await Promise.allSettled([
    new TokenStore(context.env, context.secrets).clear(),
    deleteApiKey(context.secrets),
    Promise.resolve().then(() => setActiveAccount(context.env, null)),
  ]);
  const failed = outcomes
    .filter((outcome) => outcome.status === 'rejected')
    .map(({ reason }) => messageOf(reason));
  if (failed.length === 0) return;
  throw new UserError(`Not everything could be removed: ${[...new Set(failed)].join(' ')}`, {
    code: 'sign_out_incomplete',
  });
}

/** Without tokens when there are none, or Google no longer accepts them; `problems` say why, if known. */
async function cachedTokens(
  context: AuthContext,
): Promise<{ tokens?: GoogleTokens; problems: readonly string[] }> {
  const store = new TokenStore(context.env, context.secrets);
  const stored = await store.load();
  const { problems } = store;
  for (const problem of problems) log.warn(problem);
  return { tokens: stored && (await accepted(stored, context)), problems };
}

async function accepted(tokens: GoogleTokens, context: AuthContext): Promise<GoogleTokens | undefined> {
  if (accessTokenOf(tokens, context) && (await isAccepted(tokens, context))) return tokens;
  const fresh = await refreshed(tokens, context);
  return fresh && (await isAccepted(fresh, context)) ? fresh : undefined;
}

function userAuthorizer(type: GoogleType, first: GoogleTokens, context: AuthContext): Authorizer {
  let tokens = first;
  const obtain = async (): Promise<AccessToken> => {
    const next = await refreshed(tokens, context);
    const token = next && accessTokenOf(next, context);
    if (!next || !token) throw oauthClientFrom(context.env) ? signInAgain() : clientMissing();
    tokens = next;
    return token;
  };
  if (first.refresh_token) context.onSecret?.(first.refresh_token);
  return bearerAuthorizer(
    type,
    new CachedToken(obtain, context.clock, accessTokenOf(first, context)),
    context,
  );
}

/** Undefined when Google refuses, or the client or refresh token is missing. */
async function refreshed(tokens: GoogleTokens, context: AuthContext): Promise<GoogleTokens | undefined> {
  const { refresh_token } = tokens;
  const client = oauthClientFrom(context.env);
  if (!refresh_token || !client) return undefined;
  try {
    const next = await refreshTokens(context, client, { ...tokens, refresh_token });
    const store = new TokenStore(context.env, context.secrets);
    await store.saveRefreshed(tokens, next).catch((error: unknown) => log.warn('tokens not saved', error));
    return next;
  } catch (error) {
    if (!(error instanceof OAuthRefusal)) throw error;
    log.warn('refresh refused', error.message);
    return undefined;
  }
}

/** An unreachable Google has not refused the token: the request itself will show. */
async function isAccepted(tokens: GoogleTokens, context: AuthContext): Promise<boolean> {
  try {
    return await isTokenValid(context, tokens.access_token ?? '');
  } catch (error) {
    context.signal?.throwIfAborted();
    log.warn('token not verified', error);
    return true;
  }
}

/** Undefined when it is missing or about to expire. */
function accessTokenOf(tokens: GoogleTokens, { clock }: AuthContext): AccessToken | undefined {
  if (!tokens.access_token) return undefined;
  const token = { token: tokens.access_token, expiresAt: tokens.expiry_date };
  return isFresh(token, clock) ? token : undefined;
}

function givenToken(type: GoogleType, token: string, context: AuthContext): Authorizer {
  const refuse = async (): Promise<AccessToken> => {
    throw new FatalAuthenticationError(
      'Google did not accept GOOGLE_CLOUD_ACCESS_TOKEN. It may have expired: set a new one.',
    );
  };
  return bearerAuthorizer(type, new CachedToken(refuse, context.clock, { token }), context);
}

function signInAgain(): FatalAuthenticationError {
  return new FatalAuthenticationError(
    'The sign-in with Google is not valid any more. Sign in again: /auth in an interactive session.',
  );
}
