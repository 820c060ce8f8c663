/** A token that is fetched when needed, kept while it is good, and fetched once for all who wait. */
import type { Clock } from '../../platform/clock.js';
import type { AuthType } from './auth-type.js';
import type { AuthContext, Authorizer } from './context.js';

export interface AccessToken {
  token: string;
  /** Milliseconds since 1970; absent: not known to expire. */
  expiresAt?: number;
}

/** On the way to the server, and for clocks that differ. */
const MARGIN_MS = 60_000;

export class CachedToken {
  private current: AccessToken | undefined;
  private pending: Promise<AccessToken> | undefined;

  /** @param obtain asked for a fresh one each time. */
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
