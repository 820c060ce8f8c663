/** MCP servers as the engine uses them, against a bare client of the protocol library. Bundled by mcp-rows.ts; prints JSON. */
import { Client } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import { createMcp } from '../packages/core/src/mcp/create.js';
import { MCPServerStatus } from '../packages/core/src/mcp/mcp-client.js';
import type { ServerCommand } from '../packages/test-utils/src/mcp-servers.js';

const [, , what = '', folder = '', server = '{}', count = '1'] = process.argv;
const command: ServerCommand = JSON.parse(server);
void main();

async function main(): Promise<void> {
  const measure = { bare: bareConnections, ten: tenServers, call: calls, memory }[what];
  if (!measure) throw new Error(`unknown: ${what}`);
  console.log(JSON.stringify(await measure(Number(count))));
}

/** How long the server itself takes until it has listed its tools. */
async function bareConnections(runs: number): Promise<number[]> {
  const times: number[] = [];
  for (let run = -1; run < runs; run++) {
    const started = performance.now();
    const { close } = await bareClient();
    if (run >= 0) times.push(performance.now() - started);
    await close();
  }
  return times;
}

/** Ten servers at once, over the slowest of ten bare clients that start at once. */
async function tenServers(runs: number): Promise<number[]> {
  const added: number[] = [];
  const names = Array.from({ length: 10 }, (_, index) => `s${index}`);
  for (let run = -1; run < runs; run++) {
    const { manager, close } = session(names);
    const ours = await timed(() => manager.start());
    for (const { status } of manager.servers())
      if (status !== MCPServerStatus.CONNECTED) throw new Error(`a server is ${status}`);
    await close();
    let clients: Awaited<ReturnType<typeof bareClient>>[] = [];
    const bare = await timed(async () => {
      clients = await Promise.all(names.map(bareClient));
    });
    await Promise.all(clients.map(({ close }) => close()));
    if (run >= 0) added.push(ours - bare);
  }
  return added;
}

/** What a call takes more than the same call of a bare client, in turns. */
async function calls(runs: number): Promise<number[]> {
  const { manager, close } = session(['a']);
  await manager.start();
  const ours = manager.client('a');
  const bare = await bareClient();
  const added: number[] = [];
  for (let run = -50; run < runs; run++) {
    const first = await timed(() => bare.client.callTool({ name: 'echo', arguments: { text: 'x' } }));
    const second = await timed(async () => ours?.callTool('echo', { text: 'x' }));
    if (run >= 0) added.push(second - first);
  }
  await Promise.all([close(), bare.close()]);
  return added;
}

/** Growth of the heap over many calls, in MB. */
async function memory(runs: number): Promise<number> {
  const { manager, close } = session(['a']);
  await manager.start();
  const client = manager.client('a');
  const call = () => client?.callTool('echo', { text: 'x'.repeat(1000) }, { onProgress: () => undefined });
  for (let run = 0; run < 100; run++) await call();
  const before = heap();
  for (let run = 0; run < runs; run++) await call();
  const grown = heap() - before;
  await close();
  return grown;
}

function heap(): number {
  globalThis.gc?.();
  return process.memoryUsage().heapUsed / 2 ** 20;
}

async function bareClient(): Promise<{ client: Client; close: () => Promise<void> }> {
  const client = new Client({ name: 'bare', version: '1' });
  await client.connect(new StdioClientTransport({ ...command, stderr: 'ignore' }));
  await client.listTools();
  return { client, close: () => client.close() };
}

function session(names: readonly string[]) {
  return createMcp({
    sources: () => ({
      settings: Object.fromEntries(names.map((name) => [name, command])),
      admin: { config: {}, requiredConfig: {} },
      rules: { adminEnabled: true, excluded: [] },
      isAllowedInFolder: true,
      notice: (message) => console.error(message),
    }),
    environment: { variables: process.env, cwd: folder, home: folder },
    targetDir: folder,
    globalDir: folder,
    redaction: () => ({}),
    sandbox: () => undefined,
    auth: () => undefined,
    isInteractive: false,
    notice: (message) => console.error(message),
  });
}

async function timed(work: () => Promise<unknown>): Promise<number> {
  const started = performance.now();
  await work();
  return performance.now() - started;
}
