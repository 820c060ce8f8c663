/** One connected program: its transport, its tools, and whether it still answers. */

import { randomUUID } from 'node:crypto';
import { McpServer, WebStandardStreamableHTTPServerTransport } from '@modelcontextprotocol/server';
import { type DiffTools, registerDiffTools } from './tools.js';

const MAX_UNANSWERED = 3;

export interface Notification {
  method: string;
  params: Record<string, unknown>;
}

export interface SessionOptions {
  version: string;
  diffs: DiffTools;
  /** In bytes. */
  maxBody: number;
}

export interface SessionEvents {
  started(session: Session): void;
  ended(session: Session): void;
}

export class Session {
  private readonly server: McpServer;
  private readonly transport: WebStandardStreamableHTTPServerTransport;
  private unanswered = 0;

  constructor({ version, diffs, maxBody }: SessionOptions, events: SessionEvents) {
    this.server = new McpServer({ name: 'gemini-cli-companion', version });
    registerDiffTools(this.server, diffs, this);
    this.transport = new WebStandardStreamableHTTPServerTransport({
      sessionIdGenerator: randomUUID,
      maxRequestBodySize: maxBody,
      onsessioninitialized: () => events.started(this),
    });
    this.server.server.onclose = () => events.ended(this);
  }

  get id(): string | undefined {
    return this.transport.sessionId;
  }

  open(): Promise<void> {
    return this.server.connect(this.transport);
  }

  handle(request: Request): Promise<Response> {
    return this.transport.handleRequest(request);
  }

  /** Nothing is kept for a program that does not listen: it gets the whole context when it does. */
  async notify(notification: Notification): Promise<void> {
    await this.server.server.notification(notification);
  }

  /** Called at intervals; closes the session of a program that has left three pings in a row unanswered. */
  async ping(): Promise<void> {
    if (this.unanswered >= MAX_UNANSWERED) return this.close();
    this.unanswered += 1;
    await this.server.server.ping().then(
      () => {
        this.unanswered = 0;
      },
      () => {},
    );
  }

  close(): Promise<void> {
    return this.server.close();
  }
}
