/** The key that signs the integrity store: in the keychain, else in a file that only the user may read. */
import { join } from 'node:path';
import type { Variables } from '../../platform/environment.js';
import {
  DamagedFileError,
  readPrivateFile,
  removePrivateFile,
  writePrivateFile,
} from '../../platform/files/private-file.js';
import { randomHex } from '../../platform/random.js';
import { Keychain, KeychainError } from '../../platform/secrets/keychain.js';

const SERVICE = 'gemini-cli-extension-integrity';
const ACCOUNT = 'secret-key';
const KEY_BYTES = 32;

export class IntegrityKey {
  private readonly file: string;
  private readonly keychain: Keychain;

  constructor({ globalDir, variables }: { globalDir: string; variables: Variables }) {
    this.file = join(globalDir, 'integrity.key');
    this.keychain = new Keychain({ env: { ...variables } });
  }

  /** The file first: it was written when the keychain did not answer. @returns undefined when there is no key yet */
  async read(): Promise<string | undefined> {
    const text = readPrivateFile(this.file)?.trim();
    if (text === undefined) return this.fromKeychain();
    if (!isKey(text)) throw new DamagedFileError(this.file, `${this.file} is damaged. Delete it.`);
    return text;
  }

  async readOrCreate(): Promise<string> {
    const existing = await this.read();
    if (existing !== undefined) return existing;
    const key = randomHex(KEY_BYTES);
    try {
      await this.keychain.set(SERVICE, ACCOUNT, key);
    } catch (error) {
      if (!(error instanceof KeychainError)) throw error;
      writePrivateFile(this.file, `${key}\n`);
    }
    return key;
  }

  async remove(): Promise<void> {
    removePrivateFile(this.file);
    try {
      await this.keychain.delete(SERVICE, ACCOUNT);
    } catch (error) {
      if (!(error instanceof KeychainError)) throw error;
    }
  }

  private async fromKeychain(): Promise<string | undefined> {
    try {
      const key = await this.keychain.get(SERVICE, ACCOUNT);
      return key !== undefined && isKey(key) ? key : undefined;
    } catch (error) {
      if (!(error instanceof KeychainError)) throw error;
      return undefined;
    }
  }
}

function isKey(text: string): boolean {
  return /^[0-9a-f]{64}$/i.test(text);
}
