/** Finds the addresses of an authorization server by its issuer: RFC 8414, then OpenID Connect discovery. */
import type { AuthHttp } from '../net/auth-http.js';
import { OAuthError } from './oauth-error.js';
import type { OAuthServer } from './types.js';

export interface ServerSearch {
  signal?: AbortSignal;
  /**
   * Whose documents count: those of the issuer, or all of its origin, where only the resource's own address is known
   * (MCP before 2025-06-18).
   */
  accept?: 'issuer' | 'origin';
}

const TIMEOUT_MS = 10_000;

/** @throws OAuthError when no document of the issuer names both addresses */
export async function discoverServer(
  http: AuthHttp,
  issuer: string,
  signal?: AbortSignal,
): Promise<OAuthServer> {
  const found = await findServer(http, issuer, { signal });
  if (found) return found;
  throw new OAuthError('settings', `${issuer} does not say where to sign in.`);
}

/**
 * @returns undefined: there is no document
 * @throws OAuthError when there are some, but none can be used
 */
export async function findServer(
  http: AuthHttp,
  issuer: string,
  { signal, accept = 'issuer' }: ServerSearch = {},
): Promise<OAuthServer | undefined> {
  const problems: string[] = [];
  for (const { url, issuers } of metadataPlaces(issuer)) {
    const { status, body } = await http.send({ method: 'GET', url, signal, timeoutMs: TIMEOUT_MS });
    const given = body['issuer'];
    if (status !== 200 || (given === undefined && !serverIn(body))) continue;
    // Else another issuer could pass its addresses off as those of this one (RFC 8414, 3.3).
    const isRight =
      accept === 'origin' ? originOf(given) === url.origin : issuers.includes(withoutSlash(String(given)));
    const server = isRight ? serverIn(body) : undefined;
    if (server) return server;
    problems.push(`${isRight ? 'no addresses' : 'another issuer'} at ${url.pathname}`);
  }
  if (problems.length === 0) return undefined;
  throw new OAuthError('settings', `${issuer} does not say where to sign in (${problems.join('; ')}).`);
}

interface MetadataPlace {
  url: URL;
  /** Those that may be described there. */
  issuers: readonly string[];
}

/**
 * In the order of MCP and RFC 8414: the path of the issuer goes behind the well-known one, then before it; then without
 * version segments such as `/v1.0`, then at the root.
 */
function metadataPlaces(issuer: string): MetadataPlace[] {
  const base = new URL(issuer);
  const path = base.pathname.replace(/\/+$/, '');
  const whole = `${base.origin}${path}`;
  const places = new Map<string, MetadataPlace>();
  for (const prefix of [path, path.replace(/\/v\d+(\.\d+)*(?=\/|$)/gi, ''), '']) {
    for (const item of [
      `/.well-known/oauth-authorization-server${prefix}`,
      `/.well-known/openid-configuration${prefix}`,
      `${prefix}/.well-known/openid-configuration`,
    ]) {
      if (places.has(item)) continue;
      places.set(item, { url: new URL(item, base), issuers: [whole, `${base.origin}${prefix}`] });
    }
  }
  return [...places.values()];
}

function serverIn(body: Record<string, unknown>): OAuthServer | undefined {
  const text = (name: string) => {
    const value = body[name];
    return typeof value === 'string' && URL.canParse(value) ? value : undefined;
  };
  const [authorizationUrl, tokenUrl] = [text('authorization_endpoint'), text('token_endpoint')];
  if (!authorizationUrl || !tokenUrl) return undefined;
  const [methods, scopes] = [body['token_endpoint_auth_methods_supported'], body['scopes_supported']];
  const registrationUrl = text('registration_endpoint');
  const issuer = text('issuer');
  return {
    authorizationUrl,
    tokenUrl,
    ...(issuer && { issuer }),
    ...(registrationUrl && { registrationUrl }),
    ...(Array.isArray(methods) && { tokenAuthMethods: methods.map(String) }),
    ...(Array.isArray(scopes) && { scopes: scopes.map(String) }),
  };
}

function withoutSlash(url: string): string {
  return url.replace(/\/$/, '');
}

function originOf(url: unknown): string | undefined {
  return typeof url === 'string' && URL.canParse(url) ? new URL(url).origin : undefined;
}
