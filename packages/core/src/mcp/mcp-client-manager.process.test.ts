/** All servers of a session, in a real engine: life cycle, registration, sandbox, hooks and servers of agents. */
import {
  copyFileSync,
  existsSync,
  mkdtempSync,
  readFileSync,
  realpathSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { createTestConfig, type ServerPlan, scriptedServer, tempDir } from '@gemini-cli/test-utils';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { EventStream } from '../bus/event-stream.js';
import type { Config } from '../config/config.js';
import type { ConfigParameters } from '../engine/parameters.js';
import { ApprovalMode } from '../protocol/confirmation.js';
import type { McpServerFields } from './config.js';
import { MCPServerStatus } from './mcp-client.js';
import { MCPDiscoveryState } from './mcp-client-manager.js';

type Servers = Record<string, McpServerFields>;

const server = (plan: ServerPlan = {}): McpServerFields => ({ ...scriptedServer(plan), timeout: 20_000 });

function place(): string {
  const folder = tempDir('mcp-manager-');
  onTestFinished(() => folder.cleanup());
  return folder.path;
}

async function session(mcpServers: Servers, more: Partial<ConfigParameters> = {}) {
  const events = new EventStream();
  const notices: string[] = [];
  events.subscribe((event) => {
    if (event.type === 'notice') notices.push(event.message);
  });
  const config = await createTestConfig({
    approvalMode: ApprovalMode.YOLO,
    mcpServers: mcpServers as NonNullable<ConfigParameters['mcpServers']>,
    events,
    ...more,
  });
  onTestFinished(() => config.shutdown());
  const manager = () => {
    const found = config.getMcpClientManager();
    if (!found) throw new Error('No server is configured.');
    return found;
  };
  await config.getEngine().mcp.ready();
  return { config, manager, notices, change: (next: Servers) => change(config, next) };
}

async function change(config: Config, mcpServers: Servers): Promise<void> {
  const { project, mcp } = config.getEngine();
  project.change({ mcpServers: mcpServers as NonNullable<ConfigParameters['mcpServers']> });
  await mcp.refresh();
  await config.getMcpClientManager()?.settled(10_000);
}

const names = (config: Config) =>
  config
    .getToolRegistry()
    .getAllToolNames()
    .filter((name) => name.startsWith('mcp_'));

const run = async (config: Config, name: string, args: object = {}) => {
  const tool = config.getToolRegistry().getTool(name);
  if (!tool) throw new Error(`There is no ${name}.`);
  return tool.build(args).execute({ abortSignal: new AbortController().signal });
};

const lines = (path: string) => (existsSync(path) ? readFileSync(path, 'utf8').trim().split('\n') : []);

it('There is no manager while no server is configured; a later change of settings makes one', async () => {
  const { config, change } = await session({});
  expect(config.getMcpClientManager()).toBeUndefined();
  await change({ a: server({ tools: [{ name: 'x' }] }) });
  expect(config.getMcpClientManager()?.discoveryState).toBe(MCPDiscoveryState.COMPLETED);
  expect(names(config)).toEqual(['mcp_a_x']);
});

describe('A change of settings', () => {
  it('restarts only the servers it is about', async () => {
    const folder = place();
    const plan = (name: string) => ({ log: join(folder, name), tools: [{ name }] });
    const starts = (name: string) => lines(join(folder, name)).filter((line) => line === 'start').length;
    const { config, change } = await session({
      a: server(plan('a')),
      b: server(plan('b')),
      c: server(plan('c')),
    });
    await change({ a: server(plan('a')), b: { ...server(plan('b')), timeout: 9_000 }, d: server(plan('d')) });
    expect(['a', 'b', 'c', 'd'].map(starts)).toEqual([1, 2, 1, 1]);
    expect(names(config).sort()).toEqual(['mcp_a_a', 'mcp_b_b', 'mcp_d_d']);
  });

  it('of trust ends all servers, and starts them again', async () => {
    const { config, manager } = await session({ a: server() });
    config.setTrusted(false);
    await vi.waitFor(() => expect(manager().servers()[0]?.status).toBe(MCPServerStatus.DISABLED), 10_000);
    expect(names(config)).toEqual([]);
    config.setTrusted(true);
    await vi.waitFor(() => expect(names(config)).toContain('mcp_a_echo'), 10_000);
  });
});

it('A restart starts one server again', async () => {
  const log = join(place(), 'log');
  const { manager } = await session({ a: server({ log }) });
  await manager().restart('a');
  await manager().settled(10_000);
  expect(lines(log).filter((line) => line === 'initialize')).toHaveLength(2);
  expect(manager().client('a')?.status).toBe(MCPServerStatus.CONNECTED);
});

it('Servers connect side by side, and one that fails does not hold the others', async () => {
  const started = performance.now();
  const many = Object.fromEntries(
    Array.from({ length: 6 }, (_, index) => [`s${index}`, server({ count: 2 })]),
  );
  const { config, manager } = await session(
    { ...many, bad: server({ crashAt: 'start' }) },
    { interactive: false },
  );
  const together = performance.now() - started;
  expect(names(config)).toHaveLength(12);
  const alone = performance.now();
  await manager().restart('s0');
  await manager().settled(10_000);
  // Far from seven times one server, also on a busy machine.
  expect(together).toBeLessThan((performance.now() - alone) * 6 + 2_000);
});

it('A list that changes changes the registered tools', async () => {
  const toolsFile = join(place(), 'tools.json');
  const offer = (...own: string[]) => writeFileSync(toolsFile, JSON.stringify(own.map((name) => ({ name }))));
  offer('one', 'two');
  const { config, manager } = await session({ a: server({ toolsFile }) });
  expect(names(config)).toEqual(['mcp_a_one', 'mcp_a_two']);
  offer('two', 'three');
  await manager().client('a')?.listTools();
  expect(names(config).sort()).toEqual(['mcp_a_three', 'mcp_a_two']);
});

it('A server that offers other tools after a crash has those registered', async () => {
  const toolsFile = join(place(), 'tools.json');
  const offer = (...own: string[]) => writeFileSync(toolsFile, JSON.stringify(own.map((name) => ({ name }))));
  offer('crash', 'echo');
  // Headless, the new tool would be left out: the server was used with approval before it came.
  const { config } = await session({ a: server({ toolsFile }) }, { interactive: true });
  offer('echo', 'new');
  expect((await run(config, 'mcp_a_crash')).error?.message).toContain('the process ended with code 7');
  expect((await run(config, 'mcp_a_echo')).returnDisplay).toBe('echo: {}');
  expect(names(config).sort()).toEqual(['mcp_a_echo', 'mcp_a_new']);
});

it('Two servers that look the same in tool names stay apart', async () => {
  const { config } = await session({
    'a b': server({ tools: [{ name: 'x' }] }),
    a_b: server({ tools: [{ name: 'x' }] }),
  });
  expect(names(config).sort()).toEqual(['mcp_a_b_2_x', 'mcp_a_b_x']);
  const policy = config.getPolicyEngine();
  policy.configure({ trustedServers: ['a_b'] });
  policy.setApprovalMode(ApprovalMode.DEFAULT);
  const decide = (serverName: string, name: string) =>
    policy.evaluate({ name, args: {} }, { serverName, serverToolName: 'x' });
  expect(await decide('a b', 'mcp_a_b_x')).not.toBe('allow');
  expect(await decide('a_b', 'mcp_a_b_2_x')).toBe('allow');
});

it('In plan mode only tools that read are offered, and they ask', async () => {
  const tools = [{ name: 'look', annotations: { readOnlyHint: true } }, { name: 'write' }];
  const { config } = await session(
    { a: server({ tools }) },
    { approvalMode: ApprovalMode.PLAN, interactive: true },
  );
  const declared = config
    .getToolRegistry()
    .getFunctionDeclarations('m')
    .map(({ name }) => name);
  expect(declared).toContain('mcp_a_look');
  expect(declared).not.toContain('mcp_a_write');
});

it('Audio of a tool reaches the model', async () => {
  const { config } = await session({ a: server() });
  expect(await run(config, 'mcp_a_audio')).toMatchObject({
    llmContent: [{ text: expect.stringContaining('audio/wav') }, { inlineData: { mimeType: 'audio/wav' } }],
    returnDisplay: '[Audio: audio/wav]',
  });
});

it('A sandboxed session runs servers in the sandbox', async () => {
  const outside = realpathSync(mkdtempSync('/var/tmp/gemini-mcp-'));
  onTestFinished(() => rmSync(outside, { recursive: true, force: true }));
  const targetDir = place();
  // The repository may be below /tmp, which is private in the sandbox.
  const { command = '', args: [script = '', plan = ''] = [] } = server({ tools: [{ name: 'x' }] });
  copyFileSync(script, join(targetDir, 'server.mjs'));
  const escaping = {
    command: 'sh',
    args: ['-c', `echo x > ${outside}/free; echo x > inside; exec "$0" "$@"`, command, 'server.mjs', plan],
    timeout: 20_000,
  };
  const { config, notices } = await session(
    { a: escaping },
    { toolSandboxing: true, targetDir, approvalMode: ApprovalMode.DEFAULT, interactive: true },
  );
  expect(names(config), notices.join('\n')).toEqual(['mcp_a_x']);
  expect(existsSync(join(outside, 'free'))).toBe(false);
  expect(existsSync(join(targetDir, 'inside'))).toBe(true);
});

it('Servers of an agent run for one run, under the same rules', async () => {
  const { config, notices } = await session({}, { mcp: { excluded: ['bad'] } });
  const { mcp, bus } = config.getEngine();
  const scene = { agentName: 'x', bus, signal: new AbortController().signal };
  const { tools, close } = await mcp.openForRun({ own: server(), bad: server(), broken: 7 }, scene);
  expect(tools.map(({ name }) => name)).toContain('mcp_own_echo');
  expect(tools.some(({ serverName }) => serverName === 'bad')).toBe(false);
  expect(notices.join('\n')).toContain('"broken" is not an object');
  expect(names(config)).toEqual([]);
  const [echo] = tools.filter(({ name }) => name === 'mcp_own_echo');
  const result = await echo?.build({}).execute({ abortSignal: scene.signal });
  expect(result?.returnDisplay).toBe('echo: {}');
  await close();
  expect((await echo?.build({}).execute({ abortSignal: scene.signal }))?.error?.message).toContain(
    'not connected',
  );
});

it("No server takes the name of another one's tool, whichever connects first", async () => {
  const tools = { a: server({ tools: [{ name: 'b_c' }] }), a_b: server({ tools: [{ name: 'c' }] }) };
  const { config, manager, change } = await session(tools);
  const owners = () =>
    ['mcp_a_b_c', 'mcp_a_b_c_2'].map((name) => config.getToolRegistry().getTool(name)?.serverName);
  expect(owners()).toEqual(['a_b', 'a']);
  await manager().restart('a');
  await manager().settled(10_000);
  expect(owners()).toEqual(['a_b', 'a']);
  await manager().restart('a_b');
  await manager().settled(10_000);
  expect(owners()).toEqual(['a_b', 'a']);
  await change({ a_b: tools.a_b });
  expect(owners()).toEqual(['a_b', undefined]);
});
