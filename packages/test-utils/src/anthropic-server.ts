/** A scripted model over real HTTP on 127.0.0.1, speaking the Anthropic Messages API. */
import type { IncomingHttpHeaders, IncomingMessage, ServerResponse } from 'node:http';
import { performance } from 'node:perf_hooks';
import { AnthropicEvents, anthropicError, encodeAnthropicEvent } from './anthropic-events.js';
import { type AnthropicBody, brokenRule } from './anthropic-rules.js';
import { LoopbackServer } from './loopback-server.js';
import type { Chunk, Script, Step } from './model-script.js';

export interface AnthropicRequest {
  httpMethod: string;
  path: string;
  headers: IncomingHttpHeaders;
  body: AnthropicBody;
  bytes: number;
  /** `performance.now()` on arrival. */
  at: number;
  hungUp: Promise<boolean>;
}

export type AnthropicResponder = (request: AnthropicRequest) => Script;

export async function startAnthropicServer(): Promise<AnthropicServer> {
  const server = new AnthropicServer();
  await server.listen();
  return server;
}

/** Plays the scripts of the Gemini server; refuses requests that break a rule of the API with 400. */
export class AnthropicServer extends LoopbackServer<AnthropicRequest> {
  /** All calls, the counting and listing ones too. */
  readonly all: AnthropicRequest[] = [];
  /** Rules of the API that were broken. */
  readonly refused: string[] = [];
  models = ['claude-x'];
  /** Undefined: this server cannot count. */
  countTokens: ((request: AnthropicRequest) => number) | undefined = ({ bytes }) => Math.ceil(bytes / 4);

  private readonly queue: (Script | AnthropicResponder)[] = [];

  /** The next answers, in order. */
  replies(...replies: (Script | AnthropicResponder)[]): this {
    this.queue.push(...replies);
    return this;
  }

  remaining(): number {
    return this.queue.length;
  }

  protected async handle(incoming: IncomingMessage, response: ServerResponse): Promise<void> {
    const at = performance.now();
    const pieces: Buffer[] = [];
    for await (const piece of incoming) pieces.push(piece as Buffer);
    const raw = Buffer.concat(pieces);
    const hungUp = new Promise<boolean>((resolve) => {
      response.once('close', () => resolve(!response.writableEnded));
    });
    const { method = '', url = '', headers } = incoming;
    const body = (raw.length > 0 ? JSON.parse(raw.toString('utf8')) : { messages: [] }) as AnthropicBody;
    const request = { httpMethod: method, path: url, headers, body, bytes: raw.length, at, hungUp };
    this.all.push(request);
    await this.answer(request, response);
  }

  private async answer(request: AnthropicRequest, response: ServerResponse): Promise<void> {
    const path = request.path.replace(/\?.*/, '');
    if (path.endsWith('/v1/models')) return json(response, { data: this.models.map((id) => ({ id })) });
    const isCount = path.endsWith('/count_tokens');
    if (!path.endsWith('/v1/messages') && !isCount) return refuse(response, 404, 'not_found_error', path);
    const broken = brokenRule(request.body, isCount);
    if (broken) this.refused.push(broken);
    if (!isCount) this.requests.push(request);
    if (broken) return refuse(response, 400, 'invalid_request_error', broken);
    if (isCount && !this.countTokens) return refuse(response, 404, 'not_found_error', path);
    if (isCount) return json(response, { input_tokens: this.countTokens?.(request) });
    const next = this.queue.shift();
    if (!next)
      return refuse(response, 400, 'invalid_request_error', 'The script has no reply for this call.');
    const script = typeof next === 'function' ? next(request) : next;
    const events = new AnthropicEvents(request.body.model, String(this.requests.length));
    await play([...flatten(script)], events, response, request.body.stream === true);
  }
}

async function play(
  steps: Step[],
  events: AnthropicEvents,
  response: ServerResponse,
  isStream: boolean,
): Promise<void> {
  // The counts are reported first, so they are looked up first.
  for (const step of steps) if (step.do === 'usage') events.usage = step.usage;
  const send = (list: Chunk[], size?: number) => {
    if (isStream) return write(response, Buffer.concat(list.map(encodeAnthropicEvent)), size);
  };
  let hasStarted = false;
  const start = async () => {
    if (!hasStarted) await send(events.start());
    hasStarted = true;
  };
  for (const step of steps) {
    if (response.destroyed) return;
    switch (step.do) {
      case 'parts':
        await start();
        for (const part of step.parts) await send(events.part(part));
        break;
      case 'pieces':
        await start();
        for (const part of [...flatten(step.steps)]) {
          if (part.do === 'parts')
            await send(
              part.parts.flatMap((item) => events.part(item)),
              step.size,
            );
        }
        break;
      case 'finish':
        events.stopReason = step.reason;
        break;
      case 'chunk':
        await start();
        await send([step.chunk]);
        if (step.chunk['type'] === 'error') return void response.end();
        break;
      case 'bytes':
        await start();
        await write(response, step.bytes);
        break;
      case 'content_type':
        response.setHeader('content-type', step.contentType);
        break;
      case 'delay':
        await new Promise((resolve) => setTimeout(resolve, step.ms));
        break;
      case 'wait':
        await step.until;
        break;
      case 'silence':
        response.flushHeaders();
        return;
      case 'cut':
        response.flushHeaders();
        // The bytes written so far must be sent before the connection is cut.
        await new Promise((resolve) => setImmediate(resolve));
        return void response.destroy();
      case 'respond':
        return void response.writeHead(step.status, step.headers).end(step.body);
    }
  }
  await start();
  if (!isStream) return json(response, events.whole());
  await send(events.end());
  response.end();
}

async function write(response: ServerResponse, bytes: Buffer, size = bytes.length): Promise<void> {
  if (!response.headersSent && !response.hasHeader('content-type')) {
    response.setHeader('content-type', 'text/event-stream; charset=utf-8');
  }
  for (let start = 0; start < bytes.length && !response.destroyed; start += size) {
    response.write(bytes.subarray(start, start + size));
    if (size < bytes.length) await new Promise((resolve) => setImmediate(resolve));
  }
}

function* flatten(script: Script): Generator<Step> {
  for (const step of script) {
    if ('do' in step) yield step;
    else yield* flatten(step);
  }
}

function json(response: ServerResponse, value: unknown): void {
  response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(value));
}

function refuse(response: ServerResponse, status: number, type: string, message: string): void {
  const step = anthropicError(status, type, message);
  if (step.do === 'respond') response.writeHead(step.status, step.headers).end(step.body);
}
