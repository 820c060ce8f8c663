/** Clients that were registered dynamically: used again, since servers limit how many they register. */
import { isObject } from '../../base/objects.js';
import { clientOf } from '../../platform/oauth/token-storage.js';
import type { RegisteredClient } from '../../platform/oauth/types.js';
import type { SecretStore } from '../../platform/secrets/secret-store.js';
import type { RecordFile, StoredRecord } from './record-file.js';

/** A client belongs to one server of ours at one registration address. */
export interface ClientKey {
  serverName: string;
  origin: string;
  registrationUrl: string;
}

export interface ClientStorage {
  load(key: ClientKey): Promise<RegisteredClient | undefined>;
  save(key: ClientKey, registered: RegisteredClient): Promise<void>;
  remove(key: ClientKey): Promise<void>;
}

/** `~/.gemini/mcp-oauth-clients.json` */
export class ClientFile implements ClientStorage {
  constructor(private readonly file: RecordFile) {}

  async load(key: ClientKey): Promise<RegisteredClient | undefined> {
    return registeredIn(this.file.all().findLast(isOf(key)));
  }

  async save(key: ClientKey, { client, redirectUri }: RegisteredClient): Promise<void> {
    const isOld = isOf(key);
    await this.file.update((records) => [
      ...records.filter((item) => !isOld(item)),
      { ...key, ...client, redirectUri },
    ]);
  }

  async remove(key: ClientKey): Promise<void> {
    const isOld = isOf(key);
    await this.file.update((records) => {
      const others = records.filter((item) => !isOld(item));
      return others.length === records.length ? undefined : others;
    });
  }
}

const SERVICE = 'gemini-cli-oauth';

export class SecretClients implements ClientStorage {
  constructor(private readonly secrets: SecretStore) {}

  async load(key: ClientKey): Promise<RegisteredClient | undefined> {
    const found = await this.secrets.get(SERVICE, entryOf(key));
    if (!found) return undefined;
    try {
      const value: unknown = JSON.parse(found.value);
      return isObject(value) ? registeredIn(value) : undefined;
    } catch {
      return undefined;
    }
  }

  async save(key: ClientKey, { client, redirectUri }: RegisteredClient): Promise<void> {
    await this.secrets.set(SERVICE, entryOf(key), JSON.stringify({ ...client, redirectUri }));
  }

  async remove(key: ClientKey): Promise<void> {
    await this.secrets.delete(SERVICE, entryOf(key));
  }
}

function entryOf({ serverName, origin, registrationUrl }: ClientKey): string {
  return `mcp-client:${serverName}@${origin} ${registrationUrl}`;
}

function isOf({ serverName, origin, registrationUrl }: ClientKey): (record: StoredRecord) => boolean {
  return (record) =>
    record['serverName'] === serverName &&
    record['origin'] === origin &&
    record['registrationUrl'] === registrationUrl;
}

function registeredIn(record: StoredRecord | undefined): RegisteredClient | undefined {
  const text = (name: string) => (typeof record?.[name] === 'string' ? record[name] : undefined);
  const client = clientOf({ clientId: text('clientId'), clientSecret: text('clientSecret') });
  const redirectUri = text('redirectUri');
  return client && redirectUri ? { client, redirectUri } : undefined;
}
