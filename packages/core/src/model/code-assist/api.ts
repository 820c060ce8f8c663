/** The Code Assist service, which serves those who sign in with Google. */
import { type HttpClient, type HttpResponse, readText } from '../../platform/http.js';
import { toApiError } from '../api-error.js';
import type { Authorizer } from '../auth/context.js';
import { sendAuthorized } from '../auth/send-authorized.js';
import { errorOf } from '../gemini/from-stream.js';
import { hasError } from '../gemini/parse-chunk.js';
import { parseServiceAddress } from '../service-address.js';

export interface CodeAssistOptions {
  env: NodeJS.ProcessEnv;
  authorizer: Authorizer;
  http: HttpClient;
  /** Of this program. */
  version: string;
  /** Set by the user; they win over ours. */
  customHeaders?: Record<string, string>;
}

const DEFAULT_ADDRESS = 'https://cloudcode-pa.googleapis.com';
const ANSWER_LIMIT = 64 * 1024 * 1024;

export class CodeAssistApi {
  private readonly root: string;

  constructor(private readonly options: CodeAssistOptions) {
    const { env } = options;
    const address = env['CODE_ASSIST_ENDPOINT']?.trim();
    const base = parseServiceAddress('CODE_ASSIST_ENDPOINT', address || DEFAULT_ADDRESS);
    const version = env['CODE_ASSIST_API_VERSION']?.trim() || 'v1internal';
    this.root = `${base.origin}${base.pathname.replace(/\/+$/, '')}/${encodeURIComponent(version)}`;
  }

  /** A call of a method (`loadCodeAssist`) with an answer in one piece. */
  async call(method: string, body: unknown, signal: AbortSignal): Promise<unknown> {
    return readJson(await this.post(method, [Buffer.from(JSON.stringify(body))], signal));
  }

  /** The state of a long-running operation, by its name (`operations/…`). */
  async operation(name: string, signal: AbortSignal): Promise<unknown> {
    const url = new URL(`${this.root}/${name.split('/').map(encodeURIComponent).join('/')}`);
    const { http, authorizer } = this.options;
    return readJson(
      await sendAuthorized(http, authorizer, { method: 'GET', url, headers: this.headers(), signal }),
    );
  }

  /** @param method may carry a query; @param model for the user agent. */
  post(method: string, body: Buffer[], signal: AbortSignal, model?: string): Promise<HttpResponse> {
    const { http, authorizer } = this.options;
    const url = new URL(`${this.root}:${method}`);
    return sendAuthorized(http, authorizer, {
      method: 'POST',
      url,
      headers: this.headers(model),
      body,
      signal,
    });
  }

  private headers(model?: string): Record<string, string> {
    const { env, version, customHeaders } = this.options;
    const surface = env['GEMINI_CLI_SURFACE'] || env['SURFACE'] || 'terminal';
    const product = ['GeminiCLI', version, ...(model ? [encodeURI(model)] : [])].join('/');
    return {
      'content-type': 'application/json',
      'user-agent': `${product} (${process.platform}; ${process.arch}; ${surface})`,
      ...customHeaders,
    };
  }
}

export async function readJson(response: HttpResponse): Promise<unknown> {
  if (response.status !== 200) throw await errorOf(response);
  const text = await readText(response.body, ANSWER_LIMIT);
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    throw toApiError(502, text);
  }
  // An operation that failed says so in itself; that is for its reader.
  if (hasError(value) && !isOperation(value)) throw toApiError(500, text);
  return value;
}

function isOperation(value: unknown): boolean {
  return typeof value === 'object' && value !== null && 'done' in value;
}
