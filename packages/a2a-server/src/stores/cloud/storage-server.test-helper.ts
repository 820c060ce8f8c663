/** A server on this machine with the JSON API of Cloud Storage, as far as the store uses it. */
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

interface StoredBlob {
  bytes: Buffer;
  metadata: Record<string, string>;
}

export class StorageServer {
  readonly buckets = new Map<string, Map<string, StoredBlob>>();
  readonly requests: string[] = [];
  /** Statuses of the next answers, instead of real ones. */
  readonly failures: number[] = [];
  private readonly server = createServer((request, response) => void this.answer(request, response));

  static async start(): Promise<StorageServer> {
    const storage = new StorageServer();
    await new Promise<void>((resolve) => storage.server.listen(0, '127.0.0.1', resolve));
    return storage;
  }

  get host(): string {
    return `127.0.0.1:${(this.server.address() as AddressInfo).port}`;
  }

  async close(): Promise<void> {
    this.server.closeAllConnections();
    await new Promise((resolve) => this.server.close(resolve));
  }

  private async answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const pieces: Buffer[] = [];
    for await (const piece of request as AsyncIterable<Buffer>) pieces.push(piece);
    const body = Buffer.concat(pieces);
    const { pathname, searchParams } = new URL(request.url ?? '/', `http://${this.host}`);
    this.requests.push(`${request.method} ${pathname}`);
    const send = (status: number, value: unknown) =>
      response.writeHead(status).end(Buffer.isBuffer(value) ? value : JSON.stringify(value));
    const failure = this.failures.shift();
    if (failure) return void send(failure, { error: { code: failure } });
    const [, bucketName = '', object] = /^\/storage\/v1\/b\/([^/]+)(?:\/o\/(.+))?/.exec(pathname) ?? [];
    const upload = /^\/upload\/storage\/v1\/b\/([^/]+)\/o$/.exec(pathname)?.[1];
    if (pathname === '/storage/v1/b' && request.method === 'POST') {
      const { name } = JSON.parse(body.toString()) as { name: string };
      if (!searchParams.get('project')) return void send(400, {});
      this.buckets.set(name, this.buckets.get(name) ?? new Map());
      return void send(200, { name });
    }
    const bucket = this.buckets.get(upload ?? bucketName);
    if (!bucket) return void send(404, { error: { code: 404 } });
    if (upload !== undefined) {
      const { name, metadata, bytes } = uploaded(body, String(request.headers['content-type']));
      bucket.set(name, { bytes, metadata });
      return void send(200, { name });
    }
    if (pathname.endsWith('/o')) return void send(200, this.page(bucket, searchParams));
    if (object === undefined) return void send(200, { name: bucketName });
    const name = decodeURIComponent(object);
    const blob = bucket.get(name);
    if (!blob) return void send(404, { error: { code: 404 } });
    if (request.method === 'DELETE') {
      bucket.delete(name);
      return void response.writeHead(204).end();
    }
    return void send(200, blob.bytes);
  }

  /** Two objects per page: pages must be followed. */
  private page(bucket: Map<string, StoredBlob>, query: URLSearchParams) {
    const all = [...bucket].filter(([name]) => name.startsWith(query.get('prefix') ?? '')).sort();
    const start = Number(query.get('pageToken') ?? 0);
    const items = all.slice(start, start + 2).map(([name, { metadata }]) => ({ name, metadata }));
    return { items, ...(start + 2 < all.length && { nextPageToken: String(start + 2) }) };
  }
}

function uploaded(body: Buffer, type: string) {
  const boundary = /boundary=(.+)$/.exec(type)?.[1] ?? '';
  const endOf = (text: string, from: number) => body.indexOf(text, from) + text.length;
  const about = endOf('\r\n\r\n', 0);
  const next = body.indexOf(`\r\n--${boundary}`, about);
  const start = endOf('\r\n\r\n', next);
  const end = body.lastIndexOf(`\r\n--${boundary}--`);
  const { name, metadata = {} } = JSON.parse(body.subarray(about, next).toString()) as {
    name: string;
    metadata?: Record<string, string>;
  };
  return { name, metadata, bytes: Buffer.from(body.subarray(start, end)) };
}
