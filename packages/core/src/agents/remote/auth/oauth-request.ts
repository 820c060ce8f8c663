/** What a sign-in needs: from the agent's file, from its issuer, or from the card. */
import type { AuthHttp } from '../../../platform/net/auth-http.js';
import { discoverServer } from '../../../platform/oauth/server-metadata.js';
import type { OAuthRequest, OAuthServer } from '../../../platform/oauth/types.js';
import type { RemoteAgentAuth } from '../../types.js';
import type { RemoteCard } from '../card/parse-card.js';
import type { AuthorizationCodeFlow } from '../card/security-schemes.js';
import { isReadableByOthers } from '../origins.js';
import { RemoteAgentError } from '../remote-agent-error.js';
import type { SecretValues } from './secret-values.js';

export type OAuthBlock = Extract<RemoteAgentAuth, { type: 'oauth' }>;

/** @throws RemoteAgentError when an address is missing or not to be trusted */
export async function oauthRequest(
  name: string,
  auth: OAuthBlock,
  card: RemoteCard | undefined,
  { http, values }: { http: AuthHttp; values: SecretValues },
  signal: AbortSignal,
): Promise<OAuthRequest> {
  const flow = card?.schemes.map((scheme) => scheme.kind === 'oauth2' && scheme.flow).find(Boolean);
  const server = await serverOf(auth, flow || undefined, http, signal);
  for (const text of [server.authorizationUrl, server.tokenUrl, server.registrationUrl ?? server.tokenUrl]) {
    if (URL.canParse(text) && !isReadableByOthers(new URL(text))) continue;
    throw new RemoteAgentError('auth', `auth: ${text} is not an https address.`);
  }
  const clientId = auth.client_id && (await values.resolve('client_id', auth.client_id, signal));
  const clientSecret =
    auth.client_secret && (await values.resolve('client_secret', auth.client_secret, signal));
  const scopes = auth.scopes ?? (flow ? flow.scopes : []);
  return {
    service: `the agent ${name}`,
    server,
    scopes,
    ...(clientId && { client: { clientId, ...(clientSecret && { clientSecret }) } }),
    ...(auth.audiences && { audiences: auth.audiences }),
    ...(auth.redirect_uri && { redirectUri: auth.redirect_uri }),
  };
}

async function serverOf(
  auth: OAuthBlock,
  flow: AuthorizationCodeFlow | undefined,
  http: AuthHttp,
  signal: AbortSignal,
): Promise<OAuthServer> {
  const { authorization_url: authorizationUrl, token_url: tokenUrl, issuer } = auth;
  const registration = auth.registration_url ? { registrationUrl: auth.registration_url } : {};
  if (authorizationUrl && tokenUrl) return { authorizationUrl, tokenUrl, ...registration };
  if (issuer) {
    const found = await discoverServer(http, issuer, signal);
    return {
      ...found,
      ...(authorizationUrl && { authorizationUrl }),
      ...(tokenUrl && { tokenUrl }),
      ...registration,
    };
  }
  const server = {
    authorizationUrl: authorizationUrl ?? flow?.authorizationUrl ?? '',
    tokenUrl: tokenUrl ?? flow?.tokenUrl ?? '',
    ...registration,
  };
  if (!server.authorizationUrl || !server.tokenUrl) {
    throw new RemoteAgentError(
      'auth',
      'auth: the card does not say where to sign in; set authorization_url and token_url, or issuer.',
    );
  }
  requireOneOrigin(server);
  return server;
}

/** A card could let the user sign in at a well-known server and have the code and the client's secret sent elsewhere. */
function requireOneOrigin({ authorizationUrl, tokenUrl }: OAuthServer): void {
  const [signIn, token] = [authorizationUrl, tokenUrl].map((text) =>
    URL.canParse(text) ? new URL(text).origin : 'no address',
  );
  if (signIn === token) return;
  throw new RemoteAgentError(
    'auth',
    `auth: the card asks to sign in at ${signIn} but to send the code to ${token}. If both belong together, set ` +
      'authorization_url and token_url.',
  );
}
