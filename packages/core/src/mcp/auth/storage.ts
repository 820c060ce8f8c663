/** Where tokens and registered clients are kept: files, or the keychain where the user wants them encrypted. */
import { join } from 'node:path';
import type { Variables } from '../../platform/environment.js';
import { createLog } from '../../platform/log.js';
import {
  SecretTokenStorage,
  type StoredTokens,
  type TokenStorage,
} from '../../platform/oauth/token-storage.js';
import type { SecretStore } from '../../platform/secrets/secret-store.js';
import { globalGeminiDir } from '../../platform/storage/storage.js';
import { ClientFile, type ClientStorage, SecretClients } from './client-storage.js';
import { RecordFile } from './record-file.js';
import { TokenFile } from './token-file.js';

const log = createLog('mcp-oauth');

export interface McpStorage {
  /** @param serverUrl of the server whose tokens are kept */
  tokens(serverUrl: string): TokenStorage;
  clients: ClientStorage;
}

/** @param env `GEMINI_FORCE_ENCRYPTED_FILE_STORAGE`; `GEMINI_FORCE_FILE_STORAGE` is the secret store's */
export function mcpStorage(env: Variables, secrets: SecretStore): McpStorage {
  const folder = globalGeminiDir(env);
  const plain = new RecordFile(join(folder, 'mcp-oauth-tokens.json'));
  if (env['GEMINI_FORCE_ENCRYPTED_FILE_STORAGE'] === 'true') {
    const encrypted = new SecretTokenStorage(secrets, 'mcp');
    return {
      tokens: (serverUrl) => new MovingStorage(encrypted, new TokenFile(plain, serverUrl)),
      clients: new SecretClients(secrets),
    };
  }
  return {
    tokens: (serverUrl) => new TokenFile(plain, serverUrl),
    clients: new ClientFile(new RecordFile(join(folder, 'mcp-oauth-clients.json'))),
  };
}

/** Encrypts a token of the plain file when it is first used. */
class MovingStorage implements TokenStorage {
  constructor(
    private readonly encrypted: TokenStorage,
    private readonly plain: TokenStorage,
  ) {}

  async load(serverName: string, origin: string): Promise<StoredTokens | undefined> {
    const stored = await this.encrypted.load(serverName, origin);
    if (stored) return stored;
    const found = await this.plain.load(serverName, origin);
    // It works where it is.
    if (found) await this.save(found).catch((error: unknown) => log.warn('token not encrypted', error));
    return found;
  }

  async save(stored: StoredTokens): Promise<void> {
    await this.encrypted.save(stored);
    // Only now: before, it was the only copy.
    await this.plain.remove(stored.serverName, stored.origin);
  }

  async remove(serverName: string, origin: string): Promise<void> {
    await this.plain.remove(serverName, origin);
    await this.encrypted.remove(serverName, origin);
  }
}
