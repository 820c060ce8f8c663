/** The whole server over a scripted service, and small clients that say exactly what is on the wire. */
import { request as httpRequest } from 'node:http';
import { type App, type AppOptions, startApp } from './app.js';
import { MemoryPushStore } from './push/push-store.js';
import { ScriptedService } from './scripted-service.test-helper.js';

export interface TestApp extends App {
  service: ScriptedService;
  origin: string;
}

export async function startTestApp(
  options: Partial<AppOptions> & { service?: ScriptedService } = {},
): Promise<TestApp> {
  const service = options.service ?? new ScriptedService();
  const app = await startApp({
    pushStore: new MemoryPushStore(),
    proxies: { variables: {} },
    host: '127.0.0.1',
    config: async () => {
      throw new Error('no engine in this test');
    },
    ...options,
    service,
  });
  return { ...app, service, origin: app.url.replace(/\/$/, '') };
}

export interface RawAnswer {
  status: number;
  headers: Record<string, string | string[] | undefined>;
  text: string;
}

/** Not `fetch`: it would not send a `Host` or `Origin` of choice. */
export function rawRequest(
  url: string,
  {
    method = 'GET',
    headers = {},
    body,
    onText,
  }: {
    onText?: (text: string) => void;
    method?: string;
    headers?: Record<string, string>;
    body?: string | Buffer;
  } = {},
): Promise<RawAnswer> {
  return new Promise((resolve, reject) => {
    const outgoing = httpRequest(url, { method, headers, agent: false }, (incoming) => {
      let text = '';
      incoming.setEncoding('utf8');
      incoming.on('data', (piece: string) => {
        text += piece;
        onText?.(text);
      });
      incoming.once('end', () =>
        resolve({ status: incoming.statusCode ?? 0, headers: incoming.headers, text }),
      );
      incoming.once('error', reject);
    });
    outgoing.once('error', reject);
    outgoing.end(body);
  });
}

export interface RpcAnswer {
  status: number;
  // biome-ignore format: one line
  body: { id?: unknown; result?: Record<string, unknown>; error?: { code: number; message: string; data?: unknown } };
}

export async function rpc(
  app: { url: string },
  method: string,
  params: unknown,
  headers: Record<string, string> = {},
): Promise<RpcAnswer> {
  const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method, params });
  const answer = await rawRequest(app.url, {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...headers },
    body,
  });
  return { status: answer.status, body: JSON.parse(answer.text) };
}

export const V1 = { 'a2a-version': '1.0' };

/** A message in the form of 0.3. */
export function oldMessage(text: string, rest: Record<string, unknown> = {}) {
  return {
    message: {
      kind: 'message',
      role: 'user',
      messageId: crypto.randomUUID(),
      parts: [{ kind: 'text', text }],
      ...rest,
    },
  };
}

/** A message in the form of 1.0. */
export function newMessage(text: string, rest: Record<string, unknown> = {}) {
  return { message: { role: 'ROLE_USER', messageId: crypto.randomUUID(), parts: [{ text }], ...rest } };
}

export interface StreamEvent {
  id?: string;
  event?: string;
  data: Record<string, never>;
}

/** Reads a stream of events until it ends, or `until` is true. */
export function readStream(
  url: string,
  options: { method?: string; headers?: Record<string, string>; body?: string },
  until: (event: StreamEvent, all: StreamEvent[]) => boolean = () => false,
): Promise<StreamEvent[]> {
  return new Promise((resolve, reject) => {
    const events: StreamEvent[] = [];
    const outgoing = httpRequest(url, { method: 'POST', agent: false, ...options }, (incoming) => {
      let rest = '';
      incoming.setEncoding('utf8');
      incoming.on('data', (piece: string) => {
        const blocks = (rest + piece).split('\n\n');
        rest = blocks.pop() ?? '';
        for (const event of blocks.flatMap(parsedEvent)) {
          events.push(event);
          if (until(event, events)) {
            incoming.destroy();
            resolve(events);
            return;
          }
        }
      });
      incoming.once('end', () => resolve(events));
      incoming.once('error', () => resolve(events));
    });
    outgoing.once('error', reject);
    outgoing.end(options.body);
  });
}

function parsedEvent(block: string): StreamEvent[] {
  const fields = block.split('\n').map((line) => line.split(/: ?(.*)/s));
  const field = (name: string) => fields.find(([key]) => key === name)?.[1];
  const data = field('data');
  if (data === undefined) return [];
  const [id, event] = [field('id'), field('event')];
  return [{ ...(id !== undefined && { id }), ...(event !== undefined && { event }), data: JSON.parse(data) }];
}

export function streamRequest(method: string, params: unknown, headers: Record<string, string> = {}) {
  return {
    headers: { 'content-type': 'application/json', ...headers },
    body: JSON.stringify({ jsonrpc: '2.0', id: 'one', method, params }),
  };
}

/** The id of the task that a stream of 0.3 begins with. */
export function taskOf([first]: readonly StreamEvent[]): string {
  const { result } = (first?.data ?? { result: { id: '' } }) as { result: { id: string } };
  return result.id;
}
