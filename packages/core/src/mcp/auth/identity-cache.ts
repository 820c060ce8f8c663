/** An identity token, kept until five minutes before it expires and fetched once for all who wait. */
import type { Clock } from '../../platform/clock.js';
import { SharedWork } from '../../platform/shared-work.js';

interface Identity {
  token: string;
  /** Milliseconds since 1970; absent: an hour from now. */
  expiresAt?: number;
}

const MARGIN_MS = 5 * 60_000;
const LIFETIME_MS = 60 * 60_000;

export class IdentityCache {
  private current: { token: string; until: number } | undefined;
  private readonly shared = new SharedWork<string>();

  constructor(
    private readonly clock: Clock,
    private readonly fetch: (signal: AbortSignal) => Promise<Identity>,
  ) {}

  async get(signal: AbortSignal): Promise<string> {
    if (this.current && this.current.until > this.clock.now()) return this.current.token;
    return this.shared.run(signal, async (running) => {
      const { token, expiresAt = this.clock.now() + LIFETIME_MS } = await this.fetch(running);
      this.current = { token, until: expiresAt - MARGIN_MS };
      return token;
    });
  }

  clear(): void {
    this.current = undefined;
  }
}
