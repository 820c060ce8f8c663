/** Real servers over stdio: those of the registry, the example of the founding documents, and one that misbehaves. */
import { spawn } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { type AddressInfo, connect, createServer } from 'node:net';
import { join } from 'node:path';
import { registryServer, type ServerPlan, scriptedServer, seedServer, tempDir } from '@gemini-cli/test-utils';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { newProbe, PROBE, probed } from '../platform/process/process-probe.test-helper.js';
import { clientOf } from './client.test-helper.js';
import type { McpServerFields } from './config.js';
import { MCPServerStatus } from './mcp-client.js';
import type { ServerRequestHandlers } from './request-handlers.js';

const textIn = (result: unknown) => (result as { content: { text: string }[] }).content[0]?.text ?? '';

function scripted(plan: ServerPlan = {}, more: McpServerFields = {}) {
  return clientOf({ ...scriptedServer(plan), timeout: 20_000, ...more });
}

function logFile(): { path: string; lines: () => string[] } {
  const folder = tempDir('mcp-log-');
  onTestFinished(() => folder.cleanup());
  const path = join(folder.path, 'log');
  return { path, lines: () => (existsSync(path) ? readFileSync(path, 'utf8').trim().split('\n') : []) };
}

/** A port that was free a moment ago: the server takes no other way to choose one. */
function freePort(): Promise<number> {
  return new Promise((resolve) => {
    const probe = createServer().listen(0, '127.0.0.1', () => {
      const { port } = probe.address() as AddressInfo;
      probe.close(() => resolve(port));
    });
  });
}

/** Rejects while nothing listens. */
function fetchStatus(port: number): Promise<void> {
  return new Promise((resolve, reject) => {
    const socket = connect(port, '127.0.0.1', () => {
      socket.destroy();
      resolve();
    });
    socket.on('error', reject);
  });
}

describe('A server of the registry', () => {
  it('server-everything offers tools, prompts and resources, and its tools can be called', async () => {
    const { client } = clientOf(registryServer('everything'));
    await client.connect();
    expect(client.tools.map(({ name }) => name)).toEqual(expect.arrayContaining(['echo', 'get-sum']));
    expect(client.prompts.length).toBeGreaterThan(0);
    expect(client.resources.length).toBeGreaterThan(0);
    expect(textIn(await client.callTool('echo', { message: 'hi' }))).toBe('Echo: hi');
  });

  it('server-memory keeps what it is told', async () => {
    const folder = tempDir('mcp-memory-');
    onTestFinished(() => folder.cleanup());
    const file = join(folder.path, 'memory.jsonl');
    const { client } = clientOf({ ...registryServer('memory'), env: { MEMORY_FILE_PATH: file } });
    await client.connect();
    const entities = [{ name: 'Ada', entityType: 'person', observations: ['likes tea'] }];
    await client.callTool('create_entities', { entities });
    expect(textIn(await client.callTool('read_graph', {}))).toContain('likes tea');
    expect(readFileSync(file, 'utf8')).toContain('Ada');
  });

  it('server-filesystem reads a file of the folder it was given', async () => {
    const { client } = clientOf(registryServer('filesystem', process.cwd()));
    await client.connect();
    const path = join(process.cwd(), 'package.json');
    expect(textIn(await client.callTool('read_text_file', { path }))).toContain('"name"');
  });
});

describe('server-everything over the network', () => {
  it.each([
    ['streamableHttp', 'mcp', 'http'],
    ['sse', 'sse', 'sse'],
  ] as const)('%s', async (transport, path, type) => {
    const port = await freePort();
    const { command, args } = registryServer('everything', transport);
    const child = spawn(command, args, {
      env: { PATH: process.env['PATH'], PORT: String(port) },
      stdio: 'ignore',
    });
    onTestFinished(() => void child.kill('SIGKILL'));
    await vi.waitFor(() => fetchStatus(port), { timeout: 15_000, interval: 100 });
    const { client } = clientOf({ url: `http://127.0.0.1:${port}/${path}`, type });
    await client.connect();
    expect(textIn(await client.callTool('echo', { message: 'hi' }))).toBe('Echo: hi');
  });
});

it('the server of the founding documents runs its tool', async () => {
  const { client } = clientOf(seedServer());
  await client.connect();
  expect(client.tools).toMatchObject([{ name: 'my_tool', description: 'Does something' }]);
  expect(textIn(await client.callTool('my_tool', { input: 'x' }))).toBe('Result');
});

describe('A call', () => {
  it('reports progress and sends arguments unchanged', async () => {
    const { client } = scripted();
    await client.connect();
    const seen: unknown[] = [];
    const onProgress = (progress: unknown) => seen.push(progress);
    expect(textIn(await client.callTool('progress', { text: 'ä\n' }, { onProgress }))).toBe(
      'progress: {"text":"ä\\n"}',
    );
    expect(seen).toEqual([
      { progress: 1, total: 4, message: 'working' },
      { progress: 2, total: 4, message: 'working' },
    ]);
  });

  it('carries a progress token that is a UUID', async () => {
    const { client } = scripted();
    await client.connect();
    const token = textIn(await client.callTool('token', {}, { onProgress: () => {} }));
    expect(token).toMatch(/^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/);
  });

  const page = { mode: 'url', url: 'https://pages.example/', message: 'Agree', elicitationId: 'e1' };
  const refusal = { code: -32042, message: 'Visit the page first.', data: { elicitations: [page] } };
  it.each([
    ['accept', 'that of the second try', /^echo: /],
    ['decline', 'an error', /Visit the page first/],
  ] as const)('that requires a page shows it; after %s the answer is %s', async (action, _, answer) => {
    const asked: unknown[] = [];
    const handlers: ServerRequestHandlers = {
      elicitation: { url: {} },
      elicit: async (_server, params) => {
        asked.push(params);
        return { action };
      },
    };
    const plan = { refusesFirst: { echo: refusal } };
    const { client } = clientOf({ ...scriptedServer(plan), timeout: 100_000 }, { handlers });
    await client.connect();
    const shown = await client.callTool('echo', {}).then(textIn, String);
    expect(shown).toMatch(answer);
    expect(asked).toEqual([page]);
  });

  it('that requires a page fails where no user can be asked', async () => {
    const { client } = scripted({ refusesFirst: { echo: refusal } });
    await client.connect();
    await expect(client.callTool('echo', {})).rejects.toThrow('Visit the page first.');
  });

  it('returns at once when it is cancelled, and tells the server', async () => {
    const log = logFile();
    const { client } = scripted({ log: log.path });
    await client.connect();
    const cancelling = new AbortController();
    const call = client.callTool('slow', {}, { signal: cancelling.signal });
    await vi.waitFor(() => expect(log.lines()).toContain('tools/call'), 10_000);
    cancelling.abort();
    await expect(call).rejects.toThrow();
    await vi.waitFor(() => expect(log.lines()).toContain('notifications/cancelled'), 10_000);
    expect(textIn(await client.callTool('echo', {}))).toBe('echo: {}');
  });

  it('ends at the limit of the server, and names the server', async () => {
    const { client } = scripted({}, { timeout: 1_000 });
    await client.connect();
    await expect(client.callTool('slow', {})).rejects.toThrow(
      'MCP server "test": it did not answer within 1 s.',
    );
  });

  it('fails when the server crashes in it, and the next call starts the server again', async () => {
    const { client, events } = scripted();
    await client.connect();
    await expect(client.callTool('crash', {})).rejects.toThrow('the process ended with code 7');
    expect(events.at(-1)).toMatchObject({ type: 'status', status: MCPServerStatus.DISCONNECTED });
    expect(client.tools.length).toBeGreaterThan(0);
    expect(textIn(await client.callTool('echo', {}))).toBe('echo: {}');
    expect(client.status).toBe(MCPServerStatus.CONNECTED);
  });
});

describe('The process of a server', () => {
  it('ends with all its children when the client disconnects', async () => {
    const probe = newProbe();
    const { client } = scripted({ child: true }, { env: { [PROBE]: probe.value } });
    await client.connect();
    await vi.waitFor(() => expect(probed(probe.value)).toHaveLength(2), 10_000);
    await client.disconnect();
    expect(probed(probe.value)).toEqual([]);
  });

  it('gets no secrets except those its configuration names', async () => {
    const variables = {
      PATH: process.env['PATH'],
      HOME: '/home/ada',
      MY_TOKEN: 'hunter2hunter2',
      PLAIN: 'yes',
      OTHER_SECRET: 'x',
    };
    const { client } = clientOf(
      {
        ...scriptedServer(),
        env: { GIVEN: 'a $MY_TOKEN b=c', EMPTY: '$NOT_SET', FALLBACK: '\u0024{NOT_SET:-d}' },
      },
      { environment: { variables, cwd: '/', home: '/home/ada' } },
    );
    await client.connect();
    const environment = JSON.parse(textIn(await client.callTool('environment', {})));
    expect(environment).toMatchObject({
      GEMINI_CLI: '1',
      PLAIN: 'yes',
      HOME: '/home/ada',
      GIVEN: 'a hunter2hunter2 b=c',
      EMPTY: '',
      FALLBACK: 'd',
    });
    expect(environment).not.toHaveProperty('MY_TOKEN');
    expect(environment).not.toHaveProperty('OTHER_SECRET');
  });
});

describe('A server that misbehaves', () => {
  it.each([
    ['crashes at once', { crashAt: 'start' }, 'the process ended with code 3'],
    ['crashes at initialize', { crashAt: 'initialize' }, 'the process ended with code 3'],
    ['crashes at tools/list', { crashAt: 'tools/list' }, 'the process ended with code 3'],
    [
      'crashes after the handshake',
      { crashAt: 'notifications/initialized' },
      'the process ended with code 3',
    ],
    ...['prompts', 'resources'].map((list): [string, ServerPlan, string] => [
      `crashes at ${list}/list`,
      { crashAt: `${list}/list`, capabilities: { tools: {}, [list]: {} } },
      'the process ended with code 3',
    ]),
    ['never answers initialize', { silentAt: 'initialize' }, 'it did not answer within 2 s'],
    ['never answers tools/list', { silentAt: 'tools/list' }, 'it did not answer within 2 s'],
    ['speaks another version', { version: '1999-01-01' }, 'connecting failed'],
    ['offers nothing', { tools: [] }, 'it offers no tools, prompts or resources'],
    [
      'answers initialize with an empty object',
      { wrong: 'initialize', wrongResult: {} },
      'Invalid result for initialize (protocolVersion: Invalid input: expected string',
    ],
    [
      'answers initialize with a text',
      { wrong: 'initialize', wrongResult: 'x' },
      'it did not answer within 2 s',
    ],
  ])('%s: the connection fails with a message that names it', async (_what, plan: ServerPlan, problem) => {
    const { client } = scripted(plan, { timeout: 2_000 });
    await expect(client.connect()).rejects.toThrow(/^MCP server "test": /);
    expect(client.lastError?.message).toContain(problem);
    expect(client.status).toBe(MCPServerStatus.DISCONNECTED);
  });

  it('never answers, and is given up: that is no failure to report', async () => {
    const log = logFile();
    const { client, events } = scripted({ silentAt: 'initialize', log: log.path });
    const connecting = client.connect();
    connecting.catch(() => undefined);
    await vi.waitFor(() => expect(log.lines()).toContain('initialize'), 10_000);
    await client.disconnect();
    await expect(connecting).rejects.toThrow('MCP server "test": the connection was closed.');
    expect(events.filter((event) => event.type === 'status' && event.error)).toEqual([]);
    expect(client.status).toBe(MCPServerStatus.DISCONNECTED);
  });

  it('whose program throws is named with the error, not with what Node prints below it', async () => {
    const { client } = clientOf({
      command: process.execPath,
      args: ['-e', 'throw new TypeError("no key is set")'],
    });
    await expect(client.connect()).rejects.toThrow('the process ended with code 1: TypeError: no key is set');
  });

  it('whose prompts cannot be listed is used for its tools, and the user is told', async () => {
    const { client, events } = scripted({
      capabilities: { tools: {}, prompts: {} },
      wrong: 'prompts/list',
      wrongError: { code: -32603, message: 'no database' },
    });
    await client.connect();
    expect(client.tools).toHaveLength(8);
    expect(events).toContainEqual({
      type: 'problem',
      message: 'MCP server "test": no database (while its prompts were listed)',
    });
  });

  it('and says why just before it ends is named with what it said', async () => {
    const lines =
      'process.stdin.once("data", () => { console.error("fatal: no licence"); process.exit(1); })';
    const { client } = clientOf({ command: process.execPath, args: ['-e', lines] });
    await expect(client.connect()).rejects.toThrow('the process ended with code 1: fatal: no licence');
  });

  it('whose command holds its arguments, too, is named with the remedy', async () => {
    const { client } = clientOf({ command: 'npx -y some-server' });
    await expect(client.connect()).rejects.toThrow('Its arguments belong in "args".');
  });

  it('whose command does not exist is named with its command', async () => {
    const { client } = clientOf({ command: 'no-such-program' });
    await expect(client.connect()).rejects.toThrow('the command "no-such-program" was not found');
  });

  it.each([
    ['prints lines that are not messages', { garbage: true }],
    ['answers everything twice', { twice: true }],
    ['sends its list page by page', { pageSize: 3 }],
  ])('%s: it works all the same', async (_what, plan: ServerPlan) => {
    const { client } = scripted(plan);
    await client.connect();
    expect(client.tools).toHaveLength(8);
    expect(textIn(await client.callTool('echo', {}))).toBe('echo: {}');
  });

  it('with a list that never ends is cut, and the user is told', async () => {
    const { client, events } = scripted({ endless: true });
    await client.connect();
    expect(client.tools).toHaveLength(1_000);
    expect(events).toContainEqual({
      type: 'problem',
      message: 'MCP server "test": its list of tools does not end; the first 1000 are used.',
    });
  });

  it('with entries that are not tools offers the others', async () => {
    const tools = [
      1,
      null,
      {},
      { name: 7 },
      { name: 'good', inputSchema: 'no' },
      { name: 'x', description: {} },
    ];
    const { client } = scripted({ wrong: 'tools/list', wrongResult: { tools } });
    await client.connect();
    expect(client.tools).toEqual([
      { name: 'good', description: '', inputSchema: { type: 'object', properties: {} } },
      { name: 'x', description: '', inputSchema: { type: 'object', properties: {} } },
    ]);
  });

  it('sends 100 MB: the call fails, and memory does not grow by it', async () => {
    const tools = [{ name: 'huge', inputSchema: { type: 'object' } }];
    const { client } = scripted({ tools, bytes: 100_000_000 });
    await client.connect();
    await expect(client.callTool('huge', {})).rejects.toThrow('it sent a message of more than 64 MB');
  });

  it('prints lines without end: it is stopped at once, so that others get their turn', async () => {
    const { client } = clientOf({ command: 'yes', timeout: 60_000 });
    await expect(client.connect()).rejects.toThrow(
      'MCP server "test": it printed more than 10,000 lines that are no messages. It was stopped.',
    );
  });

  it('asks without end and reads no answer: it is left alone, and fails at its limit', async () => {
    const request = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'ping' });
    const { client } = clientOf({ command: 'yes', args: [request], timeout: 2_000 });
    await expect(client.connect()).rejects.toThrow('MCP server "test": it did not answer within 2 s.');
  });

  it('announces changes a thousand times a second: few lists are fetched', async () => {
    const log = logFile();
    const { client } = scripted({ floodMs: 1_000, log: log.path });
    await client.connect();
    await vi.waitFor(() => expect(log.lines()).toContain('flood over'), { timeout: 10_000 });
    expect(log.lines().filter((line) => line === 'tools/list').length).toBeLessThan(8);
    expect(textIn(await client.callTool('echo', {}))).toBe('echo: {}');
  });
});
