/**
 * Sends one notification, and again where that may help. Targets are addresses that a client chose: only the public
 * internet, checked for every connection; no redirect is followed.
 */
import { isIP } from 'node:net';
import { createLog, messageOf, type ProxySource } from '@gemini-cli/core';
import { type Clock, HttpClient, hostProblem, NameCheck } from '@gemini-cli/core/server';
import { TaskError } from '../task-error.js';
import type { PushTarget } from './push-store.js';
import type { PushSigner } from './signing.js';

export interface PushSenderOptions {
  proxies: ProxySource;
  clock: Clock;
  signer: PushSigner;
  issuer: () => string;
  /** Addresses that count as public. Only for tests. */
  allow?: (address: string) => boolean;
  resolve?: (hostname: string) => Promise<{ address: string; family: number }[]>;
}

/** As the library's serializers make it. */
export interface PushContent {
  body: string;
  contentType: string;
}

const ATTEMPTS = 5;
const FIRST_WAIT_MS = 1_000;
const MAX_WAIT_MS = 30_000;
const LIMITS = { firstByteMs: 10_000, silenceMs: 10_000, contentMs: 10_000, totalMs: 15_000 };

const log = createLog('a2a-push');

export class PushSender {
  private readonly http: HttpClient;
  private readonly names: NameCheck;

  constructor(private readonly options: PushSenderOptions) {
    const { proxies, allow, resolve } = options;
    this.names = new NameCheck({ ...(allow && { allow }), ...(resolve && { resolve }) });
    this.http = new HttpClient(LIMITS, proxies, this.names.lookup);
  }

  /** @throws TaskError when the address can never be notified */
  async check(url: string): Promise<URL> {
    const target = URL.canParse(url) ? new URL(url) : undefined;
    if (!target || (target.protocol !== 'https:' && target.protocol !== 'http:'))
      throw refused('the address of a push notification is an http or https URL');
    if (target.username || target.password) throw refused('the URL carries a user name or password');
    const host = target.hostname.replace(/^\[(.*)\]$/, '$1');
    if (isIP(host) !== 0) {
      const problem = this.options.allow?.(host) ? undefined : hostProblem(host);
      if (problem) throw refused(`${target.hostname} is ${problem}, not on the public internet`);
      return target;
    }
    const problem = hostProblem(host);
    if (problem) throw refused(`${target.hostname} is ${problem}, not on the public internet`);
    // A name that does not resolve now may do so later; the connection checks again.
    const addresses = await this.names.resolve(host).catch(() => []);
    const refusal = this.names.refusalOf(target.hostname, addresses);
    if (refusal) throw refused(refusal.replace(/\.$/, ''));
    return target;
  }

  /** Resolves when it was taken or given up; never throws. @returns whether it was taken */
  async send({ config }: PushTarget, content: PushContent, signal: AbortSignal): Promise<boolean> {
    for (let attempt = 1; ; attempt++) {
      const problem = await this.post(config, content, signal).catch((error: unknown) => ({
        text: messageOf(error),
        isFinal: error instanceof TaskError,
      }));
      if (!problem) return true;
      const isOver = problem.isFinal || attempt === ATTEMPTS || signal.aborted;
      log.warn(`push notification of ${config.taskId}, attempt ${attempt}: ${problem.text}`);
      if (isOver) return false;
      await this.options.clock.sleep(Math.min(FIRST_WAIT_MS * 2 ** (attempt - 1), MAX_WAIT_MS), signal);
    }
  }

  close(): void {
    this.http.close();
  }

  private async post(config: PushTarget['config'], content: PushContent, signal: AbortSignal) {
    const url = await this.check(config.url);
    const body = Buffer.from(content.body);
    const headers = { ...this.headers(config, body), 'content-type': content.contentType };
    const response = await this.http.send({ method: 'POST', url, headers, body: [body], signal });
    response.dispose();
    const { status } = response;
    if (status >= 200 && status < 300) return undefined;
    return {
      text: `${url.host} answered ${status}`,
      isFinal: status < 500 && status !== 408 && status !== 429,
    };
  }

  private headers({ taskId, url, token, authentication }: PushTarget['config'], body: Buffer) {
    const { signer, issuer, clock } = this.options;
    const own = signer.token({ issuer: issuer(), audience: url, taskId, body, now: clock.now() });
    const { scheme = '', credentials = '' } = authentication ?? {};
    return {
      authorization: credentials ? `${scheme || 'Bearer'} ${credentials}` : `Bearer ${own}`,
      'x-a2a-notification-signature': own,
      ...(token && { 'x-a2a-notification-token': token }),
    };
  }
}

function refused(problem: string): TaskError {
  return new TaskError('invalid', `Push notifications are refused: ${problem}.`);
}
