/** Tokens in `~/.gemini/mcp-oauth-tokens.json`, in the format that other versions of the program read and write. */
import { isObject } from '../../base/objects.js';
import type { StoredTokens, TokenStorage } from '../../platform/oauth/token-storage.js';
import type { OAuthTokens } from '../../platform/oauth/types.js';
import type { RecordFile, StoredRecord } from './record-file.js';

export class TokenFile implements TokenStorage {
  /** @param mcpServerUrl of the server whose tokens are saved */
  constructor(
    private readonly file: RecordFile,
    private readonly mcpServerUrl: string,
  ) {}

  async load(serverName: string, origin: string): Promise<StoredTokens | undefined> {
    const isWanted = isOf(serverName, origin);
    // The last one is the newest.
    const record = this.file.all().findLast((item) => isWanted(item) && tokenIn(item));
    const token = record && tokenIn(record);
    return token && storedIn(record, token, serverName, origin);
  }

  async save(stored: StoredTokens): Promise<void> {
    const isOld = isOf(stored.serverName, stored.origin);
    const { origin: _, ...record } = stored;
    const { mcpServerUrl } = this;
    await this.file.update((records) => [
      ...records.filter((item) => !isOld(item)),
      { ...record, mcpServerUrl },
    ]);
  }

  async remove(serverName: string, origin: string): Promise<void> {
    const isOld = isOf(serverName, origin);
    await this.file.update((records) => {
      const others = records.filter((item) => !isOld(item));
      return others.length === records.length ? undefined : others;
    });
  }
}

/** A record that names no server address may be for any server: it is not used. */
function isOf(serverName: string, origin: string): (record: StoredRecord) => boolean {
  return ({ serverName: name, mcpServerUrl: url }) =>
    name === serverName && typeof url === 'string' && URL.canParse(url) && new URL(url).origin === origin;
}

function tokenIn({ token }: StoredRecord): OAuthTokens | undefined {
  if (!isObject(token) || typeof token['accessToken'] !== 'string') return undefined;
  const { accessToken, refreshToken, expiresAt, tokenType, scope } = token;
  return {
    accessToken,
    tokenType: typeof tokenType === 'string' ? tokenType : 'Bearer',
    ...(typeof refreshToken === 'string' && { refreshToken }),
    ...(typeof expiresAt === 'number' && { expiresAt }),
    ...(typeof scope === 'string' && { scope }),
  };
}

const TEXT_FIELDS = ['clientId', 'clientSecret', 'tokenUrl', 'resource'] as const;

function storedIn(
  record: StoredRecord,
  token: OAuthTokens,
  serverName: string,
  origin: string,
): StoredTokens {
  const texts = TEXT_FIELDS.flatMap((name) =>
    typeof record[name] === 'string' ? [[name, record[name]]] : [],
  );
  const { updatedAt } = record;
  return {
    ...Object.fromEntries(texts),
    serverName,
    token,
    origin,
    updatedAt: typeof updatedAt === 'number' ? updatedAt : 0,
  };
}
