/**
 * One token for one server: loaded, refreshed when it is about to expire, and asked for by a sign-in when there is none.
 * Callers that wait at the same time share one refresh or sign-in.
 */
import type { Clock } from '../clock.js';
import { createLog } from '../log.js';
import type { AuthHttp } from '../net/auth-http.js';
import { SharedWork } from '../shared-work.js';
import { OAuthError } from './oauth-error.js';
import type { OAuthSignIn } from './sign-in.js';
import { refreshTokens } from './token-endpoint.js';
import { clientOf, type StoredTokens, type TokenStorage } from './token-storage.js';
import type { OAuthClient, OAuthRequest, OAuthTokens } from './types.js';

export interface TokenSourceParts {
  /** Under which the token is stored; `origin` is that of the server that gets it. */
  serverName: string;
  origin: string;
  /** What is needed for a refresh or sign-in: may have to be discovered. */
  request: (signal: AbortSignal) => Promise<OAuthRequest>;
  storage: TokenStorage;
  /** What a refresh needs, where it is known without discovery. */
  refreshAt?: (stored: StoredTokens) => Promise<RefreshRequest | undefined>;
  signIn: Pick<OAuthSignIn, 'run'>;
  http: AuthHttp;
  clock: Clock;
  /** A message that stops nothing: the token could not be saved. */
  warn?: (message: string) => void;
  onSecret?: (secret: string) => void;
  /** The server refused to refresh the token, which was removed. */
  onRemoved?: () => void;
}

type RefreshRequest = Pick<OAuthRequest, 'service' | 'server' | 'client' | 'resource'>;

const log = createLog('oauth');
const MARGIN_MS = 5 * 60_000;

export class OAuthTokenSource {
  private current: StoredTokens | undefined;
  /** The server refused this one. */
  private refusedToken: string | undefined;
  private readonly shared = new SharedWork<string>();
  private isAsking = false;

  constructor(private readonly parts: TokenSourceParts) {}

  /**
   * @param mayAsk false: an error instead of a sign-in
   * @throws OAuthError; the signal's reason when it aborts
   */
  async token(signal: AbortSignal, { mayAsk = true } = {}): Promise<string> {
    // One that may not ask fails where this one would sign in.
    if (mayAsk && !this.isAsking) await this.shared.ended;
    return this.shared.run(signal, (running) => {
      this.isAsking = mayAsk;
      return this.obtain(running, mayAsk);
    });
  }

  /** A new sign-in, whatever is stored. */
  async signIn(signal: AbortSignal): Promise<void> {
    await this.shared.ended;
    await this.shared.run(signal, async (running) => {
      this.isAsking = true;
      const { accessToken } = await this.signedIn(await this.parts.request(running), running);
      this.parts.onSecret?.(accessToken);
      return accessToken;
    });
  }

  /** The server refused the last token. */
  refused(): void {
    this.refusedToken = this.current?.token.accessToken;
  }

  private async obtain(signal: AbortSignal, mayAsk: boolean): Promise<string> {
    const { storage, serverName, origin, onSecret } = this.parts;
    this.current ??= await storage.load(serverName, origin);
    const usable = this.current && this.isUsable(this.current) ? this.current.token : undefined;
    const { accessToken } = usable ?? (await this.renew(signal, mayAsk));
    onSecret?.(accessToken);
    return accessToken;
  }

  private async renew(signal: AbortSignal, mayAsk: boolean): Promise<OAuthTokens> {
    const { request: describe, serverName } = this.parts;
    const stored = this.current;
    if (stored && !stored.token.refreshToken && this.isValid(stored.token)) return stored.token;
    if (!mayAsk && !stored?.token.refreshToken) throw signInNeeded(serverName);
    let described: Promise<OAuthRequest> | undefined;
    const request = () => (described ??= describe(signal));
    const known = stored?.token.refreshToken ? await this.parts.refreshAt?.(stored) : undefined;
    const refreshed = await this.refreshed(known ?? (await request()), signal);
    if (refreshed) return refreshed;
    // It could not be asked for a new one.
    if (this.current && this.isValid(this.current.token)) return this.current.token;
    if (!mayAsk) throw signInNeeded(serverName);
    return this.signedIn(await request(), signal);
  }

  /** Undefined: only a sign-in helps. */
  private async refreshed(request: RefreshRequest, signal: AbortSignal): Promise<OAuthTokens | undefined> {
    const stored = this.current;
    // A refresh token goes only to the server that issued it.
    const isSameServer = stored?.tokenUrl === request.server.tokenUrl;
    const isConfigured = request.client !== undefined && request.client.clientId === stored?.clientId;
    const client = stored && ((!isConfigured && clientOf(stored)) || request.client);
    if (!stored?.token.refreshToken || !isSameServer || !client) return undefined;
    try {
      const exchange = { ...this.parts, signal };
      const tokens = await refreshTokens(exchange, request, client, stored.token.refreshToken);
      return await this.keep(tokens, client, request);
    } catch (error) {
      signal.throwIfAborted();
      if (!(error instanceof OAuthError && error.problem === 'refused')) {
        // Still valid: the server may be back before it expires.
        if (this.isValid(stored.token)) return stored.token;
        throw error;
      }
      return this.fromOther(stored);
    }
  }

  /** Another process may have refreshed it, which made our refresh token invalid. */
  private async fromOther(stale: StoredTokens): Promise<OAuthTokens | undefined> {
    const { storage, serverName, origin } = this.parts;
    const stored = await storage.load(serverName, origin);
    if (stored && stored.token.accessToken !== stale.token.accessToken && this.isUsable(stored)) {
      this.current = stored;
      return stored.token;
    }
    this.current = undefined;
    this.parts.onRemoved?.();
    await storage.remove(serverName, origin).catch((error: unknown) => log.warn('token not removed', error));
    return undefined;
  }

  private async signedIn(request: OAuthRequest, signal: AbortSignal): Promise<OAuthTokens> {
    const { tokens, client } = await this.parts.signIn.run(request, signal);
    return this.keep(tokens, client, request);
  }

  private async keep(
    tokens: OAuthTokens,
    client: OAuthClient,
    request: RefreshRequest,
  ): Promise<OAuthTokens> {
    const { storage, serverName, origin, clock, warn, onSecret } = this.parts;
    if (tokens.refreshToken) onSecret?.(tokens.refreshToken);
    const { server, resource } = request;
    const { tokenUrl } = server;
    this.current = {
      serverName,
      token: tokens,
      ...client,
      tokenUrl,
      ...(resource && { resource }),
      origin,
      updatedAt: clock.now(),
    };
    this.refusedToken = undefined;
    await storage.save(this.current).catch((error: unknown) => {
      log.warn('token not saved', error);
      warn?.(`You are signed in to ${request.service} for this session only: the token could not be saved.`);
    });
    return tokens;
  }

  /** A token that lives for minutes only would have to be refreshed for every request: half its life is enough. */
  private isUsable({ token, updatedAt }: StoredTokens): boolean {
    const life = (token.expiresAt ?? Number.POSITIVE_INFINITY) - updatedAt;
    const margin = life > 0 ? Math.min(MARGIN_MS, life / 2) : MARGIN_MS;
    return token.accessToken !== this.refusedToken && this.remaining(token) > margin;
  }

  private isValid(token: OAuthTokens): boolean {
    return token.accessToken !== this.refusedToken && this.remaining(token) > 0;
  }

  private remaining({ expiresAt = Number.POSITIVE_INFINITY }: OAuthTokens): number {
    return expiresAt - this.parts.clock.now();
  }
}

function signInNeeded(serverName: string): OAuthError {
  return new OAuthError('user_needed', `${serverName} needs a sign-in, which starts when it is used.`);
}
