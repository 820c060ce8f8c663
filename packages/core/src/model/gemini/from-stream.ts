/** The body of a streamed answer, as chunks. */
import type { HttpResponse } from '../../platform/http.js';
import { readText } from '../../platform/http.js';
import { ApiError, toApiError } from '../api-error.js';
import { checkResponse } from '../check-response.js';
import type { GenerateResponse } from '../content-generator.js';
import { SseParser } from '../sse.js';
import { mergeChunks } from './merge-chunks.js';
import { hasError, parsePayload } from './parse-chunk.js';

const ERROR_BODY_LIMIT = 256 * 1024;
const PLAIN_BODY_LIMIT = 64 * 1024 * 1024;

/** Turns the body of an answer into chunks, piece by piece. */
export class ChunkReader {
  private constructor(
    private readonly parser: SseParser | undefined,
    private readonly contentType: string,
    private readonly plain: Buffer[] = [],
    private plainSize = 0,
  ) {}

  /** Throws the server's error when the answer is none. */
  static async open(response: HttpResponse): Promise<ChunkReader> {
    if (response.status !== 200) throw await errorOf(response);
    const contentType = String(response.headers['content-type'] ?? '');
    return new ChunkReader(contentType.includes('event-stream') ? new SseParser() : undefined, contentType);
  }

  read(piece: Buffer): GenerateResponse[] {
    if (this.parser) return parseAll(this.parser.feed(piece));
    this.plainSize += piece.length;
    if (this.plainSize <= PLAIN_BODY_LIMIT) this.plain.push(piece);
    return [];
  }

  end(): GenerateResponse[] {
    if (this.parser) return parseAll(this.parser.finish());
    return plainChunks(Buffer.concat(this.plain).toString('utf8'), this.contentType);
  }
}

function parseAll(payloads: readonly string[]): GenerateResponse[] {
  return mergeChunks(payloads.flatMap((payload) => checkResponse(parsePayload(payload)) ?? []));
}

export async function errorOf(response: HttpResponse): Promise<ApiError> {
  const retryAfter = response.headers['retry-after'];
  const body = await readText(response.body, ERROR_BODY_LIMIT).catch(() => '');
  return toApiError(response.status, body, typeof retryAfter === 'string' ? retryAfter : undefined);
}

/** Some gateways answer with one JSON document instead of a stream. */
function plainChunks(body: string, contentType: string): GenerateResponse[] {
  try {
    const value: unknown = JSON.parse(body);
    const list = Array.isArray(value) ? value : [value];
    if (list.every((item) => typeof item === 'object' && item !== null)) {
      const failed = list.find(hasError);
      if (failed) throw toApiError(500, JSON.stringify(failed));
      return list.flatMap((item) => checkResponse(item) ?? []);
    }
  } catch (error) {
    if (error instanceof ApiError) throw error;
  }
  const kind = contentType || 'no content type';
  throw new ApiError(
    0,
    `The server did not answer with a model stream but with ${kind}. Check the base URL.`,
  );
}
