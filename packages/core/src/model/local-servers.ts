/** Finds model servers on this machine: asks their usual ports in parallel, with a short timeout. */
import { isObject } from '../base/objects.js';
import { createLog } from '../platform/log.js';
import { type HttpClient, readText } from '../platform/net/http.js';
import { withTimeLimit } from '../platform/time-limit.js';
import { type Provider, type ProviderSettings, resolveProvider } from './providers.js';

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
const BODY_LIMIT = 1024 * 1024;

/** Never throws: a port that does not answer like a model server is ignored. */
export async function findLocalServers(search: LocalSearch): Promise<LocalServer[]> {
  const found = await Promise.all(PROVIDERS.map((id) => ask(id, search)));
  return found.filter((server) => server !== undefined);
}

async function ask(id: string, search: LocalSearch): Promise<LocalServer | undefined> {
  try {
    const provider = resolveProvider(id, search.env, search.providers);
    const { timeoutMs = TIMEOUT_MS, signal, http } = search;
    const models = await withTimeLimit(timeoutMs, signal, (limited) => modelsOf(provider, http, limited));
    return models && { provider: id, baseUrl: provider.baseUrl.href, models };
  } catch (error) {
    log.debug(`no server of ${id}`, error);
    return undefined;
  }
}

async function modelsOf(
  { baseUrl, apiKey, headers }: Provider,
  http: LocalSearch['http'],
  signal: AbortSignal,
): Promise<string[] | undefined> {
  const url = new URL(baseUrl);
  url.pathname = `${url.pathname.replace(/\/+$/, '')}/models`;
  const response = await http.send({
    method: 'GET',
    url,
    headers: { accept: 'application/json', ...(apiKey && { authorization: `Bearer ${apiKey}` }), ...headers },
    signal,
  });
  if (response.status !== 200) {
    response.dispose();
    return undefined;
  }
  return modelNames(JSON.parse(await readText(response.body, BODY_LIMIT)));
}

/** `{data:[{id}]}`; a server without models sends `null` for the list. */
function modelNames(answer: unknown): string[] | undefined {
  if (!isObject(answer)) return undefined;
  const { data, object } = answer;
  if (!Array.isArray(data)) return object === 'list' && data === null ? [] : undefined;
  return data.flatMap((item: unknown) =>
    isObject(item) && typeof item['id'] === 'string' ? [item['id']] : [],
  );
}
