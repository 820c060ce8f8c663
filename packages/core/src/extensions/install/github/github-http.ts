/** Requests to GitHub: its API and the files of releases. The user's token goes to GitHub and nowhere else. */
import { createWriteStream } from 'node:fs';
import { Readable, Transform } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { messageOf, UserError } from '../../../base/errors.js';
import { type Environment, ownVariables } from '../../../platform/environment.js';
import { HttpClient, type HttpResponse, readText } from '../../../platform/net/http.js';
import { redirectTarget } from '../../../platform/net/redirect-target.js';
import { VERSION } from '../../../platform/version.js';
import type { ChosenFile } from './assets.js';

/** GitHub cannot be asked, or refuses. */
export class GithubError extends UserError {
  override readonly name = 'GithubError';
  override readonly code = 'github';
}

const DEFAULT_API = 'https://api.github.com';
/** For tests, and for an own GitHub server. A project cannot set it: the token would go there. */
const API_VARIABLE = 'GEMINI_CLI_GITHUB_API_URL';
const MAX_ANSWER_BYTES = 8 * 1024 * 1024;
const MAX_REDIRECTS = 5;

export interface GithubLimits {
  /** Until an answer begins, and between two pieces of it. */
  silenceMs: number;
  /** For a file. */
  totalMs: number;
  /** For an answer of the API. */
  answerMs?: number;
}

const LIMITS: GithubLimits = { silenceMs: 10_000, totalMs: 10 * 60_000 };
const ANSWER_MS = 30_000;

export class GithubHttp {
  private readonly answers: HttpClient;
  private readonly files: HttpClient;
  private readonly api: URL;
  private readonly token: string | undefined;

  constructor(
    environment: Environment,
    private readonly signal: AbortSignal = new AbortController().signal,
    { silenceMs, totalMs, answerMs = ANSWER_MS }: GithubLimits = LIMITS,
  ) {
    const variables = ownVariables(environment);
    const silence = { firstByteMs: silenceMs, silenceMs };
    this.answers = new HttpClient({ ...silence, totalMs: Math.min(totalMs, answerMs) }, environment);
    this.files = new HttpClient({ ...silence, totalMs }, environment);
    const address = variables[API_VARIABLE] || DEFAULT_API;
    if (!URL.canParse(address)) throw new GithubError(`${API_VARIABLE} is not a URL: ${address}`);
    this.api = new URL(address.endsWith('/') ? address : `${address}/`);
    this.token = githubToken(variables);
  }

  /** @returns undefined when GitHub has nothing there */
  async getJson(path: string): Promise<unknown> {
    const { response, url } = await this.get(
      new URL(path, this.api),
      'application/vnd.github+json',
      this.answers,
    );
    try {
      if (response.status === 404) return undefined;
      requireSuccess(response, url);
      return JSON.parse(await readText(response.body, MAX_ANSWER_BYTES));
    } catch (error) {
      throw this.worded(error, url);
    } finally {
      response.dispose();
    }
  }

  async download({ url: open, apiUrl }: ChosenFile, file: string, maxBytes: number): Promise<void> {
    // Only the API gives files of private repositories; without a token it allows few requests.
    const address = apiUrl && this.token && this.isOurs(new URL(apiUrl)) ? apiUrl : open;
    const { response, url } = await this.get(new URL(address), 'application/octet-stream', this.files);
    try {
      requireSuccess(response, url);
      await pipeline(Readable.from(response.body), upTo(maxBytes), createWriteStream(file, { flags: 'wx' }));
    } catch (error) {
      throw this.worded(error, url);
    } finally {
      response.dispose();
    }
  }

  close(): void {
    this.answers.close();
    this.files.close();
  }

  private async get(
    first: URL,
    accept: string,
    client: HttpClient,
  ): Promise<{ response: HttpResponse; url: URL }> {
    let url = first;
    try {
      for (let hops = 0; ; hops++) {
        const headers = { 'user-agent': `gemini-cli/${VERSION}`, accept, ...this.authorization(url) };
        const response = await client.send({ method: 'GET', url, headers, signal: this.signal });
        const { location } = response.headers;
        const next = redirectTarget(response.status, Array.isArray(location) ? location[0] : location, url);
        if (!next) return { response, url };
        response.dispose();
        if (hops === MAX_REDIRECTS || !/^https?:$/.test(next.protocol))
          throw new GithubError(`${url.host} redirects too often, or to an address that is not http.`);
        url = next;
      }
    } catch (error) {
      throw this.worded(error, url);
    }
  }

  /** Decided for each address of a redirect anew. */
  private authorization(url: URL): Record<string, string> {
    return this.token && this.isOurs(url) ? { authorization: `Bearer ${this.token}` } : {};
  }

  private isOurs({ origin }: URL): boolean {
    return origin === this.api.origin || origin === 'https://github.com';
  }

  private worded(error: unknown, url: URL): Error {
    if (this.signal.aborted || error instanceof GithubError)
      return error instanceof Error ? error : new GithubError(messageOf(error));
    return new GithubError(`Cannot read from ${url.host}: ${messageOf(error)}`, { cause: error });
  }
}

export function githubToken(variables: Readonly<Record<string, string | undefined>>): string | undefined {
  const token = variables['GITHUB_TOKEN']?.trim();
  return token && /^[\x21-\x7e]+$/.test(token) ? token : undefined;
}

function requireSuccess({ status, headers }: HttpResponse, { host }: URL): void {
  if (status >= 200 && status < 300) return;
  const isLimit = status === 429 || (status === 403 && headers['x-ratelimit-remaining'] === '0');
  const advice = isLimit ? ' Too many requests; set GITHUB_TOKEN or wait an hour.' : '';
  throw new GithubError(`${host} answered with status ${status}.${advice}`);
}

function upTo(maxBytes: number): Transform {
  let size = 0;
  return new Transform({
    transform(chunk: Buffer, _encoding, done) {
      size += chunk.length;
      if (size <= maxBytes) return done(null, chunk);
      done(new GithubError(`the file is larger than ${Math.round(maxBytes / 1024 / 1024)} MB`));
    },
  });
}
