/**
 * The search service the user has set (`tools.webSearch`), for models without a search of their own. It may run on
 * this machine, so local addresses are allowed; redirects are not followed, because of the key.
 */
import { headOf } from '../../base/cut-text.js';
import type { ProxySource, Variables } from '../../platform/environment.js';
import { hostProblem } from '../../platform/net/address-guard.js';
import { HttpClient, readText } from '../../platform/net/http.js';
import { TimeLimitError, withTimeLimit } from '../../platform/time-limit.js';
import { type WebSearchService, webUserAgent } from '../web-host.js';
import { type CitedText, sourceLine } from './citations.js';

const TIMEOUT_MS = 10_000;
const MAX_ANSWER_BYTES = 2 * 1024 * 1024;
const MAX_RESULTS = 10;
const MAX_SNIPPET = 1_000;

interface Result {
  title: string;
  url: string;
  snippet: string;
}

/** @throws with a sentence that says what is wrong with the service */
export async function askSearchService(
  service: WebSearchService,
  query: string,
  environment: ProxySource,
  signal: AbortSignal,
): Promise<CitedText> {
  const results = (await request(service, query, environment, signal)).slice(0, MAX_RESULTS);
  const text = results.map(({ title, snippet }, index) => `${title}\n${snippet} [${index + 1}]`).join('\n\n');
  return { text, sources: results.map(({ title, url }, index) => sourceLine(index + 1, title, url)) };
}

async function request(
  service: WebSearchService,
  query: string,
  environment: ProxySource,
  signal: AbortSignal,
): Promise<Result[]> {
  const url = addressOf(service.endpoint, query);
  const headers = {
    accept: 'application/json',
    'user-agent': webUserAgent(),
    ...keyHeaders(service, url, environment.variables),
  };
  const http = new HttpClient({}, environment);
  try {
    return await withTimeLimit(TIMEOUT_MS, signal, async (limited) => {
      const response = await http.send({ method: 'GET', url, headers, signal: limited });
      const body = await readText(response.body, MAX_ANSWER_BYTES);
      response.dispose();
      if (response.status !== 200) throw new Error(`${url.host} answered with HTTP ${response.status}`);
      return readResults(body, url.host);
    });
  } catch (error) {
    if (!(error instanceof TimeLimitError)) throw error;
    throw new Error(`${url.host} did not answer within ${TIMEOUT_MS / 1000} s`, { cause: error });
  } finally {
    http.close();
  }
}

function addressOf(endpoint: string, query: string): URL {
  const filled = endpoint.replaceAll('{query}', encodeURIComponent(query));
  const url = URL.canParse(filled) ? new URL(filled) : undefined;
  if (!url || !/^https?:$/.test(url.protocol)) {
    throw new Error(`tools.webSearch.endpoint is no http(s) URL: "${endpoint}"`);
  }
  if (!endpoint.includes('{query}')) url.searchParams.set('q', query);
  return url;
}

function keyHeaders({ apiKeyEnv }: WebSearchService, url: URL, variables: Variables): Record<string, string> {
  const key = apiKeyEnv ? variables[apiKeyEnv]?.trim() : undefined;
  if (apiKeyEnv && !key) throw new Error(`the search service needs a key: set ${apiKeyEnv}`);
  if (!key) return {};
  const host = url.hostname.replace(/^\[(.*)\]$/, '$1');
  if (url.protocol === 'http:' && hostProblem(host) === undefined) {
    throw new Error('a key is not sent over plain http: use https in tools.webSearch.endpoint');
  }
  // Brave's own service reads its key from a header of its own.
  const isBrave = /(^|\.)search\.brave\.com$/.test(host);
  return isBrave ? { 'x-subscription-token': key } : { authorization: `Bearer ${key}` };
}

/** The forms of SearXNG (`results`) and of Brave (`web.results`). */
function readResults(body: string, host: string): Result[] {
  let answer: unknown;
  try {
    answer = JSON.parse(body);
  } catch {
    throw new Error(`${host} did not answer with JSON (SearXNG needs "format=json" in the endpoint)`);
  }
  const fields = (answer ?? {}) as { results?: unknown; web?: { results?: unknown } | null };
  const list = fields.results ?? fields.web?.results;
  if (!Array.isArray(list)) throw new Error(`${host} answered without a list of results`);
  return list.flatMap((item: unknown) => {
    const { title, url, content, description } = (item ?? {}) as Record<string, unknown>;
    if (typeof url !== 'string' || !/^https?:\/\//i.test(url)) return [];
    return [{ url, title: plain(title) || url, snippet: plain(content ?? description) }];
  });
}

/** Services mark the words that were found with tags. */
function plain(value: unknown): string {
  if (typeof value !== 'string') return '';
  const text = value.slice(0, MAX_SNIPPET * 2).replace(/<\/?[a-z]{1,10}>/gi, '');
  return headOf(text.replace(/\s+/g, ' ').trim(), MAX_SNIPPET);
}
