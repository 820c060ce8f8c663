/**
 * GET requests to URLs that the model or a page chose: only to the public internet, checked after DNS and for every
 * redirect; limited in time and size; without cookies or credentials.
 */
import { request as httpRequest, type IncomingMessage, type RequestOptions } from 'node:http';
import { isIP } from 'node:net';
import type { ProxySource } from '../environment.js';
import { hostProblem } from './address-guard.js';
import { readBoundedBody } from './bounded-body.js';
import { NameCheck, type NameCheckOptions } from './checked-lookup.js';
import { proxyFor } from './proxy.js';
import { redirectTarget } from './redirect-target.js';
import { toWebRequestError, WebRequestError } from './web-request-error.js';

export interface WebPage {
  /** After redirects. */
  url: URL;
  status: number;
  statusText: string;
  headers: Record<string, string>;
  /** Decompressed. */
  bytes: Buffer;
  /** The body was longer than the limit. */
  truncated: boolean;
}

export interface GuardedHttpOptions extends NameCheckOptions {
  userAgent: string;
  proxies: ProxySource;
  timeoutMs?: number;
  maxBytes?: number;
}

const TIMEOUT_MS = 10_000;
const MAX_BYTES = 10 * 1024 * 1024;
const MAX_REDIRECTS = 5;
/** Short, because the address is checked again when the socket connects. */
const CHECK_TIMEOUT_MS = 2_000;

export class GuardedHttp {
  private readonly names: NameCheck;

  constructor(private readonly options: GuardedHttpOptions) {
    this.names = new NameCheck(options);
  }

  /** @throws WebRequestError; the signal's reason when it aborts */
  async get(url: URL, signal: AbortSignal): Promise<WebPage> {
    const { timeoutMs = TIMEOUT_MS, maxBytes = MAX_BYTES } = this.options;
    const deadline = startDeadline(timeoutMs, url, signal);
    try {
      let current = url;
      for (let hops = 0; ; hops++) {
        const incoming = await this.request(current, deadline.signal);
        const next = redirectTarget(incoming.statusCode ?? 0, incoming.headers.location, current);
        if (!next) {
          const body = await readBoundedBody(incoming, maxBytes);
          return { url: current, ...headOf(incoming), ...body };
        }
        incoming.destroy();
        if (hops === MAX_REDIRECTS) {
          throw new WebRequestError(
            'redirect',
            `More than ${MAX_REDIRECTS} redirects, the last to ${next.host}.`,
          );
        }
        current = next;
      }
    } catch (error) {
      signal.throwIfAborted();
      throw toWebRequestError(deadline.signal.aborted ? deadline.signal.reason : error, url.host);
    } finally {
      deadline.end();
    }
  }

  /**
   * Why the URL will not be fetched, as far as known before connecting. A name that does not resolve is checked when
   * the socket connects.
   */
  async problemOf(url: URL): Promise<string | undefined> {
    const problem = this.formProblem(url);
    if (problem || isIP(bareHost(url)) !== 0) return problem;
    const timer = timeLimit(CHECK_TIMEOUT_MS);
    const addresses = await Promise.race([this.names.resolve(bareHost(url)), timer.expired]).catch(() => []);
    timer.clear();
    return this.names.refusalOf(url.hostname, addresses);
  }

  private async request(url: URL, signal: AbortSignal): Promise<IncomingMessage> {
    const problem = this.formProblem(url);
    if (problem) throw new WebRequestError('blocked', problem);
    const proxy = proxyFor(url, this.options.proxies);
    const headers = {
      'user-agent': this.options.userAgent,
      accept: 'text/html,text/markdown,text/plain,application/json;q=0.9,*/*;q=0.8',
      'accept-encoding': 'gzip, br, deflate',
    };
    if (proxy) {
      // The proxy resolves the name itself, so we can only check it beforehand; the proxy's owner decides what it
      // may reach.
      const refusal = await this.problemOf(url);
      if (refusal) throw new WebRequestError('blocked', refusal);
      const { requestThroughProxy } = await import('./proxied-request.js');
      return responseOf(await requestThroughProxy(url, proxy, { headers, signal }));
    }
    // No agent: a reused connection would skip the address check.
    const options: RequestOptions = { headers, signal, agent: false, lookup: this.names.lookup };
    if (url.protocol === 'http:') return responseOf(httpRequest(url, options));
    const https = await import('node:https');
    return responseOf(https.request(url, options));
  }

  private formProblem(url: URL): string | undefined {
    if (url.protocol !== 'http:' && url.protocol !== 'https:') return `${url.protocol} is not fetched.`;
    if (url.username || url.password) return `The URL to ${url.host} carries a user name or password.`;
    const host = bareHost(url);
    if (isIP(host) !== 0 && this.options.allow?.(host)) return undefined;
    const problem = hostProblem(host);
    return problem && `${url.hostname} is ${problem}, not on the public internet.`;
  }
}

function responseOf(outgoing: ReturnType<typeof httpRequest>): Promise<IncomingMessage> {
  return new Promise((resolve, reject) => {
    outgoing.once('response', resolve);
    outgoing.on('error', reject);
    outgoing.end();
  });
}

function headOf({ statusCode = 0, statusMessage = '', headers }: IncomingMessage) {
  const entries = Object.entries(headers).map(([name, value]) => [name, String(value)] as const);
  return { status: statusCode, statusText: statusMessage, headers: Object.fromEntries(entries) };
}

function bareHost({ hostname }: URL): string {
  return hostname.replace(/^\[(.*)\]$/, '$1');
}

/** Aborts with the caller's signal, or after the time limit for connection, redirects and body together. */
function startDeadline(timeoutMs: number, url: URL, signal: AbortSignal) {
  const controller = new AbortController();
  const expire = () =>
    controller.abort(new WebRequestError('timeout', `${url.host} took longer than ${timeoutMs / 1000} s.`));
  const timer = setTimeout(expire, timeoutMs);
  const stop = () => controller.abort(signal.reason);
  if (signal.aborted) stop();
  else signal.addEventListener('abort', stop, { once: true });
  const end = () => {
    clearTimeout(timer);
    signal.removeEventListener('abort', stop);
  };
  return { signal: controller.signal, end };
}

function timeLimit(ms: number): { expired: Promise<never[]>; clear: () => void } {
  let timer: NodeJS.Timeout | undefined;
  const expired = new Promise<never[]>((resolve) => {
    timer = setTimeout(() => resolve([]), ms);
  });
  return { expired, clear: () => clearTimeout(timer) };
}
