/** Credentials of a remote agent, by the kind of its `auth` block. Each kind is loaded when it is used. */
import type { OAuthTokenSource } from '../../../platform/oauth/token-source.js';
import type { RemoteAgentDefinition } from '../../types.js';
import type { RemoteCard } from '../card/parse-card.js';
import { isReadableByOthers } from '../origins.js';
import { RemoteAgentError } from '../remote-agent-error.js';
import type { SecretValues } from './secret-values.js';

/** What a request carries. */
export interface Grant {
  headers: Record<string, string>;
  query?: Record<string, string>;
}

export interface GrantUse {
  signal: AbortSignal;
  /** False: an error where the user would have to sign in. */
  mayAsk: boolean;
}

export const NO_GRANT: Grant = { headers: {} };

export interface RemoteCredentials {
  /**
   * For a request to this address, which the caller knows to be the agent's own.
   * @throws when there are none
   */
  grant(target: URL, use: GrantUse): Promise<Grant>;
  /** The server refused the last ones (401, 403): the next are resolved anew. */
  refused(status: number): void;
}

export interface CredentialParts {
  values: SecretValues;
  google: GoogleTokens;
  /** Of this agent; `card` is known unless the card itself needs the token. */
  oauth: (origin: string, card: () => RemoteCard | undefined) => Promise<OAuthTokenSource>;
  onSecret: (secret: string) => void;
}

export interface GoogleTokens {
  /** Headers with an access token. */
  access(scopes: readonly string[] | undefined, signal: AbortSignal): Promise<Record<string, string>>;
  identity(audience: string, signal: AbortSignal): Promise<string>;
  /** The next one is fetched. */
  invalidate(): void;
}

/** Undefined: the agent has no `auth`. */
export function credentialsOf(
  { auth }: RemoteAgentDefinition,
  parts: CredentialParts,
  card: () => RemoteCard | undefined,
): RemoteCredentials | undefined {
  if (!auth) return undefined;
  const kinds = {
    apiKey: async () => (await import('./fixed-credentials.js')).FixedCredentials,
    http: async () => (await import('./fixed-credentials.js')).FixedCredentials,
    'google-credentials': async () => (await import('./google-credentials.js')).GoogleCredentials,
    oauth: async () => (await import('./oauth-credentials.js')).OAuthCredentials,
  };
  let made: Promise<RemoteCredentials> | undefined;
  let ready: RemoteCredentials | undefined;
  const make = async (): Promise<RemoteCredentials> => {
    if (!(auth.type in kinds))
      throw new RemoteAgentError('auth', `The kind of auth "${auth.type}" is not known.`);
    const Kind = await kinds[auth.type]();
    // Each class takes the block of its own kind.
    ready = new Kind(auth as never, parts, card);
    return ready;
  };
  return {
    async grant(target, use) {
      if (isReadableByOthers(target)) {
        throw new RemoteAgentError('auth', `Credentials are only sent over https, not to ${target.origin}.`);
      }
      made ??= make();
      return (await made).grant(target, use);
    },
    refused: (status) => ready?.refused(status),
  };
}

export function isRefusal(status: number): boolean {
  return status === 401 || status === 403;
}

export function isSameGrant(one: Grant, other: Grant): boolean {
  return JSON.stringify(one) === JSON.stringify(other);
}

export function withQuery(url: URL, { query }: Grant): URL {
  if (!query) return url;
  const extended = new URL(url);
  for (const [name, value] of Object.entries(query)) extended.searchParams.set(name, value);
  return extended;
}
