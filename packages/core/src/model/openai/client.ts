/** Models behind an OpenAI-compatible server: OpenAI, OpenRouter, Ollama, LM Studio, llama.cpp, vLLM and others. */
import { isObject } from '../../base/objects.js';
import type { HttpClient, HttpResponse } from '../../platform/net/http.js';
import { readText } from '../../platform/net/http.js';
import type {
  ContentGenerator,
  EmbedRequest,
  GenerateRequest,
  GenerateResponse,
} from '../content-generator.js';
import { partsOf } from '../content-generator.js';
import { chunksOf } from '../gemini/merge-chunks.js';
import type { Provider } from '../providers.js';
import { SseParser } from '../wire/sse.js';
import { wireJson } from '../wire/wire-json.js';
import { type Dialect, firstDialect, learnFrom } from './dialect.js';
import { connectionError, errorOf, noAnswerError, toProviderError } from './errors.js';
import { estimateTokens } from './estimate.js';
import { ChatAccumulator } from './from-stream.js';
import { ChatRequestWriter } from './to-request.js';

const ANSWER_LIMIT = 64 * 1024 * 1024;
/** How long to wait for the end of the connection after the last payload. */
const CLOSING_MS = 500;

export class OpenAiApi implements ContentGenerator {
  /** For the main conversation, which is sent again with every turn. */
  private readonly writer = new ChatRequestWriter();
  /** What the server is known to support, by model. */
  private readonly dialects = new Map<string, Dialect>();

  constructor(
    private readonly provider: Provider,
    private readonly http: HttpClient,
    private readonly userAgent: string,
    /** Called once when a model turns out to take no tools. */
    private readonly onNotice: (message: string) => void = () => {},
  ) {}

  async *generateContentStream(
    request: GenerateRequest,
    signal: AbortSignal,
  ): AsyncGenerator<GenerateResponse> {
    const response = await this.ask(request, this.writer, true, signal);
    const answer = this.accumulator(request);
    let closing: NodeJS.Timeout | undefined;
    try {
      const type = String(response.headers['content-type'] ?? '');
      if (!type.includes('event-stream')) {
        yield* this.wholeAnswer(await readText(response.body, ANSWER_LIMIT), type, answer, request.model);
        return;
      }
      const parser = new SseParser();
      response.contentArrived();
      for await (const piece of untilDone(response.body, answer)) {
        for (const chunk of chunksOf(parser.feed(piece), (payload) => answer.add(payload))) yield chunk;
        if (answer.takeNews() || parser.isInPayload) response.contentArrived();
        if (answer.isDone) closing ??= setTimeout(() => response.dispose(), CLOSING_MS);
      }
      for (const payload of parser.finish()) yield* answer.add(payload);
      yield* answer.finish();
    } catch (error) {
      // Node reports our own abort as a cut connection.
      signal.throwIfAborted();
      throw connectionError(error, this.provider, request.model);
    } finally {
      clearTimeout(closing);
      response.dispose();
    }
  }

  async generateContent(request: GenerateRequest, signal: AbortSignal): Promise<GenerateResponse> {
    const response = await this.ask(request, new ChatRequestWriter(), false, signal);
    const type = String(response.headers['content-type'] ?? '');
    const text = await this.textOf(response, request.model, signal);
    return joined(this.wholeAnswer(text, type, this.accumulator(request), request.model));
  }

  async countTokens(request: GenerateRequest): Promise<{ totalTokens: number }> {
    return { totalTokens: estimateTokens(request) };
  }

  async embedContent(request: EmbedRequest, signal: AbortSignal): Promise<{ embeddings: number[][] }> {
    const { model, texts } = request;
    const body = [Buffer.from(wireJson({ model, input: texts }))];
    const data = await this.list('POST', 'embeddings', model, signal, body);
    const embeddings: number[][] = texts.map(() => []);
    for (const [position, item] of data.entries()) {
      const { index = position, embedding } = item as { index?: unknown; embedding?: unknown };
      if (typeof index === 'number' && index in embeddings && isNumbers(embedding))
        embeddings[index] = embedding;
    }
    return { embeddings };
  }

  /** The names of the models that the server offers. */
  async listModels(signal: AbortSignal): Promise<string[]> {
    const data = await this.list('GET', 'models', '', signal);
    return data.flatMap((item) => {
      const { id } = item as { id?: unknown };
      return typeof id === 'string' ? [id] : [];
    });
  }

  /** The response with status 200. Options that a server refuses are left out from then on. */
  private async ask(
    request: GenerateRequest,
    writer: ChatRequestWriter,
    stream: boolean,
    signal: AbortSignal,
  ): Promise<HttpResponse> {
    const { model, tools = [] } = request;
    for (;;) {
      const dialect = this.dialectOf(model);
      const body = writer.write(request, this.provider, dialect, stream);
      const response = await this.send('POST', 'chat/completions', model, signal, body);
      if (response.status === 200) return response;
      const error = await errorOf(response, this.provider, model);
      const learned = learnFrom(error, dialect);
      if (!learned) throw error;
      this.dialects.set(model, learned);
      if (dialect.tools && !learned.tools) {
        if (tools.length === 0) throw error;
        this.onNotice(
          `The model does not support tools: ${this.provider.id}/${model} can only chat. ${error.message}`,
        );
      }
    }
  }

  private dialectOf(model: string): Dialect {
    return this.dialects.get(model) ?? firstDialect(this.provider);
  }

  private accumulator({ model, tools = [] }: GenerateRequest): ChatAccumulator {
    return new ChatAccumulator(this.provider.id, this.dialectOf(model).tools ? tools : [], (payload) =>
      toProviderError(200, payload, this.provider, model),
    );
  }

  /** An answer in one document, or a stream with another content type. */
  private wholeAnswer(
    text: string,
    type: string,
    answer: ChatAccumulator,
    model: string,
  ): GenerateResponse[] {
    if (/^\s*(data:|:)/.test(text)) {
      const parser = new SseParser();
      const payloads = [...parser.feed(Buffer.from(text)), ...parser.finish()];
      return [...payloads.flatMap((payload) => answer.add(payload)), ...answer.finish()];
    }
    const noAnswer = () => noAnswerError(this.provider, model, type);
    const document = parseDocument(text, noAnswer);
    const chunks = answer.add(text);
    if (!Array.isArray(document['choices'])) throw noAnswer();
    return [...chunks, ...answer.finish()];
  }

  private async list(
    method: 'GET' | 'POST',
    path: string,
    model: string,
    signal: AbortSignal,
    body?: Buffer[],
  ): Promise<object[]> {
    const response = await this.send(method, path, model, signal, body);
    if (response.status !== 200) throw await errorOf(response, this.provider, model || path);
    const type = String(response.headers['content-type'] ?? '');
    const text = await this.textOf(response, model, signal);
    const document = parseDocument(text, () => noAnswerError(this.provider, model || path, type));
    if (document['error']) throw toProviderError(200, text, this.provider, model || path);
    const data = Array.isArray(document['data']) ? document['data'] : [];
    return data.filter((item) => typeof item === 'object' && item !== null);
  }

  private async send(
    method: 'GET' | 'POST',
    path: string,
    model: string,
    signal: AbortSignal,
    body?: Buffer[],
  ): Promise<HttpResponse> {
    const { baseUrl, apiKey, headers } = this.provider;
    const url = new URL(baseUrl);
    url.pathname = `${baseUrl.pathname.replace(/\/+$/, '')}/${path}`;
    const agent = model ? `${this.userAgent}/${encodeURI(model)}` : this.userAgent;
    try {
      return await this.http.send({
        method,
        url,
        body,
        signal,
        headers: {
          ...(body && { 'content-type': 'application/json' }),
          'user-agent': `${agent} (${process.platform}; ${process.arch})`,
          ...(apiKey && { authorization: `Bearer ${apiKey}` }),
          ...headers,
        },
      });
    } catch (error) {
      signal.throwIfAborted();
      throw connectionError(error, this.provider, model);
    }
  }

  private async textOf(response: HttpResponse, model: string, signal: AbortSignal): Promise<string> {
    try {
      return await readText(response.body, ANSWER_LIMIT);
    } catch (error) {
      signal.throwIfAborted();
      throw connectionError(error, this.provider, model);
    }
  }
}

/** The body; after the last payload it does not matter how it ends. */
async function* untilDone(body: AsyncIterable<Buffer>, answer: ChatAccumulator): AsyncGenerator<Buffer> {
  try {
    yield* body;
  } catch (error) {
    if (!answer.isDone) throw error;
  }
}

function parseDocument(text: string, noAnswer: () => Error): Record<string, unknown> {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    throw noAnswer();
  }
  if (!isObject(value)) throw noAnswer();
  return value;
}

/** All chunks of an answer as one. */
function joined(chunks: readonly GenerateResponse[]): GenerateResponse {
  const last = chunks.at(-1) ?? {};
  const parts = chunks.flatMap(partsOf);
  return { ...last, candidates: [{ ...last.candidates?.[0], content: { role: 'model', parts } }] };
}

function isNumbers(value: unknown): value is number[] {
  return Array.isArray(value) && value.every((item) => typeof item === 'number');
}
