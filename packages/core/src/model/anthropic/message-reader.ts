/** Reads the body of an answer: server-sent events, or one message from servers that do not stream. */
import { isObject } from '../../base/objects.js';
import { createLog } from '../../platform/log.js';
import type { GenerateResponse } from '../content-generator.js';
import { ApiError } from '../errors/api-error.js';
import { chunksOf } from '../gemini/merge-chunks.js';
import { SseParser } from '../wire/sse.js';
import { type Asked, nameOf, toAnthropicError } from './errors.js';
import type { StreamAccumulator } from './from-stream.js';

const log = createLog('model');
const PLAIN_BODY_LIMIT = 64 * 1024 * 1024;

export class MessageReader {
  private readonly parser: SseParser | undefined;
  private readonly plain: Buffer[] = [];
  private plainSize = 0;

  constructor(
    private readonly contentType: string,
    private readonly answer: StreamAccumulator,
    private readonly asked: Asked,
  ) {
    this.parser = contentType.includes('event-stream') ? new SseParser() : undefined;
  }

  read(piece: Buffer): Iterable<GenerateResponse> {
    if (this.parser) return this.events(this.parser.feed(piece));
    this.plainSize += piece.length;
    if (this.plainSize > PLAIN_BODY_LIMIT) throw this.noMessage();
    this.plain.push(piece);
    return [];
  }

  /** Whether anything but keep-alives was read since the last call. */
  takeNews(): boolean {
    return this.answer.takeNews() || this.parser === undefined || this.parser.isInPayload;
  }

  end(): Iterable<GenerateResponse> {
    if (this.parser) return this.events(this.parser.finish());
    return this.message(Buffer.concat(this.plain).toString('utf8'));
  }

  private events(payloads: readonly string[]): Iterable<GenerateResponse> {
    return chunksOf(payloads, (payload) => {
      const event = parsed(payload);
      if (!event) {
        log.warn('invalid_chunk', { length: payload.length });
        this.answer.damage();
        return [];
      }
      if (isError(event)) throw toAnthropicError(this.asked, 200, payload);
      return this.answer.add(event);
    });
  }

  private message(body: string): GenerateResponse[] {
    const value = parsed(body);
    if (value && isError(value)) throw toAnthropicError(this.asked, 200, body);
    if (value && Array.isArray(value['content'])) return this.answer.addMessage(value);
    throw this.noMessage();
  }

  private noMessage(): ApiError {
    const { provider } = this.asked;
    return new ApiError(
      0,
      `${nameOf(this.asked)}: the server did not answer with a model stream but with ` +
        `${this.contentType || 'no content type'}. Check the server address ${provider.baseUrl.href}`,
    );
  }
}

/** Gateways omit the type. */
function isError(value: Record<string, unknown>): boolean {
  return value['type'] === 'error' || (value['type'] === undefined && isObject(value['error']));
}

function parsed(text: string): Record<string, unknown> | undefined {
  try {
    const value: unknown = JSON.parse(text);
    return isObject(value) ? value : undefined;
  } catch {
    return undefined;
  }
}
