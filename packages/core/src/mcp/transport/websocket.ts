/** A server over WebSocket (`tcp`), subprotocol `mcp`: one message per text frame. */
import { createHash, randomBytes } from 'node:crypto';
import type { ClientRequest, IncomingMessage } from 'node:http';
import type { Duplex } from 'node:stream';
import type { JSONRPCMessage, Transport } from '@modelcontextprotocol/client';
import { messageOf } from '../../base/errors.js';
import { isObject } from '../../base/objects.js';
import type { ProxySource } from '../../platform/environment.js';
import { createLog } from '../../platform/log.js';
import { proxyFor } from '../../platform/net/proxy.js';
import type { ResolvedServer } from '../config.js';
import { McpServerError } from '../errors.js';
import { MAX_MESSAGE_BYTES } from './message-lines.js';
import { encodeFrame, type Frame, FrameReader, Opcode } from './websocket-frames.js';
import { within } from './within.js';

export interface WebSocketServer {
  server: ResolvedServer;
  /** `ws://`, `wss://` or `host:port`. */
  address: string;
  headers: () => Record<string, string>;
  proxies: ProxySource;
}

/** Of RFC 6455: shows that the server speaks WebSocket. */
const HANDSHAKE_SUFFIX = '258EAFA5-E914-47DA-95CA-C5AB0DC85B11';
const log = createLog('mcp');
/** What a fragment counts besides its bytes: empty ones would cost memory without end. */
const FRAGMENT_BYTES = 64;
/** While a server has this much left to read, nothing is read from it: it may ask without end. */
const MAX_UNREAD_BYTES = 1024 * 1024;
/** How long the notice of our end may take. */
const CLOSE_MS = 500;

export class WebSocketTransport implements Transport {
  onclose?: () => void;
  onerror?: (error: Error) => void;
  onmessage?: Transport['onmessage'];
  private socket: Duplex | undefined;
  private request: ClientRequest | undefined;
  private readonly reader = new FrameReader(MAX_MESSAGE_BYTES);
  /** Frames of a message that is not complete. */
  private fragments: Buffer[] = [];
  private fragmentBytes = 0;
  private isClosed = false;

  constructor(private readonly options: WebSocketServer) {}

  async start(): Promise<void> {
    const url = this.url();
    const key = randomBytes(16).toString('base64');
    const { socket, head } = await this.upgrade(url, key);
    this.socket = socket;
    socket.on('data', (chunk: Buffer) => this.receive(chunk));
    socket.on('error', (error) => this.onerror?.(this.failure(error.message, error)));
    socket.on('close', () => this.closed());
    if (head.length > 0) this.receive(head);
  }

  async send(message: JSONRPCMessage): Promise<void> {
    await this.write(Opcode.text, Buffer.from(JSON.stringify(message)));
  }

  async close(): Promise<void> {
    if (this.socket && !this.isClosed) {
      await within(CLOSE_MS, this.write(Opcode.close, Buffer.from([0x03, 0xe8])));
      this.socket.destroy();
    }
    this.request?.destroy();
    this.closed();
  }

  private url(): URL {
    const { address } = this.options;
    const written = address.includes('://') ? address : `ws://${address}`;
    const url = URL.canParse(written) ? new URL(written) : undefined;
    if (!url || !/^wss?:$/.test(url.protocol)) throw this.failure('"tcp" is not a ws:// or wss:// address.');
    return url;
  }

  private async upgrade(url: URL, key: string): Promise<{ socket: Duplex; head: Buffer }> {
    const isSecure = url.protocol === 'wss:';
    const { request } = isSecure ? await import('node:https') : await import('node:http');
    const plain = new URL(url.href.replace(/^ws/, 'http'));
    const proxy = proxyFor(plain, this.options.proxies);
    const agent = proxy && new (await import('https-proxy-agent')).HttpsProxyAgent(proxy);
    return new Promise((resolve, reject) => {
      this.request = request(plain, {
        ...(agent && { agent }),
        headers: {
          ...this.options.headers(),
          connection: 'Upgrade',
          upgrade: 'websocket',
          'sec-websocket-version': '13',
          'sec-websocket-key': key,
          'sec-websocket-protocol': 'mcp',
        },
      });
      this.request.once('upgrade', (response: IncomingMessage, socket: Duplex, head: Buffer) => {
        const expected = createHash('sha1')
          .update(key + HANDSHAKE_SUFFIX)
          .digest('base64');
        if (response.headers['sec-websocket-accept'] === expected) return resolve({ socket, head });
        socket.destroy();
        reject(this.failure('it does not speak WebSocket.'));
      });
      this.request.once('response', (response) => {
        response.resume();
        reject(this.failure(`it answered ${response.statusCode} instead of opening a WebSocket.`));
      });
      this.request.once('error', (error) => reject(this.failure(error.message, error)));
      this.request.end();
    });
  }

  private receive(chunk: Buffer): void {
    try {
      for (const frame of this.reader.push(chunk)) this.handle(frame);
      this.waitForReader();
    } catch (error) {
      const isTooLarge = error instanceof RangeError;
      const limit = `${MAX_MESSAGE_BYTES / 1024 / 1024} MB`;
      this.onerror?.(
        this.failure(isTooLarge ? `it sent a message of more than ${limit}.` : messageOf(error), error),
      );
      void this.close();
    }
  }

  private waitForReader(): void {
    const { socket } = this;
    if (!socket || this.isClosed || socket.writableLength < MAX_UNREAD_BYTES) return;
    socket.pause();
    socket.once('drain', () => socket.resume());
  }

  private handle({ isFinal, opcode, payload }: Frame): void {
    if (opcode === Opcode.ping) return void this.write(Opcode.pong, payload).catch(() => undefined);
    if (opcode === Opcode.close) return void this.close();
    if (opcode === Opcode.pong) return;
    this.fragments.push(payload);
    this.fragmentBytes += payload.length + FRAGMENT_BYTES;
    if (this.fragmentBytes > MAX_MESSAGE_BYTES) throw new RangeError('message too large');
    if (!isFinal) return;
    this.fragmentBytes = 0;
    const text = Buffer.concat(this.fragments.splice(0)).toString('utf8');
    let message: unknown;
    try {
      message = JSON.parse(text);
    } catch {
      log.debug(`${this.options.server.name} sent a frame that is not JSON`);
      return;
    }
    if (isObject(message)) this.onmessage?.(message as JSONRPCMessage);
  }

  private write(opcode: number, payload: Buffer): Promise<void> {
    const { socket } = this;
    if (!socket?.writable) return Promise.reject(this.failure('the connection is closed.'));
    return new Promise((resolve, reject) => {
      socket.write(encodeFrame(opcode, payload), (error) => (error ? reject(error) : resolve()));
    });
  }

  private closed(): void {
    if (this.isClosed) return;
    this.isClosed = true;
    this.onclose?.();
  }

  private failure(what: string, cause?: unknown): McpServerError {
    return new McpServerError(this.options.server.name, 'transport', what, cause);
  }
}
