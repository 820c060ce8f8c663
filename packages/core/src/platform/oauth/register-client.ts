/** Dynamic client registration (RFC 7591), for users who have no client id. */
import type { AuthHttp } from '../net/auth-http.js';
import { OAuthError } from './oauth-error.js';
import type { OAuthClient } from './types.js';

export interface ClientRegistration {
  registrationUrl: string;
  clientName: string;
  redirectUri: string;
}

/** @throws OAuthError when the server registers no clients */
export async function registerClient(
  http: AuthHttp,
  { registrationUrl, clientName, redirectUri }: ClientRegistration,
  signal?: AbortSignal,
): Promise<OAuthClient> {
  const { status, body } = await http.send({
    method: 'POST',
    url: registrationUrl,
    json: {
      client_name: clientName,
      redirect_uris: [redirectUri],
      grant_types: ['authorization_code', 'refresh_token'],
      response_types: ['code'],
      token_endpoint_auth_method: 'none',
      // No scopes: they would limit what the client, which is used again, may ask for later.
    },
    signal,
  });
  const { client_id: clientId, client_secret: clientSecret } = body;
  if (status >= 300 || typeof clientId !== 'string' || clientId === '') {
    const { host } = new URL(registrationUrl);
    throw new OAuthError('settings', `${host} registers no new client (HTTP ${status}). Set a client id.`);
  }
  return { clientId, ...(typeof clientSecret === 'string' && clientSecret !== '' && { clientSecret }) };
}
