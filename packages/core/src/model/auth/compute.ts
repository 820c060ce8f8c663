/** Credentials of the virtual machine or Cloud Shell, from the metadata server. */
import { FatalAuthenticationError, messageOf } from '../../base/errors.js';
import { type AccessToken, bearerAuthorizer, CachedToken } from './access-token.js';
import type { AuthContext, Authorizer } from './context.js';

const PATH = '/computeMetadata/v1/instance/service-accounts/default/token';
/** It is one hop away, or does not exist. */
const TIMEOUT_MS = 3_000;

export async function createComputeAuthorizer(context: AuthContext): Promise<Authorizer> {
  const token = new CachedToken(() => askMetadata(context), context.clock);
  // Now, not with the first request: the user learns at once if there is no such server.
  await token.get();
  return bearerAuthorizer('compute-default-credentials', token, context);
}

/** All addresses at once: the wrong ones may never answer. */
async function askMetadata(context: AuthContext): Promise<AccessToken> {
  const done = new AbortController();
  const signal = context.signal ? AbortSignal.any([context.signal, done.signal]) : done.signal;
  try {
    return await Promise.any(
      context.endpoints.metadata.map((server) => askServer(server, { ...context, signal })),
    );
  } catch (error) {
    context.signal?.throwIfAborted();
    const reasons = error instanceof AggregateError ? error.errors : [error];
    throw new FatalAuthenticationError(
      `The metadata server gave no credentials (${messageOf(reasons[0])}). They exist only on Google Cloud machines ` +
        'and in Cloud Shell; elsewhere set GEMINI_API_KEY.',
    );
  } finally {
    done.abort();
  }
}

async function askServer(server: string, { http, clock, signal, scopes }: AuthContext): Promise<AccessToken> {
  const { status, headers, body } = await http.send({
    method: 'GET',
    url: tokenUrl(server, scopes),
    headers: { 'metadata-flavor': 'Google' },
    timeoutMs: TIMEOUT_MS,
    signal,
    plain: true,
  });
  // In other networks than Google's, any server may answer at that address.
  if (headers['metadata-flavor'] !== 'Google') throw new Error('what answers is not the metadata server');
  if (status === 404) throw new Error('this machine has no service account');
  const token = body['access_token'];
  const lifetime = Number(body['expires_in']);
  if (status !== 200 || typeof token !== 'string' || !token)
    throw new Error(`it answered with HTTP ${status}`);
  return { token, expiresAt: Number.isFinite(lifetime) ? clock.now() + lifetime * 1000 : undefined };
}

/** Without scopes the machine's own are used. */
function tokenUrl(server: string, scopes: readonly string[] = []): URL {
  const url = new URL(PATH, server);
  if (scopes.length > 0) url.searchParams.set('scopes', scopes.join(','));
  return url;
}
