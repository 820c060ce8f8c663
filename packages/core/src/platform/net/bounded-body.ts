/** Reads the body of an answer, decompressed, and never more of it than a limit. */
import type { IncomingMessage } from 'node:http';
import { pipeline } from 'node:stream';
import { constants, createBrotliDecompress, createUnzip } from 'node:zlib';
import { WebRequestError } from './web-request-error.js';

export interface BoundedBody {
  bytes: Buffer;
  /** There was more. */
  truncated: boolean;
}

/** The limit holds for what is sent and for what it expands to. */
export async function readBoundedBody(incoming: IncomingMessage, limit: number): Promise<BoundedBody> {
  const pieces: Buffer[] = [];
  let size = 0;
  try {
    for await (const piece of decompressed(incoming, limit)) {
      pieces.push(piece);
      size += piece.length;
      if (size > limit) break;
    }
  } finally {
    incoming.destroy();
  }
  return { bytes: Buffer.concat(pieces).subarray(0, limit), truncated: size > limit };
}

function decompressed(incoming: IncomingMessage, limit: number): AsyncIterable<Buffer> {
  const encoding = (incoming.headers['content-encoding'] ?? 'identity').trim().toLowerCase();
  if (encoding === 'identity' || encoding === '') return incoming;
  const decoder = decoderOf(encoding);
  // The reader of `decoder` gets the error; the callback is there because the stream insists on one.
  pipeline(upTo(incoming, limit), decoder, () => undefined);
  return decoder;
}

/** A body that was cut off still shows what came, as in browsers. */
function decoderOf(encoding: string) {
  switch (encoding) {
    case 'gzip':
    case 'x-gzip':
    case 'deflate':
      return createUnzip({ finishFlush: constants.Z_SYNC_FLUSH });
    case 'br':
      return createBrotliDecompress({ finishFlush: constants.BROTLI_OPERATION_FLUSH });
    default:
      throw new WebRequestError(
        'encoding',
        `The body is compressed in an unknown way: ${encoding.replace(/[^\w-]/g, '').slice(0, 20)}.`,
      );
  }
}

/** What expands to nothing must not go on for ever either. */
async function* upTo(source: AsyncIterable<Buffer>, limit: number): AsyncGenerator<Buffer> {
  let size = 0;
  for await (const piece of source) {
    yield piece;
    size += piece.length;
    if (size > limit) return;
  }
}
