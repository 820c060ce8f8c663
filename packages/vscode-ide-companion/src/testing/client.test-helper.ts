/** Clients of the companion, as programs are: with the library of the protocol, and by plain requests. */
import { request as httpRequest, type IncomingMessage } from 'node:http';
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';

export interface ServerAddress {
  port: number;
  token: string;
}

export interface Received {
  method: string;
  params?: unknown;
}

export class TestClient {
  private readonly client = new Client({ name: 'test', version: '1' });
  private readonly transport: StreamableHTTPClientTransport;
  private readonly received: Received[] = [];
  private readonly waiting = new Set<() => void>();

  constructor({ port, token }: ServerAddress) {
    this.client.fallbackNotificationHandler = async ({ method, params }) => {
      this.received.push({ method, params });
      for (const check of [...this.waiting]) check();
    };
    this.transport = new StreamableHTTPClientTransport(new URL(`http://127.0.0.1:${port}/mcp`), {
      requestInit: { headers: { Authorization: `Bearer ${token}` } },
    });
  }

  async connect(): Promise<this> {
    await this.client.connect(this.transport);
    return this;
  }

  /** Takes the next notification of this method; earlier ones of others stay. */
  next(method: string): Promise<Received> {
    return new Promise((resolve) => {
      const check = () => {
        const index = this.received.findIndex((one) => one.method === method);
        if (index < 0) return;
        this.waiting.delete(check);
        resolve(this.received.splice(index, 1)[0] as Received);
      };
      this.waiting.add(check);
      check();
    });
  }

  /** Methods that have arrived and were not taken. */
  left(): string[] {
    return this.received.map(({ method }) => method);
  }

  async tools(): Promise<string[]> {
    return (await this.client.listTools()).tools.map(({ name }) => name);
  }

  async call(name: string, args: Record<string, unknown>): Promise<{ text: string; isError: boolean }> {
    const { content, isError } = await this.client.callTool({ name, arguments: args });
    const texts = content.map((block) => (block.type === 'text' ? block.text : ''));
    return { text: texts.join(''), isError: isError === true };
  }

  async ping(): Promise<void> {
    await this.client.ping();
  }

  /** Goes away without a word. */
  close(): Promise<void> {
    return this.client.close();
  }

  /** Ends the session properly. */
  async leave(): Promise<void> {
    await this.transport.terminateSession();
    await this.close();
  }
}

export interface PlainAnswer {
  status: number;
  headers: Record<string, unknown>;
  text: string;
}

/** @param headers replace those of a proper request; undefined removes one */
export function plainRequest(
  { port, token }: ServerAddress,
  {
    method = 'POST',
    path = '/mcp',
    headers = {},
    body = '',
  }: {
    method?: string;
    path?: string;
    headers?: Record<string, string | undefined>;
    body?: string | Buffer;
  } = {},
): Promise<PlainAnswer> {
  const all: Record<string, string | undefined> = {
    authorization: `Bearer ${token}`,
    accept: 'application/json, text/event-stream',
    'content-type': 'application/json',
    ...headers,
  };
  const given = Object.fromEntries(Object.entries(all).filter((entry) => entry[1] !== undefined));
  return new Promise((resolve, reject) => {
    const outgoing = httpRequest({ host: '127.0.0.1', port, path, method, headers: given, agent: false });
    outgoing.on('error', reject).on('response', (incoming) => {
      let text = '';
      incoming.setEncoding('utf8').on('data', (piece: string) => {
        text += piece;
      });
      incoming.on('end', () =>
        resolve({ status: incoming.statusCode ?? 0, headers: incoming.headers, text }),
      );
    });
    outgoing.end(body);
  });
}

/** A stream of events that the test ends as a broken network does. */
export async function openStream({ port, token }: ServerAddress, session: string) {
  const outgoing = httpRequest({
    host: '127.0.0.1',
    port,
    path: '/mcp',
    headers: { authorization: `Bearer ${token}`, accept: 'text/event-stream', 'mcp-session-id': session },
    agent: false,
  });
  const incoming = await new Promise<IncomingMessage>((resolve, reject) => {
    outgoing.on('response', resolve).on('error', reject).end();
  });
  return {
    status: incoming.statusCode,
    /** The next bytes; undefined at the end. */
    read: async () => {
      for await (const piece of incoming.iterator({ destroyOnReturn: false })) return String(piece);
      return undefined;
    },
    breakOff: () =>
      new Promise<void>((resolve) => {
        incoming.once('close', resolve).on('error', () => {});
        outgoing.destroy();
      }),
  };
}
