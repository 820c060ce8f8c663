/** Between the HTTP of Node and the `Request` and `Response` that the protocol library speaks. */
import type { IncomingMessage, ServerResponse } from 'node:http';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import type { ReadableStream } from 'node:stream/web';

/** @returns undefined when the body is longer than `limit` bytes; what is left of it is dropped */
export async function readBody(request: IncomingMessage, limit: number): Promise<string | undefined> {
  const chunks: Buffer[] = [];
  if (Number(request.headers['content-length'] ?? 0) > limit) return undefined;
  let size = 0;
  for await (const chunk of request.iterator({ destroyOnReturn: false }) as AsyncIterable<Buffer>) {
    size += chunk.length;
    if (size > limit) return undefined;
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString('utf8');
}

export function toWebRequest(request: IncomingMessage, body?: string): Request {
  const headers = new Headers();
  for (const [name, value] of Object.entries(request.headers)) {
    for (const one of [value ?? []].flat()) headers.append(name, one);
  }
  return new Request(`http://${request.headers.host}${request.url}`, {
    method: request.method ?? 'GET',
    headers,
    ...(body === undefined ? {} : { body }),
  });
}

/** Ends with the stream; the library learns that the client is gone by the cancelled body. */
export async function sendWebResponse(from: Response, to: ServerResponse): Promise<void> {
  to.writeHead(from.status, Object.fromEntries(from.headers));
  // A client waits for the headers of a stream before it waits for events.
  to.flushHeaders();
  if (!from.body) {
    to.end();
    return;
  }
  await pipeline(Readable.fromWeb(from.body as ReadableStream), to);
}
