/**
 * MCP over streamable HTTP, as far as a companion on this machine speaks it: its own stream and JSON or streamed answers.
 * The library's transport needs the global `fetch`, whose first use costs as much as the rest of the connection; it has
 * no limit on the size of a message, and handles a thousand events a second one by one.
 */
import type { JSONRPCMessage, Transport } from '@modelcontextprotocol/client';
import { LONGEST_TIMER_MS } from '../../base/longest-timer.js';
import { isObject } from '../../base/objects.js';
import { HttpClient, type HttpResponse } from '../../platform/net/http.js';
import { IdeError } from '../errors.js';
import { dataOf, mergedEvents } from './merge-updates.js';

/** Larger than any file that a diff can show. */
const MAX_MESSAGE_BYTES = 32 * 1024 * 1024;
/** A diff waits as long as the user needs; the protocol sets limits of its own for each request. */
const LIMITS = { firstByteMs: 0, silenceMs: 0, contentMs: LONGEST_TIMER_MS, totalMs: LONGEST_TIMER_MS };

export interface HttpCompanion {
  url: URL;
  token: string | undefined;
  /** Of the editor, for messages. */
  displayName: string;
}

export class HttpTransport implements Transport {
  onclose?: () => void;
  onerror?: (error: Error) => void;
  onmessage?: Transport['onmessage'];
  sessionId?: string;
  private version: string | undefined;
  private isClosed = false;
  /** No proxy is asked, and no redirection followed: the token goes to the companion alone. */
  private readonly http = new HttpClient(LIMITS);
  private readonly closing = new AbortController();

  constructor(private readonly companion: HttpCompanion) {}

  async start(): Promise<void> {
    // The first request opens the connection.
  }

  setProtocolVersion(version: string): void {
    this.version = version;
  }

  async send(message: JSONRPCMessage): Promise<void> {
    const response = await this.request('POST', JSON.stringify(message));
    const { 'mcp-session-id': session, 'content-type': type = '' } = response.headers;
    if (typeof session === 'string') this.sessionId = session;
    if (response.status >= 300) {
      response.dispose();
      throw this.refused(response.status);
    }
    if (String(type).includes('text/event-stream')) {
      this.read(response).catch((error: unknown) => this.fail(error));
      return;
    }
    const text = await this.textOf(response);
    if (text.trim() !== '') this.receive(text);
    if ('method' in message && message.method === 'notifications/initialized') void this.listen();
  }

  /** Ends the session in the companion. */
  async terminateSession(): Promise<void> {
    if (this.sessionId === undefined || this.isClosed) return;
    (await this.request('DELETE')).dispose();
  }

  async close(): Promise<void> {
    if (this.isClosed) return;
    this.isClosed = true;
    this.closing.abort();
    this.http.close();
    this.onclose?.();
  }

  /** The stream on which the companion tells what happens in the editor; when it ends, the companion is gone. */
  private async listen(): Promise<void> {
    try {
      const response = await this.request('GET');
      // It has no stream of its own, and tells nothing.
      if (response.status === 405) return response.dispose();
      if (response.status !== 200) throw this.refused(response.status);
      await this.read(response);
      await this.close();
    } catch (error) {
      this.fail(error);
    }
  }

  private request(method: 'GET' | 'POST' | 'DELETE', body?: string): Promise<HttpResponse> {
    const { url, token } = this.companion;
    return this.http.send({
      method,
      url,
      headers: {
        accept: method === 'GET' ? 'text/event-stream' : 'application/json, text/event-stream',
        ...(token && { authorization: `Bearer ${token}` }),
        ...(this.sessionId !== undefined && { 'mcp-session-id': this.sessionId }),
        ...(this.version !== undefined && { 'mcp-protocol-version': this.version }),
        ...(body !== undefined && { 'content-type': 'application/json' }),
      },
      ...(body !== undefined && { body: [Buffer.from(body)] }),
      signal: this.closing.signal,
    });
  }

  private async read({ body, rest = async () => undefined }: HttpResponse): Promise<void> {
    for await (const event of mergedEvents(body, requireSize, rest)) {
      const data = dataOf(event);
      if (data !== undefined) this.receive(data);
    }
  }

  private async textOf({ body }: HttpResponse): Promise<string> {
    const pieces: Buffer[] = [];
    let size = 0;
    for await (const piece of body) {
      size += piece.length;
      requireSize(size);
      pieces.push(piece);
    }
    return Buffer.concat(pieces).toString('utf8');
  }

  /** @throws IdeError for what is not a message */
  private receive(text: string): void {
    let value: unknown;
    try {
      value = JSON.parse(text);
    } catch (error) {
      throw new IdeError(`${this.name} does not speak the protocol.`, error);
    }
    for (const message of Array.isArray(value) ? value : [value]) {
      if (!isObject(message) || message['jsonrpc'] !== '2.0')
        throw new IdeError(`${this.name} does not speak the protocol.`);
      this.onmessage?.(message as JSONRPCMessage);
    }
  }

  private fail(error: unknown): void {
    if (this.isClosed) return;
    this.onerror?.(error instanceof Error ? error : new Error(String(error)));
    void this.close();
  }

  private refused(status: number): IdeError {
    if (status === 401 || status === 403)
      return new IdeError(`${this.name} refused our token. Open a new terminal there.`);
    if (status >= 300 && status < 400)
      return new IdeError(`${this.name} sent us to another address; that is not followed.`);
    return new IdeError(`${this.name} answered with status ${status}.`);
  }

  private get name(): string {
    return `The companion in ${this.companion.displayName}`;
  }
}

function requireSize(size: number): void {
  if (size > MAX_MESSAGE_BYTES)
    throw new IdeError(`The companion sent a message of more than ${MAX_MESSAGE_BYTES / 1024 / 1024} MB.`);
}
