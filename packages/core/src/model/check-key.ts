/** Checks a key with the cheapest request there is: the list of models. */
import { messageOf } from '../base/errors.js';
import { type HttpClient, readText } from '../platform/net/http.js';
import { withTimeLimit } from '../platform/time-limit.js';
import { geminiBase } from './gemini/endpoint.js';
import { modelsIn, modelsRequest } from './list-models.js';
import { type KeySearch, providerWithKey } from './provider-keys.js';
import { isForConversations } from './provider-models.js';
import type { ProviderType } from './providers.js';

export interface KeyToCheck {
  id: string;
  type: ProviderType;
  baseUrl: URL;
  key: string;
}

export type KeyCheck =
  | { state: 'works'; models: string[] }
  /** The server does not accept the key. */
  | { state: 'refused'; status: number }
  /** The key may be good: there was no connection, or no answer that tells. */
  | { state: 'unknown'; reason: string };

const TIMEOUT_MS = 5_000;
const BODY_LIMIT = 8 * 1024 * 1024;

/** `gemini` is Google's own API; all others are providers. */
export function keyToCheck(id: string, key: string, search: KeySearch): KeyToCheck {
  if (id === 'gemini') return { id, type: 'gemini', baseUrl: geminiBase(search.env), key };
  const { type, baseUrl } = providerWithKey(id, key, search);
  return { id, type, baseUrl, key };
}

/** Never throws, except when aborted. */
export async function checkKey(
  { id, type, baseUrl, key }: KeyToCheck,
  http: Pick<HttpClient, 'send'>,
  signal: AbortSignal,
): Promise<KeyCheck> {
  try {
    return await withTimeLimit(TIMEOUT_MS, signal, async (limited) => {
      const provider = { id, type, baseUrl, apiKey: key, headers: {} };
      const response = await http.send({ ...modelsRequest(provider), signal: limited });
      const text = await readText(response.body, BODY_LIMIT);
      if (response.status !== 200) return judge(response.status, text);
      const models = modelsIn(JSON.parse(text)) ?? [];
      return { state: 'works', models: models.map((model) => model.id).filter(isForConversations) };
    });
  } catch (error) {
    signal.throwIfAborted();
    return { state: 'unknown', reason: messageOf(error) };
  }
}

/** Google answers a wrong key with 400 and a reason. */
function judge(status: number, text: string): KeyCheck {
  const isRefused = status === 401 || status === 403 || (status === 400 && text.includes('API_KEY_INVALID'));
  return isRefused
    ? { state: 'refused', status }
    : { state: 'unknown', reason: `the server answered HTTP ${status}` };
}
