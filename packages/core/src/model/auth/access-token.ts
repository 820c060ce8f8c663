/** A token that is fetched when needed, kept while valid, and fetched once for all waiting callers. */
import type { Clock } from '../../platform/clock.js';
import type { AuthType } from './auth-type.js';
import type { AuthContext, Authorizer } from './context.js';

export interface AccessToken {
  token: string;
  /** Milliseconds since 1970; absent: unknown. */
  expiresAt?: number;
}

/** Reserve for network time and clock differences. */
const MARGIN_MS = 60_000;

export class CachedToken {
  private current: AccessToken | undefined;
  private pending: Promise<AccessToken> | undefined;

  /** @param obtain called for a fresh token each time */
  constructor(
    private readonly obtain: () => Promise<AccessToken>,
    private readonly clock: Clock,
    first?: AccessToken,
  ) {
    this.current = first;
  }

  async get(): Promise<string> {
    if (this.current && isFresh(this.current, this.clock)) return this.current.token;
    this.pending ??= this.obtain().finally(() => {
      this.pending = undefined;
    });
    this.current = await this.pending;
    return this.current.token;
  }

  invalidate(): void {
    this.current = undefined;
  }
}

export function isFresh({ expiresAt }: AccessToken, clock: Clock): boolean {
  return expiresAt === undefined || expiresAt - clock.now() > MARGIN_MS;
}

export function bearerAuthorizer(
  type: AuthType,
  token: CachedToken,
  { onSecret }: Pick<AuthContext, 'onSecret'>,
  extra: Record<string, string> = {},
): Authorizer {
  return {
    type,
    invalidate: () => token.invalidate(),
    async headers() {
      const value = await token.get();
      onSecret?.(value);
      return { authorization: `Bearer ${value}`, ...extra };
    },
  };
}
