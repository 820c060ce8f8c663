/**
 * Stores secrets in an encrypted file, for machines without a keychain. The key is derived from the names of host and
 * user: that protects the secrets in backups, but not from a program of the same user.
 */
import type { CipherGCMTypes } from 'node:crypto';
import { existsSync } from 'node:fs';
import { hostname, userInfo } from 'node:os';
import { dirname } from 'node:path';
import { isObject } from '../../base/objects.js';
import {
  DamagedFileError,
  PrivateFileError,
  preparePrivateDirectory,
  readPrivateFile,
  removePrivateFile,
  setAside,
  writePrivateFile,
} from '../files/private-file.js';
import { withFileLock } from '../locks/file-lock.js';

/** Service -> entry -> secret. */
type Secrets = Record<string, Record<string, string>>;

const CIPHER: CipherGCMTypes = 'aes-256-gcm';
const IV_BYTES = 12;
const TAG_BYTES = 16;

export class CredentialStore {
  private key: Promise<Buffer> | undefined;

  constructor(
    readonly path: string,
    private readonly owner: string = hostAndUser(),
  ) {}

  /** Does not decrypt the file. */
  exists(): boolean {
    return existsSync(this.path);
  }

  /** @throws PrivateFileError when the file cannot be read, DamagedFileError when it cannot be decrypted. */
  async get(service: string, entry: string): Promise<string | undefined> {
    const text = readPrivateFile(this.path);
    if (text === undefined) return undefined;
    return secretIn(await this.decrypt(text), service, entry);
  }

  /** The names of what is stored for a service. @throws as `get` */
  async entries(service: string): Promise<string[]> {
    const text = readPrivateFile(this.path);
    return text === undefined ? [] : Object.keys(ownValue(await this.decrypt(text), service) ?? {});
  }

  /** A file that cannot be decrypted is renamed, not overwritten. */
  async set(service: string, entry: string, secret: string): Promise<void> {
    await this.change((secrets) => ({
      ...secrets,
      [service]: { ...ownValue(secrets, service), [entry]: secret },
    }));
  }

  /** False when there was none. A file that cannot be read is not changed. */
  async delete(service: string, entry: string): Promise<boolean> {
    if ((await this.get(service, entry)) === undefined) return false;
    await this.change((secrets) => {
      const { [entry]: _removed, ...rest } = ownValue(secrets, service) ?? {};
      const { [service]: _old, ...others } = secrets;
      return Object.keys(rest).length > 0 ? { ...others, [service]: rest } : others;
    });
    return true;
  }

  private async change(edit: (secrets: Secrets) => Secrets): Promise<void> {
    await this.deriveKey();
    try {
      preparePrivateDirectory(dirname(this.path));
      // Read under the lock, so that no change of another process is lost.
      await withFileLock(this.path, async () => {
        const secrets = edit(await this.readOrSetAside());
        if (Object.keys(secrets).length === 0) removePrivateFile(this.path);
        else writePrivateFile(this.path, await this.encrypt(secrets));
      });
    } catch (error) {
      if (error instanceof PrivateFileError) throw error;
      const reason = error instanceof Error ? error.message : String(error);
      throw new PrivateFileError(this.path, `Cannot write ${this.path}: ${reason}`, error);
    }
  }

  private async readOrSetAside(): Promise<Secrets> {
    try {
      const text = readPrivateFile(this.path);
      return text === undefined ? {} : await this.decrypt(text);
    } catch (error) {
      if (!(error instanceof DamagedFileError)) throw error;
      setAside(this.path);
      return {};
    }
  }

  private async encrypt(secrets: Secrets): Promise<string> {
    const { createCipheriv, randomBytes } = await import('node:crypto');
    const iv = randomBytes(IV_BYTES);
    const cipher = createCipheriv(CIPHER, await this.deriveKey(), iv);
    const data = Buffer.concat([cipher.update(JSON.stringify(secrets), 'utf8'), cipher.final()]);
    return [iv, cipher.getAuthTag(), data].map((bytes) => bytes.toString('hex')).join(':');
  }

  private async decrypt(text: string): Promise<Secrets> {
    const [iv, tag, data] = text
      .trim()
      .split(':')
      .map((hex) => Buffer.from(hex, 'hex'));
    try {
      if (iv?.length !== IV_BYTES || tag?.length !== TAG_BYTES || !data) throw new Error('not iv:tag:data');
      const { createDecipheriv } = await import('node:crypto');
      const decipher = createDecipheriv(CIPHER, await this.deriveKey(), iv, { authTagLength: TAG_BYTES });
      decipher.setAuthTag(tag);
      const plain = Buffer.concat([decipher.update(data), decipher.final()]);
      return checkedSecrets(JSON.parse(plain.toString('utf8')));
    } catch (error) {
      throw new DamagedFileError(
        this.path,
        `${this.path} cannot be decrypted: it is damaged, or was written on another machine or by another user. ` +
          'Sign in again; the file is then kept under another name.',
        error,
      );
    }
  }

  /** Slow on purpose (about 50 ms), so it is done once. */
  private deriveKey(): Promise<Buffer> {
    this.key ??= import('node:crypto').then(
      ({ scrypt }) =>
        new Promise((resolve, reject) => {
          scrypt('gemini-credentials', this.owner, 32, (error, key) =>
            error ? reject(error) : resolve(key),
          );
        }),
    );
    return this.key;
  }
}

function hostAndUser(): string {
  return `${hostname()}\0${userName()}`;
}

/** In a container the user id may have no name. */
function userName(): string {
  try {
    return userInfo().username;
  } catch {
    return String(process.getuid?.() ?? '');
  }
}

function secretIn(secrets: Secrets, service: string, entry: string): string | undefined {
  const entries = ownValue(secrets, service);
  return entries && ownValue(entries, entry);
}

/** Keys are untrusted: `constructor` must not find a property of the prototype. */
function ownValue<T>(record: Record<string, T>, key: string): T | undefined {
  return Object.hasOwn(record, key) ? record[key] : undefined;
}

function checkedSecrets(value: unknown): Secrets {
  if (!isObject(value)) throw new Error('not an object');
  return Object.fromEntries(
    Object.entries(value).map(([service, entries]) => {
      if (!isObject(entries)) throw new Error('not an object of objects');
      return [
        service,
        Object.fromEntries(Object.entries(entries).map(([name, text]) => [name, String(text)])),
      ];
    }),
  );
}
