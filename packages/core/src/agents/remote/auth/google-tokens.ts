/** Tokens of application default credentials, kept while they are valid. */

import type { Authorizer } from '../../../model/auth/context.js';
import type { AuthOptions } from '../../../model/auth/index.js';
import type { Clock } from '../../../platform/clock.js';
import type { GoogleTokens } from './credentials.js';

/** Identity tokens are valid for an hour. */
const IDENTITY_MS = 45 * 60_000;

export class DefaultGoogleTokens implements GoogleTokens {
  private readonly authorizers = new Map<string, Authorizer>();
  private readonly identities = new Map<string, { token: string; until: number }>();

  constructor(private readonly options: AuthOptions & { clock: Clock }) {}

  async access(scopes: readonly string[] | undefined, signal: AbortSignal): Promise<Record<string, string>> {
    const key = JSON.stringify(scopes);
    const known = this.authorizers.get(key);
    if (known) return known.headers();
    const { createCloudAuthorizer } = await import('../../../model/auth/index.js');
    const authorizer = await createCloudAuthorizer({ ...this.options, scopes, signal, useCliAuth: false });
    this.authorizers.set(key, authorizer);
    return authorizer.headers();
  }

  async identity(audience: string, signal: AbortSignal): Promise<string> {
    const { clock } = this.options;
    const known = this.identities.get(audience);
    if (known && known.until > clock.now()) return known.token;
    const { fetchIdentityToken } = await import('../../../model/auth/index.js');
    const token = await fetchIdentityToken(audience, { ...this.options, signal });
    this.identities.set(audience, { token, until: clock.now() + IDENTITY_MS });
    return token;
  }

  invalidate(): void {
    this.identities.clear();
    for (const authorizer of this.authorizers.values()) authorizer.invalidate();
  }
}
