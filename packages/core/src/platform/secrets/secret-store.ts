/** The user's secrets by service and entry. Cheap to import: keychain and cipher are loaded with the first request. */
import type { CredentialStore } from './credential-store.js';
import type { Keychain, KeychainState } from './keychain.js';
import type { SecretPlaces } from './secret-places.js';

export interface SecretStoreOptions {
  env: NodeJS.ProcessEnv;
  keychain?: Keychain;
  file?: CredentialStore;
  /** Called once, when it is known where secrets are kept. */
  onOpened?: (storage: OpenedStorage) => void;
}

export interface OpenedStorage {
  place: FoundSecret['place'];
  /** The user wants the file although there may be a keychain. */
  isForced: boolean;
  /** Undefined: it was not asked. */
  isKeychainAvailable: boolean | undefined;
}

export interface FoundSecret {
  value: string;
  place: 'keychain' | 'file';
}

export interface StorageState {
  /** Where the next secret would go. */
  place: FoundSecret['place'];
  keychain: KeychainState;
}

export class SecretStore {
  private places: SecretPlaces | undefined;

  constructor(private readonly options: SecretStoreOptions) {}

  /** Problems so far, for the message when a secret is missing. */
  get problems(): readonly string[] {
    return this.places?.problems ?? [];
  }

  async get(service: string, entry: string): Promise<FoundSecret | undefined> {
    return (await this.load()).get(service, entry);
  }

  /** Returns where it was stored. */
  async set(service: string, entry: string, secret: string): Promise<FoundSecret['place']> {
    return (await this.load()).set(service, entry, secret);
  }

  /** @throws KeychainError when the secret may still be in a keychain that does not answer. */
  async delete(service: string, entry: string): Promise<void> {
    return (await this.load()).delete(service, entry);
  }

  /** The names of what is stored for a service. @throws KeychainError, PrivateFileError when a place does not answer */
  async entries(service: string): Promise<string[]> {
    return (await this.load()).entries(service);
  }

  async describe(): Promise<StorageState> {
    return (await this.load()).describe();
  }

  private async load(): Promise<SecretPlaces> {
    const { SecretPlaces } = await import('./secret-places.js');
    this.places ??= new SecretPlaces(this.options);
    return this.places;
  }
}
