/** One call of `web_fetch`: which pages may be read, who reads them, and what the model is told. */
import { messageOf } from '../../base/errors.js';
import { systemClock } from '../../platform/clock.js';
import { createLog } from '../../platform/log.js';
import { GuardedHttp } from '../../platform/net/guarded-http.js';
import { ToolErrorType } from '../tool-error.js';
import { type ToolResult, toolFailure } from '../tools.js';
import { reachesWebItself, webUserAgent } from '../web-host.js';
import { answerByProvider } from './answer-by-provider.js';
import { answerFromPages } from './answer-from-pages.js';
import { type LeftOut, notesOn } from './left-out.js';
import { type PageFetcher, PageLoader } from './page-loader.js';
import { type FetchRequest, readRequest, type WebFetchParams } from './params.js';
import { showPages } from './show-pages.js';
import { urlKey } from './urls.js';
import type { WebFetchContext } from './web-fetch.js';

const log = createLog('web-fetch');

export async function runWebFetch(
  context: WebFetchContext,
  params: WebFetchParams,
  signal: AbortSignal,
): Promise<ToolResult> {
  const request = readRequest(params);
  if ('problem' in request) return toolFailure(request.problem, ToolErrorType.WEB_FETCH_NO_URL_IN_PROMPT);
  const { host, ports } = context;
  const proxies = host.getEnvironment();
  const http = ports.http ?? new GuardedHttp({ userAgent: webUserAgent(), proxies });
  const loader = new PageLoader(http, ports.clock ?? systemClock, ports.random ?? Math.random);
  try {
    return await fetchAll(context, request, http, loader, signal);
  } catch (error) {
    if (signal.aborted) {
      return toolFailure('The web fetch was cancelled.', ToolErrorType.WEB_FETCH_PROCESSING_ERROR);
    }
    log.error('web fetch failed', error);
    const message = `The pages could not be processed: ${messageOf(error)}`;
    return toolFailure(message, ToolErrorType.WEB_FETCH_PROCESSING_ERROR);
  }
}

async function fetchAll(
  context: WebFetchContext,
  request: FetchRequest,
  http: GuardedHttp,
  loader: PageFetcher,
  signal: AbortSignal,
): Promise<ToolResult> {
  const { host } = context;
  const { urls, leftOut } = await choose(context, request, http);
  signal.throwIfAborted();
  if (urls.length === 0) {
    return toolFailure(`No page was fetched.${notesOn(leftOut)}`, ToolErrorType.WEB_FETCH_PROCESSING_ERROR);
  }
  if (!request.hasPrompt || host.isDirectWebFetch?.()) return showPages(urls, leftOut, loader, signal);
  const prompt = promptFor(request, leftOut);
  if (reachesWebItself(host.getModel())) {
    const answer = await answerByProvider(host, prompt, urls, leftOut, signal);
    if (answer) return answer;
    host.getTelemetry?.().event('gemini_cli.web_fetch_fallback_attempt', { reason: 'primary_failed' });
  }
  return answerFromPages(host, prompt, urls, leftOut, loader, signal);
}

/** Leaves out private addresses and hosts over the rate limit. */
async function choose({ rate }: WebFetchContext, request: FetchRequest, http: GuardedHttp) {
  const problems = await Promise.all(request.urls.map((url) => http.problemOf(url)));
  const urls: URL[] = [];
  const leftOut: LeftOut[] = [];
  request.urls.forEach((url, index) => {
    const problem = problems[index];
    const waitMs = problem ? 0 : rate.take(url.hostname);
    if (problem) leftOut.push({ url, reason: `Blocked: ${problem}` });
    else if (waitMs > 0) leftOut.push({ url, reason: tooOften(url, waitMs) });
    else urls.push(url);
  });
  return { urls, leftOut };
}

function tooOften({ hostname }: URL, waitMs: number): string {
  return `Rate limit exceeded: ${hostname} was asked 10 times within a minute. Try again in ${Math.ceil(waitMs / 1000)} s.`;
}

/** The caller's text, with the URLs as they are fetched. */
function promptFor({ text, found }: FetchRequest, leftOut: readonly LeftOut[]): string {
  const missing = new Set(leftOut.map(({ url }) => urlKey(url)));
  let prompt = '';
  let at = 0;
  for (const { raw, start, url } of found) {
    prompt += text.slice(at, start) + (missing.has(urlKey(url)) ? '[page left out]' : url.href);
    at = start + raw.length;
  }
  return prompt + text.slice(at);
}
