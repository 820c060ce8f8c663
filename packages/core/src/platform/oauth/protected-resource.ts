/** Finds which authorization servers protect a resource (RFC 9728). */
import { visibleName } from '../../base/visible-text.js';
import type { AuthHttp } from '../net/auth-http.js';
import { OAuthError } from './oauth-error.js';

export interface ProtectedResource {
  /** Its identifier, for the `resource` parameter. */
  resource: string;
  /** In the order of preference. */
  authorizationServers: readonly string[];
  scopes?: readonly string[];
}

const WELL_KNOWN = '/.well-known/oauth-protected-resource';
const TIMEOUT_MS = 10_000;

/**
 * @param named the address that the resource itself gave, tried first
 * @returns undefined: the resource has no such document
 * @throws OAuthError when a document describes another resource
 */
export async function discoverResource(
  http: AuthHttp,
  resource: URL,
  { named, signal }: { named?: URL; signal?: AbortSignal } = {},
): Promise<ProtectedResource | undefined> {
  for (const url of [...(named ? [named] : []), ...resourceMetadataUrls(resource)]) {
    const { status, body } = await http.send({ method: 'GET', url, signal, timeoutMs: TIMEOUT_MS });
    if (status === 200 && body['resource'] !== undefined) return described(body, resource);
  }
  return undefined;
}

function resourceMetadataUrls(resource: URL): URL[] {
  const path = resource.pathname.replace(/\/+$/, '');
  return [...new Set([`${WELL_KNOWN}${path}`, WELL_KNOWN])].map((item) => new URL(item, resource));
}

function described(body: Record<string, unknown>, resource: URL): ProtectedResource {
  const { resource: identifier, authorization_servers: servers, scopes_supported: scopes } = body;
  if (!isResource(identifier, resource)) {
    throw new OAuthError(
      'server',
      `${resource.host} describes another resource, ${visibleName(String(identifier))}, instead of ` +
        `${resource.origin}${resource.pathname}.`,
    );
  }
  return {
    resource: String(identifier),
    authorizationServers: texts(servers),
    ...(Array.isArray(scopes) && { scopes: texts(scopes) }),
  };
}

/**
 * Else a server could have the user sign in for the resource of another one. One document may describe all resources
 * below a path of its own origin.
 */
function isResource(identifier: unknown, { origin, pathname }: URL): boolean {
  if (typeof identifier !== 'string' || !URL.canParse(identifier)) return false;
  const given = new URL(identifier);
  const folder = given.pathname.replace(/\/*$/, '/');
  return given.origin === origin && `${pathname.replace(/\/*$/, '/')}`.startsWith(folder);
}

function texts(value: unknown): string[] {
  return Array.isArray(value) ? value.filter((item) => typeof item === 'string') : [];
}
