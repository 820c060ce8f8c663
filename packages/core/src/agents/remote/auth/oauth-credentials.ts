/** A token by a sign-in of the user, kept and refreshed. */
import type { OAuthTokenSource } from '../../../platform/oauth/token-source.js';
import type { RemoteAgentAuth } from '../../types.js';
import type { RemoteCard } from '../card/parse-card.js';
import type { CredentialParts, Grant, GrantUse, RemoteCredentials } from './credentials.js';

export class OAuthCredentials implements RemoteCredentials {
  private source: { origin: string; tokens: Promise<OAuthTokenSource> } | undefined;
  private ready: OAuthTokenSource | undefined;

  constructor(
    private readonly auth: Extract<RemoteAgentAuth, { type: 'oauth' }>,
    private readonly parts: Pick<CredentialParts, 'oauth'>,
    private readonly card: () => RemoteCard | undefined,
  ) {}

  async grant({ origin }: URL, { signal, mayAsk }: GrantUse): Promise<Grant> {
    if (this.source?.origin !== origin) this.source = { origin, tokens: this.parts.oauth(origin, this.card) };
    this.ready = await this.source.tokens;
    const token = await this.ready.token(signal, { mayAsk });
    const { token_param_name: name } = this.auth;
    return name
      ? { headers: {}, query: { [name]: token } }
      : { headers: { authorization: `Bearer ${token}` } };
  }

  /** A token that lacks a right (403) is not improved by another sign-in. */
  refused(status: number): void {
    if (status === 401) this.ready?.refused();
  }
}
