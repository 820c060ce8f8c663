/** A host for tests of the web tools: a scripted small model, and a guarded client for which 127.0.0.1 is public. */
import type { Candidate } from '../model/content-generator.js';
import type { UtilityModel, UtilityRequest } from '../model/utility/utility-model.js';
import type { Clock } from '../platform/clock.js';
import { processEnvironment } from '../platform/environment.js';
import { GuardedHttp, type GuardedHttpOptions } from '../platform/net/guarded-http.js';
import type { WebHost, WebSearchService } from './web-host.js';

interface ScriptedAnswer {
  text: string;
  candidate?: Partial<Candidate>;
}

type Script = (request: UtilityRequest) => ScriptedAnswer | Error;

class ScriptedUtility implements UtilityModel {
  readonly requests: UtilityRequest[] = [];

  constructor(public script: Script = () => ({ text: 'answer' })) {}

  async generateText(request: UtilityRequest, signal: AbortSignal) {
    this.requests.push(request);
    const answer = this.script(request);
    signal.throwIfAborted();
    if (answer instanceof Error) throw answer;
    const content = { role: 'model' as const, parts: [{ text: answer.text }] };
    const response = { candidates: [{ content, ...answer.candidate }] };
    return { text: answer.text.trim(), response, model: 'small' };
  }

  async generateJson(): Promise<never> {
    throw new Error('The web tools ask for no JSON.');
  }

  /** The aliases that were asked, in order. */
  get aliases(): string[] {
    return this.requests.map(({ alias }) => alias);
  }

  /** What the last request said. */
  get lastText(): string {
    return this.requests.at(-1)?.messages[0]?.parts[0]?.text ?? '';
  }
}

export class WebFixture implements WebHost {
  readonly utility = new ScriptedUtility();
  model = 'gemini-3-flash-preview';
  direct = false;
  service: WebSearchService | undefined;

  getUtilityModel = () => this.utility;
  getModel = () => this.model;
  getSessionId = () => 'session';
  getEnvironment = () => processEnvironment();
  isDirectWebFetch = () => this.direct;
  getWebSearchService = () => this.service;
}

export class ManualClock implements Clock {
  time = 0;
  readonly slept: number[] = [];
  now = () => this.time;

  async sleep(ms: number): Promise<void> {
    this.slept.push(ms);
    this.time += ms;
  }
}

/** Names lead nowhere unless `resolve` says so: tests do not depend on a network. */
export function loopbackHttp(options: Partial<GuardedHttpOptions> = {}): GuardedHttp {
  return new GuardedHttp({
    userAgent: 'test-agent/1.0',
    proxies: { variables: {} },
    allow: (address) => address === '127.0.0.1',
    resolve: async () => [],
    ...options,
  });
}
