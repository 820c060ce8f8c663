/** What a sign-in for a server needs: its `oauth` settings first, discovery for the rest. */
import { visibleName } from '../../base/visible-text.js';
import type { AuthHttp } from '../../platform/net/auth-http.js';
import { parseChallenge } from '../../platform/oauth/challenge.js';
import { discoverServer } from '../../platform/oauth/server-metadata.js';
import type { OAuthClient, OAuthRequest, OAuthServer } from '../../platform/oauth/types.js';
import type { MCPOAuthConfig } from '../config.js';
import { type AuthServer, addressOf } from './auth-server.js';
import { discoverSignIn, resourceOf, type SignInPlace } from './discover.js';
import type { DiscoveryHttp } from './guarded-discovery.js';

export interface RequestParts {
  discovery: DiscoveryHttp;
  /** For addresses that the user wrote. */
  http: AuthHttp;
}

/** @param wwwAuthenticate of the request that was refused, if there was one */
export async function signInRequest(
  server: AuthServer,
  wwwAuthenticate: string | undefined,
  parts: RequestParts,
  signal: AbortSignal,
): Promise<OAuthRequest> {
  const { oauth = {} } = server.config;
  const place = await placeOf(server, oauth, wwwAuthenticate, parts, signal);
  const client = configuredClient(oauth);
  const scopes = oauth.scopes ?? place.scopes;
  return {
    service: serviceOf(server),
    server: place.server,
    resource: place.resource,
    clientSetting: `oauth.clientId of ${visibleName(server.name)} in mcpServers`,
    ...(client && { client }),
    ...(scopes && { scopes }),
    ...(oauth.audiences && { audiences: oauth.audiences }),
    ...(oauth.redirectUri && { redirectUri: oauth.redirectUri }),
  };
}

export function serviceOf({ name }: AuthServer): string {
  return `the MCP server ${visibleName(name)}`;
}

export function configuredClient({ clientId, clientSecret }: MCPOAuthConfig): OAuthClient | undefined {
  return clientId ? { clientId, ...(clientSecret && { clientSecret }) } : undefined;
}

async function placeOf(
  server: AuthServer,
  oauth: MCPOAuthConfig,
  wwwAuthenticate: string | undefined,
  { discovery, http }: RequestParts,
  signal: AbortSignal,
): Promise<SignInPlace> {
  const address = addressOf(server) ?? new URL('http://localhost');
  const { authorizationUrl, tokenUrl, issuer, registrationUrl } = oauth;
  const written = {
    ...(authorizationUrl && { authorizationUrl }),
    ...(tokenUrl && { tokenUrl }),
    ...(registrationUrl && { registrationUrl }),
  };
  const own = (found: OAuthServer): SignInPlace => ({
    server: { ...found, ...written },
    resource: resourceOf(address),
    scopes: parseChallenge(wwwAuthenticate).scopes,
  });
  if (authorizationUrl && tokenUrl) return own({ authorizationUrl, tokenUrl });
  if (issuer) return own(await discoverServer(http, issuer, signal));
  const place = await discoverSignIn(await discovery.for(address), address, wwwAuthenticate, signal);
  return { ...place, server: { ...place.server, ...written } };
}
