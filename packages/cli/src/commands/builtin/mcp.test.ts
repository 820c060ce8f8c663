import type { Config, McpServerView } from '@gemini-cli/core';
import { describe, expect, it } from 'vitest';
import { builtinCommands } from '../loaders/builtin.js';
import { runCommand } from '../run-command.js';
import { testContext } from '../testing/context.test-helper.js';

type Status = McpServerView['status'];

const TOOL = {
  name: 'echo',
  description: 'Says it\nagain \u001b[2J',
  inputSchema: { type: 'object', properties: { text: { type: 'string' } } },
};

function viewOf(name: string, more: object = {}, all: readonly object[] = [TOOL]): McpServerView {
  const client = { name, tools: all, prompts: [], resources: [{ uri: 'file:///a', name: 'a' }] };
  const server = {
    name,
    config: { command: 'node', args: ['s.js', '--key=hidden'], description: 'My server' },
  };
  const view = { server, status: 'connected' as Status, client, tools: () => [TOOL], ...more };
  return view as unknown as McpServerView;
}

/** A session with these servers. */
function session(views: McpServerView[], { states = {} as Record<string, string>, block = '' } = {}) {
  const calls: string[] = [];
  const manager = {
    servers: () => views,
    reports: { showDetails: () => calls.push('details') },
    ready: async () => {},
    restart: async (name: string) => void calls.push(`restart ${name}`),
    restartAll: async () => void calls.push('restartAll'),
    settled: async () => {},
  };
  const config = {
    isInteractive: () => true,
    getTelemetry: () => undefined,
    reloadMcpServers: async () => void calls.push('settings'),
    getMcpClientManager: () => (views.length > 0 ? manager : undefined),
    getRedactor: () => ({ redact: (text: string) => text.replace('hidden', '***') }),
    getMcpSignIn: () => ({
      stateOf: async ({ name }: { name: string }) => states[name],
      authenticate: async ({ name }: { name: string }) => void calls.push(`sign in ${name}`),
    }),
    setMcpServerEnabled: async (name: string, enabled: boolean, { isSession }: { isSession: boolean }) => {
      calls.push(`${enabled ? 'enable' : 'disable'} ${name}${isSession ? ' in the session' : ''}`);
      return block || undefined;
    },
  } as unknown as Config;
  const context = testContext({ config });
  const commands = builtinCommands();
  const run = async (line: string) => (await runCommand(line, commands, context)).result;
  return { run, calls, context, commands };
}

const detailOf = (result: unknown) =>
  (result as { items: { rows: { name: string; note: string; detail: string }[] }[] }).items[0]?.rows;

describe('/mcp', () => {
  it('opens the panel, and has the same as text', async () => {
    expect(await session([viewOf('files')]).run('/mcp')).toMatchObject({
      dialog: 'mcp',
      plain: expect.stringContaining('files  (Ready (1 tool, 1 resource))'),
    });
    expect(await session([]).run('/mcp')).toMatchObject({
      content: expect.stringContaining('No MCP servers configured.'),
    });
  });

  it('lists tools, then descriptions, then parameters, never secrets', async () => {
    const { run, calls } = session([viewOf('files')]);
    const [plain] = detailOf(await run('/mcp nodesc')) ?? [];
    expect(plain?.detail).toBe('node s.js --key=*** (stdio)\nTools:\n- echo\nResources:\n- file:///a');
    const [described] = detailOf(await run('/mcp description')) ?? [];
    expect(described?.detail).toContain('My server\n');
    expect(described?.detail).toContain('- echo: Says it again');
    const [full] = detailOf(await run('/mcp schema')) ?? [];
    expect(full?.detail).toContain('"text": {');
    expect(calls).toContain('details');
  });

  it('lists only the tools that the settings of the server select, and says how many there are', async () => {
    const { run } = session([viewOf('files', {}, [TOOL, { ...TOOL, name: 'shout' }])]);
    const [row] = detailOf(await run('/mcp list')) ?? [];
    expect(row?.note).toBe('Ready (1 of 2 tools, 1 resource)');
    expect(row?.detail).not.toContain('shout');
  });

  it('says why a server is not connected', async () => {
    const failed = viewOf('web', {
      status: 'disconnected',
      error: new Error('It is gone.'),
      client: undefined,
    });
    const blocked = viewOf('off', {
      status: 'blocked',
      block: { kind: 'allowlist', reason: 'Not allowed.' },
    });
    const rows = detailOf(await session([failed, blocked], { states: { web: 'expired' } }).run('/mcp list'));
    expect(rows?.[0]).toMatchObject({
      note: 'Disconnected · OAuth: expired',
      detail: expect.stringContaining('It is gone.'),
    });
    expect(rows?.[1]).toMatchObject({ note: 'Blocked', detail: expect.stringContaining('Not allowed.') });
  });

  it('signs in, connects the server again and counts its tools', async () => {
    const at = (name: string) => ({ server: { name, config: { url: 'https://web.example/mcp' } } });
    const off = {
      ...at('off'),
      status: 'disabled',
      block: { kind: 'enablement', reason: 'It is disabled.' },
    };
    const views = [viewOf('web', at('web')), viewOf('local'), viewOf('free', at('free')), viewOf('off', off)];
    const { run, calls } = session(views, { states: { web: 'not_authenticated' } });
    expect(await run('/mcp auth WEB')).toMatchObject({
      content: 'Signed in to "web". 1 tool is available.',
    });
    expect(calls).toEqual(['details', 'sign in web', 'restart web']);
    expect(await run('/mcp auth local')).toMatchObject({ content: 'The MCP server "local" has no sign-in.' });
    expect(await run('/mcp auth off')).toMatchObject({ content: 'It is disabled.' });
    // It has not asked for a sign-in; the user wants one all the same.
    expect(await run('/mcp auth free')).toMatchObject({
      content: 'Signed in to "free". 1 tool is available.',
    });
    expect(await run('/mcp auth other')).toMatchObject({
      content: expect.stringContaining('There are: web, local, free, off.'),
    });
    expect(detailOf(await run('/mcp auth'))).toEqual([{ name: 'web', note: 'not authenticated' }]);
  });

  it('enables and disables, for good or for the session', async () => {
    const { run, calls } = session([viewOf('web')]);
    expect(await run('/mcp disable web')).toMatchObject({ content: "MCP server 'web' disabled." });
    expect(await run('/mcp disable --session web')).toMatchObject({
      content: "MCP server 'web' disabled for this session.",
    });
    expect(await run('/mcp enable web')).toMatchObject({ content: "MCP server 'web' enabled." });
    expect(calls).toEqual(['disable web', 'disable web in the session', 'enable web']);
    expect(await run('/mcp enable')).toMatchObject({ content: expect.stringContaining('Name a server') });
    const blocked = session([viewOf('web')], { block: 'Not allowed.' });
    expect(await blocked.run('/mcp enable web')).toMatchObject({
      messageType: 'warning',
      content: 'Not allowed.',
    });
  });

  it('reads the settings again and restarts all servers', async () => {
    const { run, calls } = session([viewOf('web')]);
    expect(await run('/mcp refresh')).toMatchObject({
      content: 'Restarted the MCP servers: 1 of 1 connected.',
    });
    expect(calls).toEqual(['settings', 'details', 'restartAll']);
  });

  it('completes names of servers that can be enabled or disabled', async () => {
    const off = viewOf('off', { block: { kind: 'enablement', reason: '' } });
    const { context, commands } = session([viewOf('on'), off]);
    const sub = (name: string) =>
      commands.find((command) => command.name === 'mcp')?.subCommands?.find((item) => item.name === name);
    expect(await sub('enable')?.completion?.(context, '')).toEqual(['off']);
    expect(await sub('disable')?.completion?.(context, 'o')).toEqual(['on']);
    expect(await sub('auth')?.completion?.(context, 'o')).toEqual(['on', 'off']);
  });
});
