/** A collector on the loopback interface that takes OpenTelemetry data over HTTP and over gRPC and keeps it. */
import { createServer as createHttpServer, type IncomingMessage } from 'node:http';
import { createServer as createHttp2Server, type ServerHttp2Stream } from 'node:http2';
import type { AddressInfo, Server, Socket } from 'node:net';
import { gunzipSync } from 'node:zlib';

export interface CollectedExport {
  /** `/v1/logs` over HTTP, `/opentelemetry.proto.collector.logs.v1.LogsService/Export` over gRPC. */
  path: string;
  headers: Record<string, string | string[] | undefined>;
  /** Unpacked: JSON over HTTP, protobuf over gRPC. */
  body: Buffer;
  wasCompressed: boolean;
}

export interface OtlpCollector {
  readonly url: string;
  readonly exports: readonly CollectedExport[];
  /** Connections that were made, also those that sent nothing. */
  readonly connections: number;
  close(): Promise<void>;
}

export interface CollectorOptions {
  protocol: 'http' | 'grpc';
  /** Takes everything and never answers. */
  silent?: boolean;
}

export async function startOtlpCollector({
  protocol,
  silent = false,
}: CollectorOptions): Promise<OtlpCollector> {
  const exports: CollectedExport[] = [];
  const server = protocol === 'http' ? httpCollector(exports, silent) : grpcCollector(exports, silent);
  const sockets = new Set<Socket>();
  let connections = 0;
  server.on('connection', (socket: Socket) => {
    connections++;
    sockets.add(socket);
    socket.once('close', () => sockets.delete(socket));
  });
  await new Promise<void>((ready) => server.listen(0, '127.0.0.1', ready));
  const { port } = server.address() as AddressInfo; // listens on TCP, so it is not a pipe name
  return {
    url: `http://127.0.0.1:${port}`,
    exports,
    get connections() {
      return connections;
    },
    close: () =>
      new Promise((closed) => {
        server.close(() => closed());
        for (const socket of sockets) socket.destroy();
      }),
  };
}

function httpCollector(exports: CollectedExport[], silent: boolean): Server {
  return createHttpServer(async (request, response) => {
    const received = await bodyOf(request);
    const wasCompressed = request.headers['content-encoding'] === 'gzip';
    const body = wasCompressed ? gunzipSync(received) : received;
    exports.push({ path: request.url ?? '', headers: request.headers, body, wasCompressed });
    if (silent) return;
    response.writeHead(200, { 'content-type': 'application/json' });
    response.end('{}');
  });
}

/** gRPC is HTTP/2 with messages of one flag byte, four bytes of length, and the content. */
function grpcCollector(exports: CollectedExport[], silent: boolean): Server {
  const server = createHttp2Server();
  server.on('stream', async (stream: ServerHttp2Stream, headers) => {
    const framed = await bodyOf(stream);
    const wasCompressed = framed.readUInt8(0) === 1;
    const message = framed.subarray(5, 5 + framed.readUInt32BE(1));
    const body = wasCompressed ? gunzipSync(message) : message;
    exports.push({ path: headers[':path'] ?? '', headers, body, wasCompressed });
    if (silent) return;
    stream.respond({ ':status': 200, 'content-type': 'application/grpc' }, { waitForTrailers: true });
    stream.on('wantTrailers', () => stream.sendTrailers({ 'grpc-status': '0' }));
    stream.end(Buffer.alloc(5));
  });
  return server;
}

async function bodyOf(stream: IncomingMessage | ServerHttp2Stream): Promise<Buffer> {
  const pieces: Buffer[] = [];
  for await (const piece of stream) pieces.push(piece);
  return Buffer.concat(pieces);
}
