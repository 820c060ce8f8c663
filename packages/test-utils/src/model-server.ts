/** A scripted model over real HTTP on 127.0.0.1, speaking the Gemini protocol. */
import type { IncomingHttpHeaders, IncomingMessage, ServerResponse } from 'node:http';
import { performance } from 'node:perf_hooks';
import { LoopbackServer } from './loopback-server.js';
import { playStream, playWhole } from './model-player.js';
import { apiError, type Chunk, type Script } from './model-script.js';

export interface ModelPart extends Chunk {
  text?: string;
  functionCall?: { id?: string; name: string; args: Record<string, unknown> };
  functionResponse?: { id?: string; name: string; response: Record<string, unknown>; parts?: Chunk[] };
  inlineData?: { mimeType: string; data: string };
  thoughtSignature?: string;
}

export interface ModelRequestBody extends Chunk {
  contents: { role: string; parts: ModelPart[] }[];
  systemInstruction?: { parts: { text: string }[] };
  tools?: { functionDeclarations?: { name: string; description?: string; parametersJsonSchema?: Chunk }[] }[];
  generationConfig?: Chunk;
}

export interface RecordedRequest {
  /** From 0, over all calls. */
  index: number;
  httpMethod: string;
  /** With the query. */
  path: string;
  model: string;
  /** `streamGenerateContent`, `generateContent`, `countTokens` or `batchEmbedContents`. */
  method: string;
  headers: IncomingHttpHeaders;
  body: ModelRequestBody;
  bytes: number;
  /** `performance.now()` of this process when the request line arrived. */
  at: number;
  /** The same clock when the last byte of the answer was handed to the network. */
  answeredAt: number | undefined;
  /** Resolves when the connection's exchange is over; true if it broke off before the answer was complete. */
  hungUp: Promise<boolean>;
}

/** Chooses a reply for a request; undefined: no reply. */
export type Responder = (request: RecordedRequest) => Script | undefined;

export interface ModelServerOptions {
  /** False for thousands of turns: request bodies are counted and dropped, not parsed and kept. */
  keepBodies?: boolean;
}

export async function startModelServer(options: ModelServerOptions = {}): Promise<ModelServer> {
  const server = new ModelServer(options);
  await server.listen();
  return server;
}

export class ModelServer extends LoopbackServer<RecordedRequest> {
  /** Calls without a scripted reply. */
  readonly unexpected: RecordedRequest[] = [];
  /** Answer to `countTokens`. */
  totalTokens: (request: RecordedRequest) => number = (request) => Math.ceil(request.bytes / 4);
  /** Called for every request on arrival, before it is answered. */
  onRequest: ((request: RecordedRequest) => void) | undefined;

  private readonly queue: (Script | Responder)[] = [];
  private fallback: Responder | undefined;
  private readonly waiters: { count: number; resolve: (request: RecordedRequest) => void }[] = [];

  constructor(private readonly options: ModelServerOptions = {}) {
    super();
  }

  /** The next answers, in order: one script, or a function of the request, per model call. */
  replies(...replies: (Script | Responder)[]): this {
    this.queue.push(...replies);
    return this;
  }

  /** The same reply for `count` model calls; a function is told the number of the repetition. */
  repeat(count: number, reply: Script | ((round: number, request: RecordedRequest) => Script)): this {
    for (let round = 0; round < count; round++) {
      this.queue.push(typeof reply === 'function' ? (request) => reply(round, request) : reply);
    }
    return this;
  }

  /** The reply when the queue is empty. */
  otherwise(responder: Responder): this {
    this.fallback = responder;
    return this;
  }

  /** Number of scripted replies not requested yet. */
  remaining(): number {
    return this.queue.length;
  }

  /** Resolves with the request of this number (from 1) when it arrives. */
  waitForRequest(count = 1): Promise<RecordedRequest> {
    const existing = this.requests[count - 1];
    if (existing) return Promise.resolve(existing);
    return new Promise((resolve) => this.waiters.push({ count, resolve }));
  }

  protected async handle(incoming: IncomingMessage, response: ServerResponse): Promise<void> {
    const at = performance.now();
    const raw = await readAll(incoming);
    const closed = new AbortController();
    const hungUp = new Promise<boolean>((resolve) => {
      response.once('close', () => {
        closed.abort();
        resolve(!response.writableEnded);
      });
    });
    const request = describe(incoming, raw.length, { index: this.requests.length, at, hungUp });
    if (raw.length > 0 && this.options.keepBodies !== false) {
      request.body = JSON.parse(raw.toString('utf8')) as ModelRequestBody;
    }
    this.requests.push(request);
    this.onRequest?.(request);
    for (const waiter of this.waiters.splice(0)) {
      if (this.requests.length >= waiter.count) waiter.resolve(request);
      else this.waiters.push(waiter);
    }
    await this.answer(request, response, closed.signal);
    request.answeredAt = performance.now();
  }

  private async answer(
    request: RecordedRequest,
    response: ServerResponse,
    closed: AbortSignal,
  ): Promise<void> {
    if (request.method === 'countTokens')
      return sendJson(response, { totalTokens: this.totalTokens(request) });
    if (request.method === 'batchEmbedContents') return sendJson(response, embeddings(request));
    const next = this.queue.shift();
    const script = (typeof next === 'function' ? next(request) : next) ?? this.fallback?.(request);
    // The key of a sign-in is checked with this list.
    if (!script && request.httpMethod === 'GET' && /\/models(\?|$)/.test(request.path))
      return sendJson(response, { models: [] });
    if (!script) this.unexpected.push(request);
    const reply = script ?? [apiError(400, unscripted(request))];
    if (request.method === 'generateContent') return playWhole(reply, response, closed);
    return playStream(reply, response, closed);
  }
}

/** Not a 500: that would be retried for minutes before the test fails. */
function unscripted({ index, httpMethod, path, body }: RecordedRequest): string {
  const last = JSON.stringify(body.contents?.at(-1)?.parts ?? null).slice(0, 300);
  return `The script has no reply for call ${index + 1}: ${httpMethod} ${path}, last parts ${last}`;
}

function describe(
  incoming: IncomingMessage,
  bytes: number,
  rest: Pick<RecordedRequest, 'index' | 'at' | 'hungUp'>,
): RecordedRequest {
  const path = incoming.url ?? '';
  const [, model = '', method = ''] = /\/models\/([^/:?]+):(\w+)/.exec(path) ?? [];
  return {
    ...rest,
    httpMethod: incoming.method ?? '',
    path,
    model: decodeURIComponent(model),
    method,
    headers: incoming.headers,
    body: { contents: [] },
    bytes,
    answeredAt: undefined,
  };
}

async function readAll(incoming: IncomingMessage): Promise<Buffer> {
  const pieces: Buffer[] = [];
  for await (const piece of incoming) pieces.push(piece as Buffer);
  return Buffer.concat(pieces);
}

function sendJson(response: ServerResponse, value: unknown): void {
  response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(value));
}

function embeddings({ body }: RecordedRequest): Chunk {
  const requests = Array.isArray(body['requests']) ? body['requests'] : [];
  return { embeddings: requests.map((_, index) => ({ values: [index, 1, 0] })) };
}
