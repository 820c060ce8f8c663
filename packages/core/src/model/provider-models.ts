/** The models of all providers that can be used now: those with a key, and servers on this machine that answer. */
import { messageOf } from '../base/errors.js';
import { createLog } from '../platform/log.js';
import type { HttpClient } from '../platform/net/http.js';
import type { SecretStore } from '../platform/secrets/secret-store.js';
import { withTimeLimit } from '../platform/time-limit.js';
import { type ListedModel, listModels } from './list-models.js';
import { resolveWithSavedKey } from './provider-keys.js';
import { type Provider, type ProviderSettings, providerIds } from './providers.js';

const log = createLog('provider-models');

export interface ProviderModels {
  provider: string;
  baseUrl: string;
  isLocal: boolean;
  models: ListedModel[];
  /** Why there are none: the provider has a key, but did not answer as it should. */
  problem?: string;
}

export interface ProviderSearch {
  env: NodeJS.ProcessEnv;
  providers?: Readonly<Record<string, ProviderSettings>> | undefined;
  /** Left out: a project may name any address, and any variable as its key, which only a choice of the user sends there. */
  unasked?: readonly string[];
  http: Pick<HttpClient, 'send'>;
  signal: AbortSignal;
  secrets?: SecretStore;
  /** For a server on this machine, and for one elsewhere. */
  timeoutsMs?: { local: number; remote: number };
}

const TIMEOUTS_MS = { local: 300, remote: 5_000 };
/** Not for conversations. OpenAI lists them among the others. */
const OTHER_PURPOSE =
  /embedding|whisper|tts|dall-e|moderation|-image|audio|realtime|transcribe|sora|babbage|davinci/;

export function isForConversations(model: string): boolean {
  return !OTHER_PURPOSE.test(model);
}

/** Never throws: a provider without a key and a port without a server are left out. */
export async function listProviderModels(search: ProviderSearch): Promise<ProviderModels[]> {
  const ids = providerIds(search.providers).filter((id) => !search.unasked?.includes(id));
  const found = await Promise.all(ids.map((id) => ask(id, search)));
  return found.filter((provider) => provider !== undefined);
}

async function ask(id: string, search: ProviderSearch): Promise<ProviderModels | undefined> {
  let provider: Provider;
  try {
    provider = await resolveWithSavedKey(id, search);
  } catch (error) {
    log.debug(`${id} cannot be used`, error);
    return undefined;
  }
  const { isLocal } = provider;
  const { timeoutsMs = TIMEOUTS_MS, signal, http } = search;
  const about = { provider: id, baseUrl: provider.baseUrl.href, isLocal };
  try {
    const limit = isLocal ? timeoutsMs.local : timeoutsMs.remote;
    const models = await withTimeLimit(limit, signal, (limited) => listModels(provider, http, limited));
    if (models) return { ...about, models: models.filter((model) => isForConversations(model.id)) };
    return isLocal ? undefined : { ...about, models: [], problem: `${id} did not list its models.` };
  } catch (error) {
    log.debug(`no models of ${id}`, error);
    return isLocal ? undefined : { ...about, models: [], problem: `${id}: ${messageOf(error)}` };
  }
}
