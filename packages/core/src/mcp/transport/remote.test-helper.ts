/** For tests: servers over HTTP, SSE and WebSocket on loopback, made with the 1.x SDK where it has the transport. */
import { createHash, randomUUID } from 'node:crypto';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Duplex } from 'node:stream';
import { McpServer } from '@modelcontextprotocol/sdk/server/mcp.js';
import { SSEServerTransport } from '@modelcontextprotocol/sdk/server/sse.js';
import { StreamableHTTPServerTransport } from '@modelcontextprotocol/sdk/server/streamableHttp.js';
import { onTestFinished } from 'vitest';
import { FrameReader, Opcode } from './websocket-frames.js';

type Handler = (request: IncomingMessage, response: ServerResponse) => unknown;

export interface LoopbackServer {
  url: string;
  requests: { method: string; url: string; headers: IncomingMessage['headers'] }[];
}

export async function listen(
  handler: Handler,
  onUpgrade?: (request: IncomingMessage, socket: Duplex) => void,
): Promise<LoopbackServer> {
  const requests: LoopbackServer['requests'] = [];
  const server = createServer((request, response) => {
    requests.push({ method: request.method ?? '', url: request.url ?? '', headers: request.headers });
    void handler(request, response);
  });
  if (onUpgrade) server.on('upgrade', onUpgrade);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, requests };
}

function greeter(): McpServer {
  const server = new McpServer({ name: 'greeter', version: '1' });
  server.registerTool('greet', { description: 'Greets.' }, () => ({
    content: [{ type: 'text', text: 'Hello.' }],
  }));
  return server;
}

/** Streamable HTTP with sessions; `forget` makes it lose them, as a restart would. */
export async function httpServer(
  before: (request: IncomingMessage, response: ServerResponse) => boolean = () => false,
): Promise<LoopbackServer & { forget(): void; sessions(): number }> {
  const sessions = new Map<string, StreamableHTTPServerTransport>();
  const server = await listen(async (request, response) => {
    if (before(request, response)) return;
    const id = request.headers['mcp-session-id'];
    const known = typeof id === 'string' ? sessions.get(id) : undefined;
    if (typeof id === 'string' && !known) return void response.writeHead(404).end();
    const transport =
      known ??
      new StreamableHTTPServerTransport({
        sessionIdGenerator: () => randomUUID(),
        onsessioninitialized: (made) => void sessions.set(made, transport),
        onsessionclosed: (closed) => void sessions.delete(closed),
      });
    if (!known) await greeter().connect(transport);
    await transport.handleRequest(request, response);
  });
  return { ...server, forget: () => sessions.clear(), sessions: () => sessions.size };
}

export async function sseServer(): Promise<LoopbackServer> {
  const transports = new Map<string, SSEServerTransport>();
  return listen(async (request, response) => {
    const { pathname, searchParams } = new URL(request.url ?? '/', 'http://x');
    if (request.method === 'GET') {
      const transport = new SSEServerTransport('/messages', response);
      transports.set(transport.sessionId, transport);
      return greeter().connect(transport);
    }
    const transport = pathname === '/messages' && transports.get(searchParams.get('sessionId') ?? '');
    return transport ? transport.handlePostMessage(request, response) : response.writeHead(405).end();
  });
}

/** Answers like the greeter, in frames of its own, or does what `behave` says. */
export async function webSocketServer(
  behave: (socket: Duplex) => void = answerFrames,
): Promise<LoopbackServer & { protocols: (string | undefined)[] }> {
  const protocols: (string | undefined)[] = [];
  const server = await listen(
    (_, response) => response.writeHead(404).end(),
    (request, socket) => {
      protocols.push(request.headers['sec-websocket-protocol']);
      const key = `${request.headers['sec-websocket-key']}258EAFA5-E914-47DA-95CA-C5AB0DC85B11`;
      const accept = createHash('sha1').update(key).digest('base64');
      socket.write(
        'HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n' +
          `Sec-WebSocket-Protocol: mcp\r\nSec-WebSocket-Accept: ${accept}\r\n\r\n`,
      );
      behave(socket);
    },
  );
  return { ...server, protocols };
}

const RESULTS: Record<string, object> = {
  initialize: {
    protocolVersion: '2025-06-18',
    capabilities: { tools: {} },
    serverInfo: { name: 'ws', version: '1' },
  },
  'tools/list': { tools: [{ name: 'greet', inputSchema: { type: 'object' } }] },
  'tools/call': { content: [{ type: 'text', text: 'Hello. '.repeat(20_000).trim() }] },
};

function answerFrames(socket: Duplex): void {
  const reader = new FrameReader(1_000_000);
  socket.on('data', (chunk: Buffer) => {
    for (const { opcode, payload } of reader.push(chunk)) {
      if (opcode !== Opcode.text) continue;
      const { id, method } = JSON.parse(payload.toString('utf8'));
      const result = RESULTS[method];
      if (id === undefined || !result) continue;
      const text = Buffer.from(JSON.stringify({ jsonrpc: '2.0', id, result }));
      const middle = Math.floor(text.length / 2);
      socket.write(plainFrame(0x89, Buffer.from('ping')));
      // In two fragments, and these in small pieces.
      const bytes = Buffer.concat([
        plainFrame(0x01, text.subarray(0, middle)),
        plainFrame(0x80, text.subarray(middle)),
      ]);
      for (let start = 0; start < bytes.length; start += 5_001)
        socket.write(bytes.subarray(start, start + 5_001));
    }
  });
  socket.on('error', () => undefined);
}

/** As servers send it: not masked. */
export function plainFrame(first: number, payload: Buffer): Buffer {
  const head =
    payload.length < 126
      ? Buffer.from([first, payload.length])
      : Buffer.from([first, 127, 0, 0, 0, 0, ...uint32(payload.length)]);
  return Buffer.concat([head, payload]);
}

function uint32(value: number): Buffer {
  const bytes = Buffer.alloc(4);
  bytes.writeUInt32BE(value);
  return bytes;
}
