/** Finds model servers on this machine: asks their usual ports in parallel, with a short timeout. */
import { createLog } from '../platform/log.js';
import type { HttpClient } from '../platform/net/http.js';
import { withTimeLimit } from '../platform/time-limit.js';
import { listModels } from './list-models.js';
import { type ProviderSettings, resolveProvider } from './providers.js';

const log = createLog('local-servers');

export interface LocalServer {
  provider: string;
  baseUrl: string;
  /** Names to use behind `provider/`. */
  models: string[];
}

export interface LocalSearch {
  env: NodeJS.ProcessEnv;
  providers?: Readonly<Record<string, ProviderSettings>>;
  http: Pick<HttpClient, 'send'>;
  signal: AbortSignal;
  /** Per server. */
  timeoutMs?: number;
}

const PROVIDERS = ['ollama', 'lmstudio', 'llamacpp', 'vllm'];
const TIMEOUT_MS = 300;

/** Never throws: a port that does not answer like a model server is ignored. */
export async function findLocalServers(search: LocalSearch): Promise<LocalServer[]> {
  const found = await Promise.all(PROVIDERS.map((id) => ask(id, search)));
  return found.filter((server) => server !== undefined);
}

async function ask(id: string, search: LocalSearch): Promise<LocalServer | undefined> {
  try {
    const provider = resolveProvider(id, search.env, search.providers);
    const { timeoutMs = TIMEOUT_MS, signal, http } = search;
    const models = await withTimeLimit(timeoutMs, signal, (limited) => listModels(provider, http, limited));
    return (
      models && { provider: id, baseUrl: provider.baseUrl.href, models: models.map((model) => model.id) }
    );
  } catch (error) {
    log.debug(`no server of ${id}`, error);
    return undefined;
  }
}
