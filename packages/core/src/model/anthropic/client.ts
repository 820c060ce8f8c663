/** Models that speak the Anthropic Messages API over HTTP. */
import { UserError } from '../../base/errors.js';
import { isObject } from '../../base/objects.js';
import { type HttpClient, type HttpResponse, readText } from '../../platform/net/http.js';
import type {
  ContentGenerator,
  EmbedRequest,
  GenerateRequest,
  GenerateResponse,
} from '../content-generator.js';
import type { ApiError } from '../errors/api-error.js';
import { toConnectionError } from '../errors/connection-error.js';
import { estimateRequest } from '../offline/tokens.js';
import type { Provider } from '../providers.js';
import { type Asked, nameOf, toAnthropicError } from './errors.js';
import { StreamAccumulator } from './from-stream.js';
import { MessageReader } from './message-reader.js';
import { RequestWriter, toolNames } from './to-request.js';

const API_VERSION = '2023-06-01';
const ANSWER_LIMIT = 64 * 1024 * 1024;
const ERROR_BODY_LIMIT = 256 * 1024;
/** How often one answer may pause. */
const MAX_PAUSES = 5;

export class AnthropicApi implements ContentGenerator {
  /** For the main conversation, which is sent again with every turn. */
  private readonly writer: RequestWriter;

  constructor(
    private readonly provider: Provider,
    private readonly http: HttpClient,
    private readonly userAgent: string,
  ) {
    this.writer = new RequestWriter(provider);
  }

  async *generateContentStream(
    request: GenerateRequest,
    signal: AbortSignal,
  ): AsyncGenerator<GenerateResponse> {
    const answer = this.newAnswer(request);
    for (let pauses = 0; ; pauses++) {
      const body = this.writer.write(request, { stream: true, paused: answer.blocks });
      yield* this.readStream(
        await this.send(request.model, 'messages', signal, body),
        answer,
        request,
        signal,
      );
      if (!answer.paused) return;
      if (pauses === MAX_PAUSES) return yield* answer.giveUp();
      answer.resume();
    }
  }

  async generateContent(request: GenerateRequest, signal: AbortSignal): Promise<GenerateResponse> {
    const answer = this.newAnswer(request);
    const chunks: GenerateResponse[] = [];
    for (let pauses = 0; ; pauses++) {
      const body = new RequestWriter(this.provider).write(request, { paused: answer.blocks });
      const message = await this.call(request.model, 'messages', signal, body);
      chunks.push(...answer.addMessage(message));
      if (!answer.paused) return oneChunk(chunks);
      if (pauses === MAX_PAUSES) return oneChunk([...chunks, ...answer.giveUp()]);
      answer.resume();
    }
  }

  /** Compatible servers often cannot count; an estimate is better than nothing. */
  async countTokens(request: GenerateRequest, signal: AbortSignal): Promise<{ totalTokens: number }> {
    try {
      const body = new RequestWriter(this.provider).write(request, { countOnly: true });
      const { input_tokens: tokens } = await this.call(request.model, 'messages/count_tokens', signal, body);
      if (typeof tokens === 'number' && Number.isFinite(tokens)) return { totalTokens: tokens };
    } catch {
      signal.throwIfAborted();
    }
    return { totalTokens: estimateRequest(request) };
  }

  async embedContent(_request: EmbedRequest, _signal: AbortSignal): Promise<{ embeddings: number[][] }> {
    throw new UserError(
      `The provider "${this.provider.id}" has no embeddings. Use a Gemini model for them.`,
      { code: 'not_supported' },
    );
  }

  /** The model ids on offer, without the provider's name. */
  async listModels(signal: AbortSignal): Promise<string[]> {
    const { data } = await this.call('', 'models?limit=1000', signal);
    if (!Array.isArray(data)) return [];
    return data.flatMap((item) => (isObject(item) && typeof item['id'] === 'string' ? [item['id']] : []));
  }

  private newAnswer(request: GenerateRequest): StreamAccumulator {
    return new StreamAccumulator({ provider: this.provider.id, toolName: toolNames(request.tools) });
  }

  private async *readStream(
    response: HttpResponse,
    answer: StreamAccumulator,
    { model }: GenerateRequest,
    signal: AbortSignal,
  ): AsyncGenerator<GenerateResponse> {
    const asked = this.asked(model);
    try {
      if (response.status !== 200) throw await errorOf(asked, response);
      const reader = new MessageReader(String(response.headers['content-type'] ?? ''), answer, asked);
      response.contentArrived();
      for await (const piece of response.body) {
        for (const chunk of reader.read(piece)) yield chunk;
        if (reader.takeNews()) response.contentArrived();
      }
      for (const chunk of reader.end()) yield chunk;
    } catch (error) {
      // Node reports our own abort as a cut connection.
      signal.throwIfAborted();
      throw toConnectionError(error, nameOf(asked));
    } finally {
      response.dispose();
    }
  }

  private async call(
    model: string,
    path: string,
    signal: AbortSignal,
    body?: Buffer[],
  ): Promise<Record<string, unknown>> {
    const response = await this.send(model, path, signal, body);
    const asked = this.asked(model);
    if (response.status !== 200) throw await errorOf(asked, response);
    const text = await readText(response.body, ANSWER_LIMIT).catch((error: unknown) => {
      signal.throwIfAborted();
      throw toConnectionError(error, nameOf(asked));
    });
    const value = parsed(text);
    if (!value) throw toAnthropicError(asked, 502, text);
    if (value['type'] === 'error') throw toAnthropicError(asked, 200, text);
    return value;
  }

  private async send(
    model: string,
    path: string,
    signal: AbortSignal,
    body?: Buffer[],
  ): Promise<HttpResponse> {
    const { baseUrl, apiKey, headers } = this.provider;
    const base = baseUrl.href.replace(/\/+$/, '').replace(/\/v1$/, '');
    const sending = this.http.send({
      method: body ? 'POST' : 'GET',
      url: new URL(`${base}/v1/${path}`),
      ...(body && { body }),
      signal,
      headers: {
        'content-type': 'application/json',
        'anthropic-version': API_VERSION,
        ...(apiKey && { 'x-api-key': apiKey }),
        'user-agent': `${this.userAgent}/${encodeURI(model)} (${process.platform}; ${process.arch})`,
        ...headers,
      },
    });
    return sending.catch((error: unknown) => {
      signal.throwIfAborted();
      throw toConnectionError(error, nameOf(this.asked(model)));
    });
  }

  private asked(model: string): Asked {
    return { provider: this.provider, model };
  }
}

async function errorOf(asked: Asked, response: HttpResponse): Promise<ApiError> {
  const body = await readText(response.body, ERROR_BODY_LIMIT).catch(() => '');
  return toAnthropicError(asked, response.status, body, response.headers);
}

function parsed(text: string): Record<string, unknown> | undefined {
  try {
    const value: unknown = JSON.parse(text);
    return isObject(value) ? value : undefined;
  } catch {
    return undefined;
  }
}

/** The last chunk has the finish reason and the counts; the parts are those of all. */
function oneChunk(chunks: readonly GenerateResponse[]): GenerateResponse {
  const last = chunks.at(-1);
  const parts = chunks.flatMap((chunk) => chunk.candidates?.[0]?.content?.parts ?? []);
  const citations = chunks.flatMap((chunk) => chunk.candidates?.[0]?.citationMetadata?.citations ?? []);
  const candidate = {
    ...last?.candidates?.[0],
    content: { role: 'model' as const, parts },
    ...(citations.length > 0 && { citationMetadata: { citations } }),
  };
  return { ...last, candidates: [candidate] };
}
