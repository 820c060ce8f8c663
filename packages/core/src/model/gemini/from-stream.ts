/** The body of a streamed answer, as chunks. */
import type { HttpResponse } from '../../platform/net/http.js';
import { carriesContent, type GenerateResponse } from '../content-generator.js';
import { ApiError } from '../errors/api-error.js';
import { checkResponse } from '../wire/check-response.js';
import { SseParser } from '../wire/sse.js';
import { type Asked, errorOf, noStreamError, toGoogleError } from './errors.js';
import { chunksOf } from './merge-chunks.js';
import { hasError, parsePayload } from './parse-chunk.js';

const PLAIN_BODY_LIMIT = 64 * 1024 * 1024;

/** Turns the body of an answer into chunks, piece by piece. */
export class ChunkReader {
  private hasNews = false;

  private constructor(
    private readonly parser: SseParser | undefined,
    private readonly contentType: string,
    private readonly asked: Asked,
    private readonly plain: Buffer[] = [],
    private plainSize = 0,
  ) {}

  /** Throws the server's error when the body is not an answer. */
  static async open(response: HttpResponse, asked: Asked): Promise<ChunkReader> {
    if (response.status !== 200) throw await errorOf(response, asked);
    const contentType = String(response.headers['content-type'] ?? '');
    const parser = contentType.includes('event-stream') ? new SseParser() : undefined;
    return new ChunkReader(parser, contentType, asked);
  }

  read(piece: Buffer): Iterable<GenerateResponse> {
    if (this.parser) return this.parseAll(this.parser.feed(piece));
    this.plainSize += piece.length;
    if (this.plainSize > PLAIN_BODY_LIMIT) throw noStreamError(this.asked, this.contentType);
    this.plain.push(piece);
    return [];
  }

  end(): Iterable<GenerateResponse> {
    if (this.parser) return this.parseAll(this.parser.finish());
    return plainChunks(Buffer.concat(this.plain).toString('utf8'), this.contentType, this.asked);
  }

  /** Whether anything but keep-alives was read since the last call. */
  takeNews(): boolean {
    const hadNews = this.hasNews || this.parser === undefined || this.parser.isInPayload;
    this.hasNews = false;
    return hadNews;
  }

  private parseAll(payloads: readonly string[]): Iterable<GenerateResponse> {
    return chunksOf(payloads, (payload) => {
      const chunk = checkResponse(parsePayload(payload, this.asked));
      if (!chunk) return [];
      if (carriesContent(chunk)) this.hasNews = true;
      return [chunk];
    });
  }
}

/** Some gateways answer with one JSON document instead of a stream. */
function plainChunks(body: string, contentType: string, asked: Asked): GenerateResponse[] {
  try {
    const value: unknown = JSON.parse(body);
    const list = Array.isArray(value) ? value : [value];
    if (list.every((item) => typeof item === 'object' && item !== null)) {
      const failed = list.find(hasError);
      if (failed) throw toGoogleError(asked, 500, JSON.stringify(failed));
      return list.flatMap((item) => checkResponse(item) ?? []);
    }
  } catch (error) {
    if (error instanceof ApiError) throw error;
  }
  throw noStreamError(asked, contentType);
}
