/** An agent of the SDK behind the Agent Client Protocol: on stdio, on any stream, or in this process. */
import type { Duplex, Readable, Writable } from 'node:stream';
import type { AnyMessage } from '@agentclientprotocol/sdk';
import { createLog } from '@gemini-cli/core';
import type { GeminiCliAgent } from '../agent/agent.js';
import { consoleTo } from '../console-to.js';
import { AgentHost } from './agent-host.js';
import { serveClient } from './connect.js';
import type { AgentInfo, AuthMethod } from './host.js';
import { AUTH_METHODS, agentInfo } from './initialize.js';
import { inProcess } from './wire/in-process.js';
import { lineStream } from './wire/lines.js';
import { OwnRequests } from './wire/own-requests.js';

export interface JsonRpcMessage {
  jsonrpc?: '2.0';
  id?: string | number | null;
  method?: string;
  params?: unknown;
  result?: unknown;
  error?: { code: number; message: string; data?: unknown };
}

/** A connection as the program sees it: `send` and `request` go to the other side. */
export interface AcpConnection {
  /** A raw message, e.g. `session/prompt`, or the answer to a request of the other side. */
  send(message: JsonRpcMessage): Promise<void>;
  /** @returns the result. @throws an error with the `code` of a refusal */
  request<T>(method: string, params?: unknown): Promise<T>;
  /** Ends the sessions of the connection and their processes. */
  close(): Promise<void>;
}

export interface AcpServerOptions {
  agentInfo?: Partial<AgentInfo>;
  authMethods?: readonly AuthMethod[];
}

export interface AcpListener {
  onMessage(message: JsonRpcMessage): void | Promise<void>;
}

const VERSION = '0.1.0';
const log = createLog('acp');

export class GeminiCliAcpServer {
  constructor(
    private readonly agent: GeminiCliAgent,
    private readonly options: AcpServerOptions = {},
  ) {}

  /** Serves one client on stdin and stdout. Resolves when it has closed its side and all sessions have ended. */
  async start({
    stdin = process.stdin,
    stdout = process.stdout,
  }: {
    stdin?: Readable;
    stdout?: Writable;
  } = {}): Promise<void> {
    // What tools and hooks print must not get between the messages.
    const restore = stdout === process.stdout ? consoleTo(process.stderr) : undefined;
    try {
      await serveClient(this.host(), lineStream({ input: stdin, output: stdout })).closed;
    } finally {
      restore?.();
    }
  }

  /** A client in this process: all messages for it come to `onMessage`, but for the answers to `request()`. */
  connect(client: AcpListener): AcpConnection {
    const requests = new OwnRequests();
    const wire = inProcess((message) => {
      if (!requests.takes(message)) tell(client, message);
    });
    const served = serveClient(this.host(), wire.stream);
    const send = (message: object) => wire.send({ jsonrpc: '2.0', ...message } as AnyMessage);
    return {
      send: async (message) => send(message),
      request: (method, params) => requests.request(method, params, send),
      close: async () => {
        wire.end();
        await served.close();
        requests.close();
      },
    };
  }

  /** Serves the client at the other end of a stream. */
  listen(stream: Duplex): AcpConnection {
    const requests = new OwnRequests();
    const { readable, writable } = lineStream({ input: stream, output: stream });
    const others = new TransformStream<AnyMessage, AnyMessage>({
      transform(message, controller) {
        if (!requests.takes(message)) controller.enqueue(message);
      },
    });
    const served = serveClient(this.host(), { readable: readable.pipeThrough(others), writable });
    void served.closed.then(() => requests.close());
    const send = (message: object) =>
      void stream.write(`${JSON.stringify({ jsonrpc: '2.0', ...message })}\n`);
    return {
      send: async (message) => send(message),
      request: (method, params) => requests.request(method, params, send),
      close: async () => {
        await served.close();
        stream.end();
      },
    };
  }

  private host(): AgentHost {
    const { authMethods = AUTH_METHODS, agentInfo: info } = this.options;
    return new AgentHost({ agent: this.agent, info: { ...agentInfo(VERSION), ...info }, authMethods });
  }
}

/** What a listener throws is its own affair: the connection continues. */
function tell(client: AcpListener, message: AnyMessage): void {
  Promise.resolve()
    .then(() => client.onMessage(message as JsonRpcMessage))
    .catch((error: unknown) => log.error('A listener of ACP messages failed.', error));
}
