/** Reads and decompresses a response body, up to a size limit. */
import type { IncomingMessage } from 'node:http';
import { pipeline } from 'node:stream';
import { constants, createBrotliDecompress, createUnzip } from 'node:zlib';
import { WebRequestError } from './web-request-error.js';

export interface BoundedBody {
  bytes: Buffer;
  /** The body was longer than the limit. */
  truncated: boolean;
}

/** The limit applies to the compressed and to the decompressed size. */
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
  // The reader of `decoder` gets the error; `pipeline` requires a callback.
  pipeline(upTo(incoming, limit), decoder, () => undefined);
  return decoder;
}

/** A truncated body still yields what arrived, as in browsers. */
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

/** Input that expands to nothing must end, too. */
async function* upTo(source: AsyncIterable<Buffer>, limit: number): AsyncGenerator<Buffer> {
  let size = 0;
  for await (const piece of source) {
    yield piece;
    size += piece.length;
    if (size > limit) return;
  }
}
