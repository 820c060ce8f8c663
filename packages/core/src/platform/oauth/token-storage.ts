/** Tokens of servers at rest. Each is bound to the origin it was issued for. */
import { isObject } from '../../base/objects.js';
import type { SecretStore } from '../secrets/secret-store.js';
import type { OAuthClient, OAuthTokens } from './types.js';

/** The format that MCP servers have, too. */
export interface StoredTokens {
  serverName: string;
  token: OAuthTokens;
  /** Also one that was registered dynamically: it is used again. */
  clientId?: string;
  clientSecret?: string;
  tokenUrl?: string;
  /** The `resource` parameter that it was asked for with. */
  resource?: string;
  /** Of the server that gets the token. */
  origin: string;
  updatedAt: number;
}

export interface TokenStorage {
  /** Undefined also for a token of another origin. */
  load(serverName: string, origin: string): Promise<StoredTokens | undefined>;
  save(stored: StoredTokens): Promise<void>;
  remove(serverName: string, origin: string): Promise<void>;
}

export class SecretTokenStorage implements TokenStorage {
  /** @param kind keeps names of agents and of servers apart */
  constructor(
    private readonly secrets: SecretStore,
    private readonly kind: string,
    private readonly service = 'gemini-cli-oauth',
  ) {}

  async load(serverName: string, origin: string): Promise<StoredTokens | undefined> {
    const found = await this.secrets.get(this.service, this.entry(serverName, origin));
    const stored = found && storedIn(found.value);
    return stored?.origin === origin ? stored : undefined;
  }

  async save(stored: StoredTokens): Promise<void> {
    const entry = this.entry(stored.serverName, stored.origin);
    await this.secrets.set(this.service, entry, JSON.stringify(stored));
  }

  async remove(serverName: string, origin: string): Promise<void> {
    await this.secrets.delete(this.service, this.entry(serverName, origin));
  }

  private entry(serverName: string, origin: string): string {
    return `${this.kind}:${serverName}@${origin}`;
  }
}

export function clientOf({ clientId, clientSecret }: Partial<OAuthClient>): OAuthClient | undefined {
  return clientId ? { clientId, ...(clientSecret && { clientSecret }) } : undefined;
}

function storedIn(text: string): StoredTokens | undefined {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    return undefined;
  }
  const token = isObject(value) ? value['token'] : undefined;
  const isUsable =
    isObject(token) && typeof token['accessToken'] === 'string' && typeof token['tokenType'] === 'string';
  // Written by us: the fields that matter are checked, the rest has its type.
  return isUsable ? (value as StoredTokens) : undefined;
}
