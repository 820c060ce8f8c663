/** Models that speak the Gemini protocol over HTTP: the Gemini API, a gateway in its place, Vertex. */
import type { HttpClient, HttpResponse } from '../../platform/net/http.js';
import { readText } from '../../platform/net/http.js';
import type { Authorizer } from '../auth/context.js';
import { sendAuthorized } from '../auth/send-authorized.js';
import type {
  ContentGenerator,
  EmbedRequest,
  GenerateRequest,
  GenerateResponse,
} from '../content-generator.js';
import { toConnectionError } from '../errors/connection-error.js';
import { checkResponse } from '../wire/check-response.js';
import { wireJson } from '../wire/wire-json.js';
import type { ModelAddress } from './endpoint.js';
import { type Asked, errorOf, GEMINI_API, type GoogleService, nameOf, toGoogleError } from './errors.js';
import { ChunkReader } from './from-stream.js';
import { hasError } from './parse-chunk.js';
import { markSignatures } from './signature.js';
import { RequestWriter } from './to-request.js';

export interface GeminiEndpoint {
  address: ModelAddress;
  /** The endpoint's name in messages; absent: the Gemini API's. */
  service?: GoogleService;
  /** Marks its thought signatures if it is not the signed-in Google service. */
  signatureOwner?: string;
  authorizer: Authorizer;
  /** Set by the user; they win over ours. */
  customHeaders: Record<string, string>;
  /** `GeminiCLI/<version>`; model and platform are added per request. */
  userAgent: string;
  /** The program's host, if set: `GEMINI_CLI_SURFACE`. */
  surface?: string;
}

const ANSWER_LIMIT = 64 * 1024 * 1024;

export class GeminiApi implements ContentGenerator {
  /** For the main conversation, which is sent again with every turn. */
  private readonly writer: RequestWriter;

  constructor(
    private readonly endpoint: GeminiEndpoint,
    private readonly http: HttpClient,
  ) {
    this.writer = new RequestWriter(endpoint.signatureOwner);
  }

  async *generateContentStream(
    request: GenerateRequest,
    signal: AbortSignal,
  ): AsyncGenerator<GenerateResponse> {
    const body = this.writer.write(request);
    const response = await this.post(request.model, 'streamGenerateContent?alt=sse', body, signal);
    const asked = this.asked(request.model, request.tools);
    try {
      const reader = await ChunkReader.open(response, asked);
      response.contentArrived();
      // No generator in between: each one costs time with every chunk.
      for await (const piece of response.body) {
        for (const chunk of reader.read(piece)) yield this.marked(chunk);
        if (reader.takeNews()) response.contentArrived();
      }
      for (const chunk of reader.end()) yield this.marked(chunk);
    } catch (error) {
      // Node reports our own abort as a cut connection.
      signal.throwIfAborted();
      throw toConnectionError(error, nameOf(asked));
    } finally {
      response.dispose();
    }
  }

  async generateContent(request: GenerateRequest, signal: AbortSignal): Promise<GenerateResponse> {
    const body = new RequestWriter(this.endpoint.signatureOwner).write(request);
    return checkResponse(await this.call(request.model, 'generateContent', body, signal)) ?? {};
  }

  async countTokens(request: GenerateRequest, signal: AbortSignal): Promise<{ totalTokens: number }> {
    const { model, messages, role, promptId } = request;
    const body = new RequestWriter(this.endpoint.signatureOwner).write({ model, messages, role, promptId });
    const answer = (await this.call(request.model, 'countTokens', body, signal)) as { totalTokens?: number };
    return { totalTokens: answer.totalTokens ?? 0 };
  }

  async embedContent(request: EmbedRequest, signal: AbortSignal): Promise<{ embeddings: number[][] }> {
    const model = `models/${request.model}`;
    const requests = request.texts.map((text) => ({ model, content: { parts: [{ text }] } }));
    const answer = (await this.call(
      request.model,
      'batchEmbedContents',
      [Buffer.from(wireJson({ requests }))],
      signal,
    )) as { embeddings?: { values?: number[] }[] };
    return { embeddings: (answer.embeddings ?? []).map((item) => item.values ?? []) };
  }

  private async call(model: string, method: string, body: Buffer[], signal: AbortSignal): Promise<unknown> {
    const response = await this.post(model, method, body, signal);
    const asked = this.asked(model);
    if (response.status !== 200) throw await errorOf(response, asked);
    try {
      const text = await readText(response.body, ANSWER_LIMIT);
      const value = parsed(text);
      if (value === undefined) throw toGoogleError(asked, 502, text);
      if (hasError(value)) throw toGoogleError(asked, 500, text);
      return value;
    } catch (error) {
      signal.throwIfAborted();
      throw toConnectionError(error, nameOf(asked));
    }
  }

  private marked(chunk: GenerateResponse): GenerateResponse {
    const { signatureOwner } = this.endpoint;
    if (signatureOwner !== undefined) markSignatures(chunk, signatureOwner);
    return chunk;
  }

  private asked(model: string, tools?: GenerateRequest['tools']): Asked {
    return { service: this.endpoint.service ?? GEMINI_API, model, ...(tools && { tools }) };
  }

  private async post(
    model: string,
    method: string,
    body: Buffer[],
    signal: AbortSignal,
  ): Promise<HttpResponse> {
    const { address, authorizer, customHeaders, userAgent, surface = 'terminal' } = this.endpoint;
    const sending = sendAuthorized(this.http, authorizer, {
      method: 'POST',
      url: address(model, method),
      body,
      signal,
      headers: {
        'content-type': 'application/json',
        // Any name can be a model's, but not every character is valid in a header.
        'user-agent': `${userAgent}/${encodeURI(model)} (${process.platform}; ${process.arch}; ${surface})`,
        ...customHeaders,
      },
    });
    return sending.catch((error: unknown) => {
      signal.throwIfAborted();
      throw toConnectionError(error, nameOf(this.asked(model)));
    });
  }
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
