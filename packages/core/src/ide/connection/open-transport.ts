/**
 * The way to a companion: streamable HTTP on this machine, or a program on stdio. No proxy is asked, no message is larger
 * than a file, and the token goes to the companion alone.
 */
import type { FetchLike, Transport } from '@modelcontextprotocol/client';
import type { Environment } from '../../platform/environment.js';
import { HttpClient, type HttpResponse } from '../../platform/net/http.js';
import type { IdeServer } from '../discovery/find-servers.js';
import { IdeError } from '../errors.js';
import { MAX_MESSAGE_BYTES, mergeUpdates } from './merge-updates.js';

export interface OpenedTransport {
  transport: Transport;
  /** Ends what is open, at once. */
  close(): void;
}

export interface TransportScene {
  environment: Environment;
  host: string;
  /** The companion's own stream is over, so nothing more is heard from it. */
  onStreamEnd: (error?: Error) => void;
}

/** A diff waits as long as the user needs; the protocol sets limits of its own for each request. */
const MAX_MS = 2 ** 31 - 1;
const LIMITS = { firstByteMs: 0, silenceMs: 0, contentMs: MAX_MS, totalMs: MAX_MS };
const METHODS = ['GET', 'POST', 'DELETE'] as const;

export async function openTransport(server: IdeServer, scene: TransportScene): Promise<OpenedTransport> {
  if (server.kind === 'stdio') return openStdio(server, scene);
  const { StreamableHTTPClientTransport } = await import('@modelcontextprotocol/client');
  const http = new HttpClient(LIMITS);
  const url = new URL(`http://${scene.host}:${server.port}/mcp`);
  const fetch = fetchWith(http, server.token, scene.onStreamEnd);
  const transport = new StreamableHTTPClientTransport(url, {
    fetch,
    // Connecting again needs the discovery again: a new window has another port.
    reconnectionOptions: {
      maxRetries: 0,
      initialReconnectionDelay: 1_000,
      maxReconnectionDelay: 1_000,
      reconnectionDelayGrowFactor: 1,
    },
  });
  return { transport, close: () => http.close() };
}

async function openStdio(
  { command, args, ide }: Extract<IdeServer, { kind: 'stdio' }>,
  { environment }: TransportScene,
): Promise<OpenedTransport> {
  const { StdioTransport } = await import('../../mcp/transport/stdio.js');
  const { variables, cwd } = environment;
  const env = Object.fromEntries(
    Object.entries(variables).filter((entry): entry is [string, string] => entry[1] !== undefined),
  );
  const transport = new StdioTransport({ serverName: ide.displayName, command, args, cwd, env });
  return { transport, close: () => void transport.close() };
}

function fetchWith(
  http: HttpClient,
  token: string | undefined,
  onStreamEnd: TransportScene['onStreamEnd'],
): FetchLike {
  return async (address, init = {}) => {
    const method = METHODS.find((name) => name === (init.method ?? 'GET')) ?? 'POST';
    const response = await http.send({
      method,
      url: new URL(String(address)),
      headers: {
        ...Object.fromEntries(new Headers(init.headers)),
        ...(token && { authorization: `Bearer ${token}` }),
      },
      ...(typeof init.body === 'string' && { body: [Buffer.from(init.body)] }),
      signal: init.signal ?? new AbortController().signal,
    });
    // Other streams end with their answer; only one that was too large says something about the companion.
    const onEnd = (error?: Error) => {
      if (method === 'GET' || error instanceof IdeError) onStreamEnd(error);
    };
    return asResponse(response, onEnd);
  };
}

const WITHOUT_BODY = new Set([101, 202, 204, 205, 304]);

function asResponse(response: HttpResponse, onEnd: (error?: Error) => void): Response {
  const headers = new Headers();
  for (const name of ['content-type', 'mcp-session-id', 'mcp-protocol-version']) {
    const value = response.headers[name];
    if (typeof value === 'string') headers.set(name, value);
  }
  const { status } = response;
  if (WITHOUT_BODY.has(status)) {
    response.dispose();
    return new Response(null, { status, headers });
  }
  if (status >= 300 && status < 400) {
    response.dispose();
    throw new IdeError('The companion sent us to another address; that is not followed.');
  }
  const isStream = headers.get('content-type')?.includes('text/event-stream') ?? false;
  const body = isStream ? mergeUpdates(response, { onEnd, tooLarge }) : bounded(response);
  return new Response(body, { status, headers });
}

function bounded(response: HttpResponse): ReadableStream<Uint8Array> {
  const pieces = response.body[Symbol.asyncIterator]();
  let size = 0;
  return new ReadableStream({
    async pull(controller) {
      const { done, value } = await pieces.next();
      if (done) return controller.close();
      size += value.length;
      if (size > MAX_MESSAGE_BYTES) {
        response.dispose();
        throw tooLarge();
      }
      controller.enqueue(value);
    },
    cancel: () => response.dispose(),
  });
}

function tooLarge(): IdeError {
  return new IdeError(`The companion sent a message of more than ${MAX_MESSAGE_BYTES / 1024 / 1024} MB.`);
}
