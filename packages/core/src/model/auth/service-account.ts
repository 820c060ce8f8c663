/** A service account proves its identity with a signed assertion (RFC 7523), which is exchanged for a token. */

export interface ServiceAccountKey {
  email: string;
  /** PEM. */
  key: string;
  keyId?: string;
}

/** An access token with a scope, or an identity token for an audience. */
export type WantedToken = { scope: string } | { target_audience: string };

const LIFETIME_S = 3600;

export async function signedAssertion(
  account: ServiceAccountKey,
  { audience, now, ...wanted }: { audience: string; now: number } & WantedToken,
): Promise<string> {
  const { createPrivateKey, sign } = await import('node:crypto');
  const issuedAt = Math.floor(now / 1000);
  const header = { alg: 'RS256', typ: 'JWT', ...(account.keyId ? { kid: account.keyId } : {}) };
  const claims = { iss: account.email, ...wanted, aud: audience, iat: issuedAt, exp: issuedAt + LIFETIME_S };
  const unsigned = `${encode(header)}.${encode(claims)}`;
  const signature = sign('RSA-SHA256', Buffer.from(unsigned), createPrivateKey(account.key));
  return `${unsigned}.${signature.toString('base64url')}`;
}

function encode(value: unknown): string {
  return Buffer.from(JSON.stringify(value)).toString('base64url');
}
