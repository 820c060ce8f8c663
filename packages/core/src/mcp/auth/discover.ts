/** Finds where to sign in for a server: what it says itself, its metadata, and the fallbacks of older protocol versions. */
import type { AuthHttp } from '../../platform/net/auth-http.js';
import { type Challenge, parseChallenge } from '../../platform/oauth/challenge.js';
import { discoverResource, type ProtectedResource } from '../../platform/oauth/protected-resource.js';
import { findServer } from '../../platform/oauth/server-metadata.js';
import type { OAuthServer } from '../../platform/oauth/types.js';
import { allowedAddress, requireAllowed } from './guarded-discovery.js';

export interface SignInPlace {
  server: OAuthServer;
  /** For the `resource` parameter. */
  resource: string;
  /** Wanted by the server; undefined: it does not say. */
  scopes?: readonly string[];
}

const HEAD_TIMEOUT_MS = 5_000;

/**
 * @param http for addresses that the server names
 * @param wwwAuthenticate of the request that was refused; absent: the server is asked
 */
export async function discoverSignIn(
  http: AuthHttp,
  address: URL,
  wwwAuthenticate: string | undefined,
  signal: AbortSignal,
): Promise<SignInPlace> {
  const challenge = wwwAuthenticate
    ? parseChallenge(wwwAuthenticate)
    : await askForChallenge(http, address, signal);
  const described = await resourceAt(http, address, challenge, signal);
  const server = requireAllowed(await serverFor(http, address, described, signal), address);
  const scopes = challenge.scopes ?? described?.scopes;
  return {
    server,
    resource: described?.resource ?? resourceOf(address),
    ...(scopes && { scopes: withOfflineAccess(scopes, server) }),
  };
}

/** The identifier of a server without metadata (RFC 8707). */
export function resourceOf({ origin, pathname, search }: URL): string {
  return `${origin}${pathname === '/' ? '' : pathname}${search}`;
}

async function askForChallenge(http: AuthHttp, url: URL, signal: AbortSignal): Promise<Challenge> {
  try {
    const { headers } = await http.send({ method: 'HEAD', url, signal, timeoutMs: HEAD_TIMEOUT_MS });
    const header = headers['www-authenticate'];
    return parseChallenge(Array.isArray(header) ? header.join(', ') : header);
  } catch {
    // Its metadata may still be found.
    signal.throwIfAborted();
    return {};
  }
}

async function resourceAt(
  http: AuthHttp,
  address: URL,
  { resourceMetadata }: Challenge,
  signal: AbortSignal,
): Promise<ProtectedResource | undefined> {
  const named = resourceMetadata ? allowedAddress(resourceMetadata, address) : undefined;
  return discoverResource(http, address, { named, signal });
}

async function serverFor(
  http: AuthHttp,
  address: URL,
  described: ProtectedResource | undefined,
  signal: AbortSignal,
): Promise<OAuthServer> {
  const [issuer] = described?.authorizationServers ?? [];
  const named = issuer && (await findServer(http, allowedAddress(issuer, address).href, { signal }));
  if (named) return named;
  const own = await findServer(http, `${address.origin}${address.pathname}`, { signal, accept: 'origin' });
  return own ?? usualServer(issuer ? new URL(issuer) : address);
}

/** Where MCP before 2025-06-18 expects a server that describes nothing. */
function usualServer({ origin }: URL): OAuthServer {
  return {
    authorizationUrl: `${origin}/authorize`,
    tokenUrl: `${origin}/token`,
    registrationUrl: `${origin}/register`,
  };
}

/** Without it some servers give no refresh token. */
function withOfflineAccess(
  scopes: readonly string[],
  { scopes: known = [] }: OAuthServer,
): readonly string[] {
  const isMissing = known.includes('offline_access') && !scopes.includes('offline_access');
  return isMissing && scopes.length > 0 ? [...scopes, 'offline_access'] : scopes;
}
