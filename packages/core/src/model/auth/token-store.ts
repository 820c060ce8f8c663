/** Google tokens on disk: `oauth_creds.json`, or encrypted if configured. */
import { join } from 'node:path';
import { messageOf } from '../../base/errors.js';
import {
  DamagedFileError,
  readPrivateFile,
  removePrivateFile,
  setAside,
  writePrivateFile,
} from '../../platform/files/private-file.js';
import type { SecretStore } from '../../platform/secrets/secret-store.js';
import { globalGeminiDir } from '../../platform/storage/storage.js';
import { importAuthCache, removeAuthCache } from './auth-cache.js';
import { type GoogleTokens, parseTokens, tokensFromRecord, tokensToRecord } from './token-format.js';

const SERVICE = 'gemini-cli-oauth';
const ENTRY = 'main-account';

export class TokenStore {
  private readonly globalDir: string;
  private readonly path: string;
  private readonly encrypted: boolean;
  private readonly seen: string[] = [];

  constructor(
    env: NodeJS.ProcessEnv,
    private readonly secrets: SecretStore,
  ) {
    this.globalDir = globalGeminiDir(env);
    this.path = join(this.globalDir, 'oauth_creds.json');
    this.encrypted = env['GEMINI_FORCE_ENCRYPTED_FILE_STORAGE'] === 'true';
  }

  /** Why there may be no tokens although some were saved. */
  get problems(): readonly string[] {
    return [...this.seen, ...this.secrets.problems];
  }

  async load(): Promise<GoogleTokens | undefined> {
    const plain = this.loadPlain();
    if (plain) {
      if (this.encrypted) await this.keep(plain);
      return plain;
    }
    const found = this.encrypted ? await this.loadEncrypted() : undefined;
    return found ?? (await this.importOld());
  }

  async save(tokens: GoogleTokens): Promise<void> {
    if (!this.encrypted) return this.savePlain(tokens);
    await this.secrets.set(SERVICE, ENTRY, JSON.stringify(tokensToRecord(tokens)));
    // Only now: before, it was the only copy.
    removePrivateFile(this.path);
  }

  /** After a refresh: not if the user has signed out, or in with another account, in another window meanwhile. */
  async saveRefreshed(previous: GoogleTokens, next: GoogleTokens): Promise<void> {
    const stored = this.loadPlain() ?? (this.encrypted ? await this.loadEncrypted() : undefined);
    if (stored?.refresh_token === previous.refresh_token) await this.save(next);
  }

  /** In all the places where it may be. */
  async clear(): Promise<void> {
    removePrivateFile(this.path);
    removeAuthCache(this.globalDir);
    await this.secrets.delete(SERVICE, ENTRY);
  }

  private loadPlain(): GoogleTokens | undefined {
    try {
      const text = readPrivateFile(this.path);
      return text === undefined ? undefined : parseTokens(text, this.path);
    } catch (error) {
      this.seen.push(messageOf(error));
      return undefined;
    }
  }

  private savePlain(tokens: GoogleTokens): void {
    try {
      const text = readPrivateFile(this.path);
      if (text !== undefined) parseTokens(text, this.path);
    } catch (error) {
      if (error instanceof DamagedFileError) setAside(this.path);
    }
    writePrivateFile(this.path, `${JSON.stringify(tokens, null, 2)}\n`);
  }

  private async loadEncrypted(): Promise<GoogleTokens | undefined> {
    const found = await this.secrets.get(SERVICE, ENTRY);
    return found && tokensFromRecord(found.value);
  }

  private async importOld(): Promise<GoogleTokens | undefined> {
    const old = importAuthCache(this.globalDir);
    if (old && (await this.keep(old.tokens))) old.done();
    return old?.tokens;
  }

  /** False when it could not be saved; the old tokens stay, and work. */
  private async keep(tokens: GoogleTokens): Promise<boolean> {
    try {
      await this.save(tokens);
      return true;
    } catch (error) {
      this.seen.push(messageOf(error));
      return false;
    }
  }
}
