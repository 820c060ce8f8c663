/** Fetches pages: a few at a time, tried again where that may help. */
import { type BackoffRule, backoffDelay } from '../../base/backoff.js';
import { mapLimited } from '../../base/concurrency.js';
import type { Clock } from '../../platform/clock.js';
import type { GuardedHttp, WebPage } from '../../platform/net/guarded-http.js';
import { toWebRequestError } from '../../platform/net/web-request-error.js';

export type LoadedPage = { url: URL; page: WebPage } | { url: URL; problem: string };

type Attempt = { url: URL; page: WebPage } | { url: URL; problem: string; mayPass: boolean };

export interface PageFetcher {
  load(urls: readonly URL[], signal: AbortSignal): Promise<LoadedPage[]>;
}

const MAX_AT_ONCE = 5;
const MAX_ATTEMPTS = 3;
const BACKOFF: BackoffRule = { initialMs: 500, maxMs: 4_000 };
const PASSING = new Set([429, 500, 502, 503, 504]);

export class PageLoader implements PageFetcher {
  constructor(
    private readonly http: GuardedHttp,
    private readonly clock: Clock,
    private readonly random: () => number,
  ) {}

  /** In the order of the URLs. */
  load(urls: readonly URL[], signal: AbortSignal): Promise<LoadedPage[]> {
    return mapLimited(urls, MAX_AT_ONCE, (url) => this.loadOne(url, signal));
  }

  private async loadOne(url: URL, signal: AbortSignal): Promise<LoadedPage> {
    for (let attempt = 1; ; attempt++) {
      const result = await this.attempt(url, signal);
      const mayPass = 'page' in result ? PASSING.has(result.page.status) : result.mayPass;
      if (!mayPass || attempt === MAX_ATTEMPTS) return result;
      await this.clock.sleep(backoffDelay(BACKOFF, attempt, this.random()), signal);
      signal.throwIfAborted();
    }
  }

  private async attempt(url: URL, signal: AbortSignal): Promise<Attempt> {
    try {
      return { url, page: await this.http.get(url, signal) };
    } catch (error) {
      signal.throwIfAborted();
      const { problem, message } = toWebRequestError(error, url.host);
      // A page that timed out is not tried again.
      return { url, problem: message, mayPass: problem === 'network' };
    }
  }
}
