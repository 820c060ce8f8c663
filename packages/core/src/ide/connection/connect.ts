/** One connection to a companion: the handshake, what it tells, and its two tools. */
import type { Client } from '@modelcontextprotocol/client';
import { messageOf, UserError } from '../../base/errors.js';
import { isObject } from '../../base/objects.js';
import type { Environment } from '../../platform/environment.js';
import { createLog } from '../../platform/log.js';
import { VERSION } from '../../platform/version.js';
import type { IdeServer } from '../discovery/find-servers.js';
import { IdeError } from '../errors.js';
import type { IdeContext, IdeInfo } from '../types.js';
import { openTransport } from './open-transport.js';
import { readUpdate } from './read-update.js';

export type DiffEvent =
  | { type: 'accepted'; filePath: string; content: string }
  | { type: 'rejected'; filePath: string };

export interface ConnectionListener {
  onContext(context: IdeContext): void;
  onDiff(event: DiffEvent): void;
  /** Called once, not after `close()`. */
  onLost(error: Error | undefined): void;
}

export interface IdeConnection {
  readonly ide: IdeInfo;
  /** The version of our own companion, when another one comes with this program. */
  readonly otherVersion?: string;
  /** The companion has both tools. */
  readonly showsDiffs: boolean;
  /** @throws IdeError */
  openDiff(filePath: string, newContent: string): Promise<void>;
  /** @returns what the diff shows; undefined when the companion does not say. @throws IdeError */
  closeDiff(filePath: string): Promise<string | undefined>;
  close(): Promise<void>;
}

/** The companion is on this machine: one that does not answer by then hangs. */
const HANDSHAKE_MS = 10_000;
const REQUEST_MS = 10 * 60_000;
/** The user has answered in the terminal and waits. */
const CLOSE_MS = 5_000;
/** How long we wait for the companion to end the session. */
const END_MS = 300;

const MAX_REASON = 500;

/** As our extension calls its server. */
const OUR_COMPANION = 'gemini-cli-companion';

/** Accepts any answer: what we use of it is checked where it is used. */
const ANY = {
  '~standard': { version: 1, vendor: 'gemini-cli', validate: (value: unknown) => ({ value }) },
} as const;

const log = createLog('ide');

/** @throws IdeError */
export async function connect(
  server: IdeServer,
  { environment, host, signal }: { environment: Environment; host: string; signal: AbortSignal },
  listener: ConnectionListener,
): Promise<IdeConnection> {
  const { Client } = await import('@modelcontextprotocol/client');
  const transport = await openTransport(server, environment, host);
  const client = new Client({ name: 'gemini-cli-ide-client', version: VERSION }, { capabilities: {} });
  let state: 'connecting' | 'open' | 'over' = 'connecting';
  let failure: Error | undefined;
  const end = async () => {
    state = 'over';
    await within(END_MS, terminated(transport));
    await client.close().catch(() => undefined);
  };
  client.onerror = (error) => {
    failure ??= error;
    log.debug(brief(messageOf(error)));
  };
  client.onclose = () => {
    if (state !== 'open') return;
    state = 'over';
    listener.onLost(failure);
  };
  listen(client, listener);
  try {
    await client.connect(transport, { timeout: HANDSHAKE_MS, signal });
    const showsDiffs = await hasDiffTools(client, signal);
    state = 'open';
    return { ide: server.ide, ...otherVersion(client), showsDiffs, ...diffTools(client), close: end };
  } catch (error) {
    await end();
    throw asIdeError(failure instanceof UserError ? failure : error, server.ide);
  }
}

function otherVersion(client: Client): Pick<IdeConnection, 'otherVersion'> {
  const { name, version } = client.getServerVersion() ?? {};
  return name === OUR_COMPANION && version !== undefined && version !== VERSION
    ? { otherVersion: brief(version) }
    : {};
}

function listen(client: Client, { onContext, onDiff }: ConnectionListener): void {
  client.setNotificationHandler('ide/contextUpdate', { params: ANY }, (params) => {
    const context = readUpdate(params);
    if (context) onContext(context);
  });
  client.setNotificationHandler('ide/diffAccepted', { params: ANY }, (params) => {
    const { filePath, content } = fieldsOf(params);
    if (filePath !== undefined && content !== undefined) onDiff({ type: 'accepted', filePath, content });
  });
  // Older companions say `diffClosed`, which accepts nothing.
  for (const method of ['ide/diffRejected', 'ide/diffClosed']) {
    client.setNotificationHandler(method, { params: ANY }, (params) => {
      const { filePath } = fieldsOf(params);
      if (filePath !== undefined) onDiff({ type: 'rejected', filePath });
    });
  }
}

function fieldsOf(params: unknown): { filePath?: string; content?: string } {
  if (!isObject(params)) return {};
  const { filePath, content } = params;
  return {
    ...(typeof filePath === 'string' && { filePath }),
    ...(typeof content === 'string' && { content }),
  };
}

async function hasDiffTools(client: Client, signal: AbortSignal): Promise<boolean> {
  if (!client.getServerCapabilities()?.tools) return false;
  const list = await client.request({ method: 'tools/list', params: {} }, ANY, {
    timeout: HANDSHAKE_MS,
    signal,
  });
  const tools = isObject(list) && Array.isArray(list['tools']) ? list['tools'] : [];
  const names = new Set(tools.map((tool: unknown) => (isObject(tool) ? tool['name'] : undefined)));
  return names.has('openDiff') && names.has('closeDiff');
}

function diffTools(client: Client): Pick<IdeConnection, 'openDiff' | 'closeDiff'> {
  const call = async (name: string, args: Record<string, unknown>, timeout: number) => {
    const params = { name, arguments: args };
    const result = await client.request({ method: 'tools/call', params }, ANY, { timeout });
    const text = textOf(result);
    if (isObject(result) && result['isError'] === true) throw new IdeError(brief(text ?? `${name} failed.`));
    return text;
  };
  return {
    openDiff: async (filePath, newContent) => {
      await call('openDiff', { filePath, newContent }, REQUEST_MS);
    },
    closeDiff: async (filePath) =>
      contentIn(await call('closeDiff', { filePath, suppressNotification: true }, CLOSE_MS)),
  };
}

function textOf(result: unknown): string | undefined {
  const [first] = isObject(result) && Array.isArray(result['content']) ? result['content'] : [];
  return isObject(first) && typeof first['text'] === 'string' ? first['text'] : undefined;
}

/** `{"content": …}`; other companions send the plain text, which may be a JSON file. Undefined: no diff was open. */
function contentIn(text: string | undefined): string | undefined {
  if (text === undefined) return undefined;
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    return text;
  }
  if (!isObject(value) || Object.keys(value).some((key) => key !== 'content')) return text;
  return typeof value['content'] === 'string' ? value['content'] : undefined;
}

async function terminated(transport: object): Promise<void> {
  if ('terminateSession' in transport && typeof transport.terminateSession === 'function')
    await transport.terminateSession();
}

/** A companion that does not answer must not delay the exit. */
async function within(limitMs: number, work: Promise<void>): Promise<void> {
  let timer: NodeJS.Timeout | undefined;
  const limit = new Promise<void>((resolve) => {
    timer = setTimeout(resolve, limitMs);
  });
  await Promise.race([work.catch(() => undefined), limit]);
  clearTimeout(timer);
}

function asIdeError(error: unknown, { displayName }: IdeInfo): IdeError {
  if (error instanceof IdeError) return error;
  return new IdeError(`The companion in ${displayName} cannot be reached: ${brief(messageOf(error))}`, error);
}

/** A companion's own words may be as long as a message. */
function brief(text: string): string {
  return text.length > MAX_REASON ? `${text.slice(0, MAX_REASON)}…` : text;
}
