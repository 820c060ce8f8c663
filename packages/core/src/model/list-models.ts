/** Asks a provider for its models, in the protocol of its type. */
import { isObject } from '../base/objects.js';
import { type HttpClient, readText } from '../platform/net/http.js';
import type { Price } from './catalog/prices.js';
import type { Provider } from './providers.js';

export interface ListedModel {
  /** To use behind `provider/`. */
  id: string;
  /** As the provider states it. */
  contextWindow?: number;
  price?: Pick<Price, 'input' | 'output'>;
}

const BODY_LIMIT = 8 * 1024 * 1024;
const ANTHROPIC_VERSION = '2023-06-01';

/** Undefined: what answers is not a model server. @throws when nothing answers */
export async function listModels(
  provider: Provider,
  http: Pick<HttpClient, 'send'>,
  signal: AbortSignal,
): Promise<ListedModel[] | undefined> {
  const response = await http.send({ ...modelsRequest(provider), signal });
  if (response.status !== 200) {
    response.dispose();
    return undefined;
  }
  return modelsIn(JSON.parse(await readText(response.body, BODY_LIMIT)));
}

type Asked = Pick<Provider, 'type' | 'baseUrl' | 'apiKey' | 'headers'>;

export function modelsRequest(provider: Asked) {
  return {
    method: 'GET',
    url: addressOf(provider),
    headers: { accept: 'application/json', ...keyHeaders(provider), ...provider.headers },
  } as const;
}

function addressOf({ type, baseUrl }: Asked): URL {
  const url = new URL(baseUrl);
  const path = url.pathname.replace(/\/+$/, '');
  url.pathname = type === 'anthropic' ? `${path.replace(/\/v1$/, '')}/v1/models` : `${path}/models`;
  if (type === 'anthropic') url.searchParams.set('limit', '1000');
  return url;
}

function keyHeaders({ type, apiKey }: Asked): Record<string, string> {
  if (type === 'anthropic')
    return { 'anthropic-version': ANTHROPIC_VERSION, ...(apiKey && { 'x-api-key': apiKey }) };
  if (!apiKey) return {};
  return type === 'gemini' ? { 'x-goog-api-key': apiKey } : { authorization: `Bearer ${apiKey}` };
}

/** `{data:[{id}]}`, or Gemini's `{models:[{name}]}`; a server without models sends `null` for the list. */
export function modelsIn(answer: unknown): ListedModel[] | undefined {
  if (!isObject(answer)) return undefined;
  const { data, models, object } = answer;
  const list = Array.isArray(data) ? data : models;
  if (!Array.isArray(list)) return object === 'list' && data === null ? [] : undefined;
  return list.flatMap((item: unknown) => {
    if (!isObject(item)) return [];
    const id = item['id'] ?? item['name'];
    if (typeof id !== 'string') return [];
    return [{ id: id.replace(/^models\//, ''), ...windowOf(item), ...priceIn(item['pricing']) }];
  });
}

/** OpenRouter, vLLM and Gemini state it, each under its own name. */
function windowOf(item: Record<string, unknown>): Pick<ListedModel, 'contextWindow'> {
  const stated = item['context_length'] ?? item['max_model_len'] ?? item['inputTokenLimit'];
  return typeof stated === 'number' && stated > 0 ? { contextWindow: stated } : {};
}

/** OpenRouter: dollars per token, as text. */
function priceIn(pricing: unknown): Pick<ListedModel, 'price'> {
  if (!isObject(pricing)) return {};
  const million = (value: unknown) => Math.round(Number(value) * 1e9) / 1e3;
  const [input, output] = [million(pricing['prompt']), million(pricing['completion'])];
  return input >= 0 && output >= 0 ? { price: { input, output } } : {};
}
