/** The Code Assist service, for users who sign in with Google. */
import { type HttpClient, type HttpRequest, type HttpResponse, readText } from '../../platform/net/http.js';
import type { Authorizer } from '../auth/context.js';
import { sendAuthorized } from '../auth/send-authorized.js';
import { toConnectionError } from '../errors/connection-error.js';
import { type Asked, CODE_ASSIST, errorOf, nameOf, toGoogleError } from '../gemini/errors.js';
import { hasError } from '../gemini/parse-chunk.js';
import { parseServiceAddress } from '../wire/service-address.js';

export interface CodeAssistOptions {
  env: NodeJS.ProcessEnv;
  authorizer: Authorizer;
  http: HttpClient;
  version: string;
  /** Set by the user; they win over ours. */
  customHeaders?: Record<string, string>;
}

const DEFAULT_ADDRESS = 'https://cloudcode-pa.googleapis.com';
const ANSWER_LIMIT = 64 * 1024 * 1024;
const SERVICE_ITSELF: Asked = { service: CODE_ASSIST, model: '' };

export class CodeAssistApi {
  private readonly root: string;

  constructor(private readonly options: CodeAssistOptions) {
    const { env } = options;
    const address = env['CODE_ASSIST_ENDPOINT']?.trim();
    const base = parseServiceAddress('CODE_ASSIST_ENDPOINT', address || DEFAULT_ADDRESS);
    const version = env['CODE_ASSIST_API_VERSION']?.trim() || 'v1internal';
    this.root = `${base.origin}${base.pathname.replace(/\/+$/, '')}/${encodeURIComponent(version)}`;
  }

  /** Calls a method (`loadCodeAssist`) whose response is not streamed. */
  async call(method: string, body: unknown, signal: AbortSignal): Promise<unknown> {
    return readJson(await this.post(method, [Buffer.from(JSON.stringify(body))], signal), SERVICE_ITSELF);
  }

  /** The state of a long-running operation, by its name (`operations/…`). */
  async operation(name: string, signal: AbortSignal): Promise<unknown> {
    const url = new URL(`${this.root}/${name.split('/').map(encodeURIComponent).join('/')}`);
    const response = await this.send({ method: 'GET', url, headers: this.headers(), signal });
    return readJson(response, SERVICE_ITSELF);
  }

  /** @param method may carry a query; @param model for the user agent. */
  post(method: string, body: Buffer[], signal: AbortSignal, model?: string): Promise<HttpResponse> {
    const url = new URL(`${this.root}:${method}`);
    return this.send({ method: 'POST', url, headers: this.headers(model), body, signal }, model);
  }

  private async send(request: HttpRequest, model = ''): Promise<HttpResponse> {
    try {
      return await sendAuthorized(this.options.http, this.options.authorizer, request);
    } catch (error) {
      request.signal.throwIfAborted();
      throw toConnectionError(error, nameOf({ service: CODE_ASSIST, model }));
    }
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

export async function readJson(response: HttpResponse, asked: Asked): Promise<unknown> {
  if (response.status !== 200) throw await errorOf(response, asked);
  const text = await readText(response.body, ANSWER_LIMIT).catch((error: unknown) => {
    throw toConnectionError(error, nameOf(asked));
  });
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    throw toGoogleError(asked, 502, text);
  }
  // A failed operation carries its own error, which its reader handles.
  if (hasError(value) && !isOperation(value)) throw toGoogleError(asked, 500, text);
  return value;
}

function isOperation(value: unknown): boolean {
  return typeof value === 'object' && value !== null && 'done' in value;
}
