/** A scripted model over real HTTP on 127.0.0.1, speaking the OpenAI chat protocol. */
import type { IncomingHttpHeaders, IncomingMessage, ServerResponse } from 'node:http';
import { onTestFinished } from 'vitest';
import { LoopbackServer } from './loopback-server.js';
import {
  type Chunk,
  encodeEvent,
  respond,
  type Script,
  type Step,
  type UsageCounts,
} from './model-script.js';

export interface OpenAiMessage {
  role: string;
  content?: string | Chunk[] | null;
  tool_calls?: { id: string; type: string; function: { name: string; arguments: string } }[];
  tool_call_id?: string;
}

export interface OpenAiBody extends Chunk {
  model: string;
  messages: OpenAiMessage[];
  stream?: boolean;
  tools?: { type: string; function: { name: string; description?: string; parameters: Chunk } }[];
}

export interface OpenAiRequest {
  httpMethod: string;
  path: string;
  headers: IncomingHttpHeaders;
  body: OpenAiBody;
}

type OpenAiReply = Script | ((request: OpenAiRequest) => Script);

/** How a script is sent. */
export interface OpenAiStyle {
  /** Characters per fragment of a call's arguments; 0: all at once. */
  fragment?: number;
  /** Whether `[DONE]` ends the stream. */
  done?: boolean;
  /** Usage in a chunk of its own, with the last choice, or not at all. */
  usage?: 'apart' | 'with_choice' | 'none';
  /** Field of the thoughts. */
  reasoning?: 'reasoning_content' | 'reasoning';
}

/** Answers with the steps of the scripted Gemini model; closed at the end of the test. */
export async function startOpenAiServer(style: OpenAiStyle = {}): Promise<OpenAiServer> {
  const server = new OpenAiServer(style);
  await server.listen();
  onTestFinished(() => server.close());
  return server;
}

/** An HTTP error in OpenAI's shape. */
export function openAiError(
  status: number,
  message: string,
  options: { type?: string; code?: string; headers?: Record<string, string> } = {},
): Step {
  const { type = 'invalid_request_error', code = null, headers } = options;
  const body = JSON.stringify({ error: { message, type, param: null, code } });
  return respond(status, body, { 'content-type': 'application/json', ...headers });
}

export class OpenAiServer extends LoopbackServer<OpenAiRequest> {
  /** What `GET /models` lists. */
  models: string[] = ['test-model'];
  private readonly queue: OpenAiReply[] = [];

  constructor(private readonly style: OpenAiStyle) {
    super();
  }

  replies(...replies: OpenAiReply[]): this {
    this.queue.push(...replies);
    return this;
  }

  override get url(): string {
    return `${this.origin}/v1`;
  }

  protected async handle(incoming: IncomingMessage, response: ServerResponse): Promise<void> {
    const pieces: Buffer[] = [];
    for await (const piece of incoming) pieces.push(piece as Buffer);
    const path = incoming.url ?? '';
    if (path.endsWith('/models')) {
      return sendJson(response, { object: 'list', data: this.models.map((id) => ({ id, object: 'model' })) });
    }
    const body = JSON.parse(Buffer.concat(pieces).toString('utf8')) as OpenAiBody;
    if (path.endsWith('/embeddings')) return sendJson(response, embeddings(body));
    const request = { httpMethod: incoming.method ?? '', path, headers: incoming.headers, body };
    this.requests.push(request);
    const next = this.queue.shift();
    const script = typeof next === 'function' ? next(request) : next;
    // Not a 500: that would be retried for minutes before the test fails.
    const missing = `The script has no reply for call ${this.requests.length}`;
    const reply = script ?? [openAiError(400, missing)];
    response.socket?.setNoDelay(true);
    await (body.stream ? playStream(reply, response, this.style) : playWhole(reply, response));
  }
}

async function playStream(script: Script, response: ServerResponse, style: OpenAiStyle): Promise<void> {
  const { done = true, usage = 'apart' } = style;
  const end = newEnd();
  let pieceSize = 0;
  const write = async (bytes: Buffer) => {
    open(response);
    const size = pieceSize || bytes.length;
    for (let start = 0; start < bytes.length; start += size) {
      const flowing = response.write(bytes.subarray(start, start + size));
      if (!flowing) await drained(response);
      else if (pieceSize) await new Promise((resolve) => setImmediate(resolve));
    }
  };
  const send = (choice: Chunk | undefined, more: Chunk = {}) =>
    write(encodeEvent({ ...HEAD, choices: choice ? [{ index: 0, ...choice }] : [], ...more }));
  for (const step of flatten(script)) {
    if (response.destroyed) return;
    if (step.do === 'pieces') pieceSize = step.size;
    else if (step.do === 'parts') for (const delta of deltas(step.parts, end, style)) await send({ delta });
    else if (step.do === 'chunk') await write(encodeEvent(step.chunk));
    else if (step.do === 'bytes') await write(step.bytes);
    else if (step.do === 'wait') await step.until;
    else if (step.do === 'delay') await new Promise((resolve) => setTimeout(resolve, step.ms));
    else if (step.do === 'content_type') response.setHeader('content-type', step.contentType);
    else if (step.do === 'respond') return void response.writeHead(step.status, step.headers).end(step.body);
    else if (step.do === 'silence' || step.do === 'cut') {
      open(response);
      response.flushHeaders();
      // The bytes written so far must be sent before the connection is cut.
      await new Promise((resolve) => setImmediate(resolve));
      return step.do === 'cut' ? void response.destroy() : undefined;
    } else note(step, end);
  }
  if (end.reason === '') return void response.end();
  const counts = { usage: toUsage(end.usage) };
  await send(
    { delta: {}, finish_reason: end.reason ?? defaultReason(end) },
    usage === 'with_choice' ? counts : {},
  );
  if (usage === 'apart') await send(undefined, counts);
  if (done) await write(Buffer.from('data: [DONE]\n\n'));
  response.end();
}

async function playWhole(script: Script, response: ServerResponse): Promise<void> {
  const end = newEnd();
  const message: Chunk = { role: 'assistant', content: null };
  const calls: Chunk[] = [];
  for (const step of flatten(script)) {
    if (step.do === 'respond') return void response.writeHead(step.status, step.headers).end(step.body);
    if (step.do === 'cut') return void response.destroy();
    if (step.do === 'chunk') return sendJson(response, step.chunk);
    if (step.do !== 'parts') {
      note(step, end);
      continue;
    }
    for (const delta of deltas(step.parts, end, {})) {
      if (typeof delta['content'] === 'string')
        message['content'] = `${message['content'] ?? ''}${delta['content']}`;
      else if (Array.isArray(delta['tool_calls'])) calls.push(...delta['tool_calls']);
      else Object.assign(message, delta);
    }
  }
  if (calls.length > 0) message['tool_calls'] = calls;
  const choice = { index: 0, message, finish_reason: end.reason ?? defaultReason(end) };
  sendJson(response, { ...HEAD, object: 'chat.completion', choices: [choice], usage: toUsage(end.usage) });
}

const HEAD = { id: 'chatcmpl-1', object: 'chat.completion.chunk', model: 'test-model' };

interface End {
  /** As given by `finish(…)`; empty: the stream ends without one. */
  reason: string | undefined;
  usage: UsageCounts;
  calls: number;
}

function newEnd(): End {
  return { reason: undefined, usage: { promptTokenCount: 10, candidatesTokenCount: 5 }, calls: 0 };
}

function note(step: Step, end: End): void {
  if (step.do === 'finish') end.reason = step.reason;
  else if (step.do === 'usage') end.usage = step.usage;
}

function defaultReason({ calls }: End): string {
  return calls > 0 ? 'tool_calls' : 'stop';
}

function* deltas(parts: readonly Chunk[], end: End, style: OpenAiStyle): Generator<Chunk> {
  for (const part of parts) {
    if (part['thought']) yield { [style.reasoning ?? 'reasoning_content']: part['text'] };
    else if (part['functionCall']) yield* callDeltas(part['functionCall'] as Chunk, end.calls++, style);
    else yield { content: part['text'] };
  }
}

/** String arguments are sent unchanged, to send invalid JSON too. */
function* callDeltas(
  { id, name, args }: Chunk,
  index: number,
  { fragment = 0 }: OpenAiStyle,
): Generator<Chunk> {
  const text = typeof args === 'string' ? args : JSON.stringify(args);
  const first = { index, ...(id === undefined ? {} : { id }), type: 'function' };
  if (fragment === 0) {
    yield { tool_calls: [{ ...first, function: { name, arguments: text } }] };
    return;
  }
  yield { tool_calls: [{ ...first, function: { name, arguments: '' } }] };
  for (let start = 0; start < text.length; start += fragment) {
    yield { tool_calls: [{ index, function: { arguments: text.slice(start, start + fragment) } }] };
  }
}

function toUsage(counts: UsageCounts): Chunk {
  const { promptTokenCount = 0, candidatesTokenCount = 0, thoughtsTokenCount = 0 } = counts;
  const completion = candidatesTokenCount + thoughtsTokenCount;
  return {
    prompt_tokens: promptTokenCount,
    completion_tokens: completion,
    total_tokens: promptTokenCount + completion,
    prompt_tokens_details: { cached_tokens: counts.cachedContentTokenCount ?? 0 },
    completion_tokens_details: { reasoning_tokens: thoughtsTokenCount },
  };
}

/** All steps in order; those of a `pieces` step follow it. */
function* flatten(script: Script): Generator<Step> {
  for (const step of script) {
    if (Symbol.iterator in step) yield* flatten(step);
    else {
      yield step;
      if (step.do === 'pieces') yield* flatten(step.steps);
    }
  }
}

function drained(response: ServerResponse): Promise<void> {
  return new Promise((resolve) => {
    const done = () => {
      response.off('drain', done).off('close', done);
      resolve();
    };
    response.on('drain', done).on('close', done);
  });
}

function open(response: ServerResponse): void {
  if (response.headersSent) return;
  if (!response.hasHeader('content-type')) response.setHeader('content-type', 'text/event-stream');
  response.writeHead(200);
}

function sendJson(response: ServerResponse, value: unknown): void {
  response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(value));
}

function embeddings({ input }: OpenAiBody): Chunk {
  const texts = Array.isArray(input) ? input : [];
  // In reverse, as the protocol allows: the index counts.
  const data = texts.map((_, index) => ({ index, embedding: [index, 1, 0] })).reverse();
  return { object: 'list', data };
}
