/** Identity tokens of a service account that the application default credentials may act for. */
import { FatalAuthenticationError } from '../../base/errors.js';
import { objectOf } from '../../base/objects.js';
import type { AccessToken } from './access-token.js';
import type { AuthContext } from './context.js';
import { createDefaultAuthorizer } from './default-credentials.js';

export interface Impersonation {
  /** Its mail address. */
  serviceAccount: string;
  audience: string;
}

/** What Google gives; used where a token does not say it. */
const LIFETIME_MS = 3_600_000;

/** @throws FatalAuthenticationError when there are no credentials, or they may not act for the account */
export async function impersonatedIdentity(
  { serviceAccount, audience }: Impersonation,
  context: AuthContext,
): Promise<AccessToken> {
  const { http, endpoints, signal, clock, onSecret } = context;
  const authorizer = await createDefaultAuthorizer(context);
  const account = encodeURIComponent(serviceAccount);
  const url = `${endpoints.iamCredentials}/v1/projects/-/serviceAccounts/${account}:generateIdToken`;
  const headers = await authorizer.headers();
  const json = { audience, includeEmail: true };
  const { status, body } = await http.send({ method: 'POST', url, headers, json, signal });
  const { token, error } = body;
  if (status !== 200 || typeof token !== 'string' || token === '') {
    const reason = String(objectOf(error)['message'] ?? 'no token came back').replace(/[^\x20-\x7e]/g, '?');
    throw new FatalAuthenticationError(
      `No identity token for ${serviceAccount} (HTTP ${status}): ${reason.slice(0, 200)}`,
    );
  }
  onSecret?.(token);
  return { token, expiresAt: expiryOf(token) ?? clock.now() + LIFETIME_MS };
}

/** Its `exp` claim; the signature is the service's to check. */
function expiryOf(token: string): number | undefined {
  try {
    const payload: unknown = JSON.parse(Buffer.from(token.split('.')[1] ?? '', 'base64url').toString());
    const seconds = objectOf(payload)['exp'];
    return typeof seconds === 'number' ? seconds * 1000 : undefined;
  } catch {
    return undefined;
  }
}
