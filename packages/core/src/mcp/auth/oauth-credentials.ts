/** The token of a server: stored, refreshed, and by a sign-in that the user or the settings asked for. */
import { visibleName } from '../../base/visible-text.js';
import type { Clock } from '../../platform/clock.js';
import type { AuthHttp } from '../../platform/net/auth-http.js';
import { parseChallenge } from '../../platform/oauth/challenge.js';
import { OAuthError } from '../../platform/oauth/oauth-error.js';
import type { OAuthSignIn } from '../../platform/oauth/sign-in.js';
import { OAuthTokenSource } from '../../platform/oauth/token-source.js';
import type { StoredTokens, TokenStorage } from '../../platform/oauth/token-storage.js';
import type { OAuthPrompts, OAuthRequest } from '../../platform/oauth/types.js';
import { SharedWork } from '../../platform/shared-work.js';
import type { SignInState } from '../auth-port.js';
import { type AuthServer, requirePrivateWay } from './auth-server.js';
import { type McpCredentials, type McpGrant, NO_GRANT } from './credentials.js';
import { resourceOf } from './discover.js';
import type { DiscoveryHttp } from './guarded-discovery.js';
import { KeepingSignIn } from './keeping-sign-in.js';
import { configuredClient, serviceOf, signInRequest } from './sign-in-request.js';
import type { McpStorage } from './storage.js';

export interface OAuthParts {
  storage: McpStorage;
  signIn: OAuthSignIn;
  discovery: DiscoveryHttp;
  http: AuthHttp;
  clock: Clock;
  /** Undefined: the user cannot be asked now. */
  prompts: () => OAuthPrompts | undefined;
  /** A message for the user that stops nothing. */
  notify: (message: string) => void;
  onSecret: (secret: string) => void;
}

export class OAuthCredentials implements McpCredentials {
  private readonly source: OAuthTokenSource;
  private readonly tokens: TokenStorage;
  /** Of the last refusal: it says where to sign in. */
  private challenge: string | undefined;
  /** Asked for in this session; another sign-in for the same would not help. */
  private askedScopes: readonly string[] = [];
  private sent: string | undefined;
  private hasRefused = false;
  private hasTold = false;
  /** From a sign-in that started by itself. */
  private obtained: string | undefined;
  /** A sign-in that started by itself did not help: the user decides about the next. */
  private hasGivenUp = false;
  private readonly replacing = new SharedWork<boolean>();

  constructor(
    private readonly server: AuthServer,
    private readonly address: URL,
    private readonly parts: OAuthParts,
  ) {
    const { storage, signIn, clock, http, notify, onSecret } = parts;
    const owner = { serverName: server.name, origin: address.origin };
    this.tokens = storage.tokens(address.href);
    this.source = new OAuthTokenSource({
      ...owner,
      request: (signal) => this.request(signal),
      refreshAt: async (stored) => this.refreshRequest(stored),
      storage: this.tokens,
      signIn: new KeepingSignIn(signIn, storage.clients, owner),
      http,
      clock,
      warn: notify,
      onSecret,
      onRemoved: () => this.tellOnce('has expired'),
    });
  }

  async grant(signal: AbortSignal): Promise<McpGrant> {
    try {
      const token = await this.source.token(signal, { mayAsk: false });
      requirePrivateWay(this.server, this.address);
      this.sent = token;
      const { tokenParamName: name } = this.server.config.oauth ?? {};
      return name
        ? { headers: {}, query: { [name]: token } }
        : { headers: { authorization: `Bearer ${token}` } };
    } catch (error) {
      if (!(error instanceof OAuthError && error.problem === 'user_needed')) throw error;
      this.sent = undefined;
      return NO_GRANT;
    }
  }

  /** Requests that are refused at the same time share the answer. */
  refused(wwwAuthenticate: string | undefined, signal: AbortSignal): Promise<boolean> {
    return this.replacing.run(signal, (running) => this.replaced(wwwAuthenticate, running));
  }

  /** For `/mcp auth`: whatever is stored. @throws OAuthError */
  async signIn(signal: AbortSignal): Promise<void> {
    requirePrivateWay(this.server, this.address);
    await this.source.signIn(signal);
    this.hasGivenUp = false;
    this.hasTold = false;
  }

  /** Undefined: as far as is known, the server wants no sign-in. */
  async state(): Promise<SignInState | undefined> {
    const stored = await this.tokens.load(this.server.name, this.address.origin);
    if (!stored) return this.hasRefused || this.server.config.oauth ? 'not_authenticated' : undefined;
    const { expiresAt = Number.POSITIVE_INFINITY, refreshToken } = stored.token;
    return refreshToken || expiresAt > this.parts.clock.now() ? 'authenticated' : 'expired';
  }

  private async replaced(wwwAuthenticate: string | undefined, signal: AbortSignal): Promise<boolean> {
    this.challenge = wwwAuthenticate;
    this.hasRefused = true;
    const { error, scopes = [] } = parseChallenge(wwwAuthenticate);
    const refusedToken = this.sent;
    if (error === 'insufficient_scope') {
      const isNew = scopes.some((scope) => !this.askedScopes.includes(scope));
      if (isNew) this.tellOnce('lacks a right that the server asks for');
      return isNew && this.maySignIn && this.signedInAnew(signal);
    }
    if (refusedToken) {
      this.source.refused();
      const { headers, query } = await this.grant(signal);
      if (Object.keys({ ...headers, ...query }).length > 0) return true;
      this.tellOnce('is not accepted any more');
    }
    if (refusedToken !== undefined && refusedToken === this.obtained) this.hasGivenUp = true;
    return this.maySignIn && this.signedInAnew(signal);
  }

  /** Why a stored token does not help; not where a new sign-in starts by itself. */
  private tellOnce(problem: string): void {
    if (this.maySignIn || this.hasTold) return;
    this.hasTold = true;
    const remedy = `Run /mcp auth ${visibleName(this.server.name)} to sign in again.`;
    this.parts.notify(`The sign-in for ${serviceOf(this.server)} ${problem}. ${remedy}`);
  }

  private get maySignIn(): boolean {
    const { enabled = false } = this.server.config.oauth ?? {};
    return enabled && !this.hasGivenUp && this.parts.prompts() !== undefined;
  }

  private async signedInAnew(signal: AbortSignal): Promise<boolean> {
    try {
      await this.signIn(signal);
      await this.grant(signal);
      this.obtained = this.sent;
      return true;
    } catch (error) {
      this.hasGivenUp = true;
      if (!(error instanceof OAuthError)) throw error;
      const service = serviceOf(this.server);
      const { message } = error;
      this.parts.notify(
        message.includes(service) ? message : `The sign-in for ${service} failed: ${message}`,
      );
      return false;
    }
  }

  private async request(signal: AbortSignal): Promise<OAuthRequest> {
    const request = await signInRequest(this.server, this.challenge, this.parts, signal);
    const { error, scopes = [] } = parseChallenge(this.challenge);
    // What was granted before is still needed.
    const more = error === 'insufficient_scope' ? [...this.askedScopes, ...scopes] : [];
    const all = [...new Set([...(request.scopes ?? []), ...more])];
    this.askedScopes = all;
    return { ...request, ...(all.length > 0 && { scopes: all }) };
  }

  /** Discovery is not needed: a refresh token goes to the address that issued it. */
  private refreshRequest({ tokenUrl, resource }: StoredTokens) {
    if (!tokenUrl) return undefined;
    const client = configuredClient(this.server.config.oauth ?? {});
    return {
      service: serviceOf(this.server),
      server: { authorizationUrl: tokenUrl, tokenUrl },
      resource: resource ?? resourceOf(this.address),
      ...(client && { client }),
    };
  }
}
