/** Stores secrets in the keychain if it works, else in the encrypted file. */
import { join } from 'node:path';
import { messageOf } from '../../base/errors.js';
import { DamagedFileError } from '../files/private-file.js';
import { globalGeminiDir } from '../storage/storage.js';
import { CredentialStore } from './credential-store.js';
import { Keychain, KeychainError } from './keychain.js';
import type { FoundSecret, SecretStoreOptions, StorageState } from './secret-store.js';

export class SecretPlaces {
  private readonly keychain: Keychain;
  private readonly file: CredentialStore;
  private readonly seen = new Set<string>();
  private isOpened = false;

  constructor(private readonly options: SecretStoreOptions) {
    this.keychain = options.keychain ?? new Keychain({ env: options.env });
    this.file =
      options.file ?? new CredentialStore(join(globalGeminiDir(options.env), 'gemini-credentials.json'));
  }

  /** Problems so far, for the message when a secret is missing. */
  get problems(): readonly string[] {
    return [...this.seen];
  }

  /**
   * The file first: it is fast, and its secrets are newer, because they were written when the keychain did not
   * answer.
   */
  async get(service: string, entry: string): Promise<FoundSecret | undefined> {
    const found = (await this.fromFile(service, entry)) ?? (await this.fromKeychain(service, entry));
    this.opened(found?.place);
    return found;
  }

  /** Returns where it was stored. */
  async set(service: string, entry: string, secret: string): Promise<FoundSecret['place']> {
    try {
      await this.keychain.set(service, entry, secret);
    } catch (error) {
      if (!(error instanceof KeychainError)) throw error;
      await this.file.set(service, entry, secret);
      this.opened('file');
      return 'file';
    }
    this.opened('keychain');
    // An older secret in the file would hide the new one.
    if (this.file.exists()) await this.removeFromFile(service, entry);
    return 'keychain';
  }

  /** @throws KeychainError when the secret may still be in a keychain that does not answer. */
  async delete(service: string, entry: string): Promise<void> {
    if (this.file.exists()) await this.removeFromFile(service, entry);
    try {
      await this.keychain.delete(service, entry);
    } catch (error) {
      if (!(error instanceof KeychainError && error.state === 'absent')) throw error;
    }
  }

  /** The names of what is stored for a service. @throws what the file or a keychain that does not answer throws */
  async entries(service: string): Promise<string[]> {
    const inFile = this.file.exists() ? await this.file.entries(service) : [];
    try {
      return [...new Set([...inFile, ...(await this.keychain.entries(service))])];
    } catch (error) {
      if (!(error instanceof KeychainError && error.state === 'absent')) throw error;
      return inFile;
    }
  }

  /** Where the next secret would go. */
  async describe(): Promise<StorageState> {
    const keychain = await this.keychain.probe();
    return { place: keychain.state === 'available' ? 'keychain' : 'file', keychain };
  }

  /** @param place undefined: there was no secret */
  private opened(place: FoundSecret['place'] | undefined): void {
    if (this.isOpened) return;
    this.isOpened = true;
    const { state } = this.keychain.known ?? {};
    const isKeychainAvailable = state && state === 'available';
    this.options.onOpened?.({
      place: place ?? (isKeychainAvailable ? 'keychain' : 'file'),
      isForced: this.options.env['GEMINI_FORCE_FILE_STORAGE'] === 'true',
      isKeychainAvailable,
    });
  }

  private async fromFile(service: string, entry: string): Promise<FoundSecret | undefined> {
    if (!this.file.exists()) return undefined;
    try {
      const value = await this.file.get(service, entry);
      return value === undefined ? undefined : { value, place: 'file' };
    } catch (error) {
      this.seen.add(messageOf(error));
      return undefined;
    }
  }

  private async fromKeychain(service: string, entry: string): Promise<FoundSecret | undefined> {
    try {
      const value = await this.keychain.get(service, entry);
      return value === undefined ? undefined : { value, place: 'keychain' };
    } catch (error) {
      if (!(error instanceof KeychainError)) throw error;
      if (error.state !== 'absent') this.seen.add(error.message);
      return undefined;
    }
  }

  private async removeFromFile(service: string, entry: string): Promise<void> {
    try {
      await this.file.delete(service, entry);
    } catch (error) {
      // A damaged file contains no readable secret to remove.
      if (!(error instanceof DamagedFileError)) throw error;
      this.seen.add(error.message);
    }
  }
}
