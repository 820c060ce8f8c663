/** PKCE (RFC 7636): ties the server's answer to our request. */
import { randomHex } from '../random.js';
import type { OAuthClient, OAuthRequest } from './types.js';

export interface SignInAttempt {
  state: string;
  verifier: string;
  challenge: string;
}

export async function newAttempt(): Promise<SignInAttempt> {
  const { createHash } = await import('node:crypto');
  const verifier = randomHex(48);
  const challenge = createHash('sha256').update(verifier).digest('base64url');
  return { state: randomHex(32), verifier, challenge };
}

/** The address for the browser. Parameters that the server's own address has stay, unless they are ours. */
export function authorizationUrl(
  { server, scopes = [], audiences = [], resource }: OAuthRequest,
  { clientId }: OAuthClient,
  { state, challenge }: SignInAttempt,
  redirectUri: string,
): string {
  const url = new URL(server.authorizationUrl);
  const own = {
    client_id: clientId,
    redirect_uri: redirectUri,
    response_type: 'code',
    state,
    code_challenge: challenge,
    code_challenge_method: 'S256',
    ...(scopes.length > 0 && { scope: scopes.join(' ') }),
    ...(audiences.length > 0 && { audience: audiences.join(' ') }),
    ...(resource && { resource }),
  };
  for (const [name, value] of Object.entries(own)) url.searchParams.set(name, value);
  return url.toString();
}
