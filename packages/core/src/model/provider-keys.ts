/**
 * Keys of other providers that the user saved with `/auth`. Each belongs to one provider at one address: settings that
 * name another address, or another provider with the same variable, do not get it.
 */
import { FatalConfigError } from '../base/errors.js';
import { SecretStore } from '../platform/secrets/secret-store.js';
import { checkedKey } from './auth/api-key.js';
import {
  builtinAddress,
  keyProviders,
  modelWithKey,
  type Provider,
  type ProviderSettings,
  resolveProvider,
} from './providers.js';

const SERVICE = 'gemini-cli-provider-key';
/** Holds the names of all entries: a keychain cannot list them. */
const LIST = 'entries';

export interface KeySearch {
  env: NodeJS.ProcessEnv;
  providers?: Readonly<Record<string, ProviderSettings>> | undefined;
  secrets?: SecretStore;
}

/** Like `resolveProvider`, with the saved key where the environment has none. */
export async function resolveWithSavedKey(id: string, search: KeySearch): Promise<Provider> {
  const { env, providers } = search;
  const key = isKeyMissing(id, search) ? await savedKey(id, search) : undefined;
  return key === undefined ? resolveProvider(id, env, providers) : providerWithKey(id, key, search);
}

/** The provider could have a key, and the environment has none; a server on this machine may work without. */
function isKeyMissing(id: string, { env, providers }: KeySearch): boolean {
  const apiKeyEnv = keyProviders(providers).find((provider) => provider.id === id)?.apiKeyEnv;
  return apiKeyEnv !== undefined && !env[apiKeyEnv]?.trim();
}

/** A model of the first provider that has a key, and where the key is. */
export async function modelWithAnyKey(
  search: KeySearch,
): Promise<{ model: string; source: string } | undefined> {
  const { env, providers } = search;
  const found = modelWithKey(env, providers);
  if (found) return { model: found.model, source: found.apiKeyEnv };
  for (const id of await savedKeyProviders(search)) {
    const model = keyProviders(providers).find((provider) => provider.id === id)?.defaultModel;
    if (model) return { model: `${id}/${model}`, source: `the saved key of ${id}` };
  }
  return undefined;
}

/** Providers whose key is saved and not in the environment. */
export async function savedKeyProviders(search: KeySearch): Promise<string[]> {
  const shared = { ...search, secrets: secretsOf(search) };
  const found = await Promise.all(
    keyProviders(search.providers).map(async ({ id }) => {
      if (!isKeyMissing(id, shared) || !addressOf(id, shared)) return [];
      return (await savedKey(id, shared)) === undefined ? [] : [id];
    }),
  );
  return found.flat();
}

/** @returns where it was saved. @throws FatalAuthenticationError for a text that is not a key */
export async function saveProviderKey(
  id: string,
  key: string,
  search: KeySearch,
): Promise<'keychain' | 'file'> {
  const checked = checkedKey(key, 'The API key');
  const entry = entryOf(id, providerWithKey(id, checked, search).baseUrl);
  const secrets = secretsOf(search);
  const listed = await listedEntries(secrets);
  // Before the key, so that no key is saved that the sign-out does not find.
  if (!listed.includes(entry)) await secrets.set(SERVICE, LIST, [...listed, entry].join('\n'));
  return secrets.set(SERVICE, entry, checked);
}

/** All of them, at whatever address: the sign-out. */
export async function deleteProviderKeys(search: KeySearch): Promise<void> {
  const secrets = secretsOf(search);
  // Older versions did not list the entries.
  const unlisted = keyProviders(search.providers).flatMap(({ id }) =>
    [addressOf(id, search), builtinAddress(id)].flatMap((url) => (url ? [entryOf(id, url)] : [])),
  );
  const entries = new Set([...(await listedEntries(secrets)), ...unlisted]);
  // The list last: after a failure it is needed again.
  for (const entry of [...entries, LIST])
    if (await secrets.get(SERVICE, entry)) await secrets.delete(SERVICE, entry);
}

async function listedEntries(secrets: SecretStore): Promise<string[]> {
  return (await secrets.get(SERVICE, LIST))?.value.split('\n') ?? [];
}

/** Undefined: its settings are broken. The other providers work all the same. */
function addressOf(id: string, search: KeySearch): URL | undefined {
  try {
    return providerWithKey(id, 'any', search).baseUrl;
  } catch (error) {
    if (error instanceof FatalConfigError) return undefined;
    throw error;
  }
}

/** The provider as it would be with this key. */
export function providerWithKey(id: string, key: string, { env, providers }: KeySearch): Provider {
  const apiKeyEnv = keyProviders(providers).find((provider) => provider.id === id)?.apiKeyEnv;
  return resolveProvider(id, apiKeyEnv ? { ...env, [apiKeyEnv]: key } : env, providers);
}

async function savedKey(id: string, search: KeySearch): Promise<string | undefined> {
  // Any key gives the address.
  const { baseUrl } = providerWithKey(id, 'any', search);
  return (await secretsOf(search).get(SERVICE, entryOf(id, baseUrl)))?.value;
}

function entryOf(id: string, { host }: URL): string {
  return `${id}@${host}`;
}

function secretsOf({ env, secrets }: KeySearch): SecretStore {
  return secrets ?? new SecretStore({ env });
}
