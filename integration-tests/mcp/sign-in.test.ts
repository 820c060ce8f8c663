/** A remote MCP server behind a real authorization server, in the built program: sign-in in the terminal, then headless. */
import { McpServer } from '@modelcontextprotocol/sdk/server/mcp.js';
import { StreamableHTTPServerTransport } from '@modelcontextprotocol/sdk/server/streamableHttp.js';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import {
  type ProtectedServer,
  startProtectedServer,
} from '../../packages/core/src/mcp/auth/protected-server.test-helper.js';
import {
  type OidcServer,
  signInInBrowser,
  startOidcServer,
} from '../../packages/core/src/platform/oauth/oidc-server.test-helper.js';
import { callTool, declaredTools, type TestRig, testRig, text, toolResponses } from '../test-utils.js';
import { command, LONG, startUi } from '../ui/ui.js';

let oidc: OidcServer;
let remote: ProtectedServer;

beforeEach(async () => {
  oidc = await startOidcServer();
  remote = await startProtectedServer(oidc, '/mcp', async (request, response) => {
    const server = new McpServer({ name: 'greeter', version: '1' });
    server.registerTool('greet', {}, () => ({ content: [{ type: 'text', text: 'Hello from afar.' }] }));
    const transport = new StreamableHTTPServerTransport({ sessionIdGenerator: undefined });
    await server.connect(transport);
    await transport.handleRequest(request, response);
  });
});
afterEach(async () => {
  await remote.close();
  await oidc.close();
});

async function rigWith(oauth: object): Promise<TestRig> {
  const server = { httpUrl: remote.url, trust: true, timeout: 60_000, oauth };
  return testRig({ settings: { mcpServers: { afar: server } } });
}

describe('A server that wants a sign-in', { timeout: 90_000 }, () => {
  it('is reported by a headless run, which asks nothing and continues without it', async () => {
    const rig = await rigWith({ enabled: true });
    rig.model.replies([text('Fine.')]);
    const run = await rig.cli('-p', 'hello');
    expect(run).toMatchObject({ exitCode: 0, stdout: 'Fine.\n' });
    expect(run.stderr).toContain('MCP server "afar": it asks for a sign-in. Run /mcp auth afar.');
    expect(declaredTools(rig)).not.toContain('mcp_afar_greet');
    expect(oidc.registrations).toBe(0);
  });

  it('goes from a refusal to a working tool with /mcp auth', async () => {
    const rig = await rigWith({});
    const screen = await startUi(rig, [], { cols: 400, rows: 40, env: { NO_BROWSER: 'true' } });
    await screen.waitFor('it asks for a sign-in. Run /mcp auth afar.', LONG);
    expect(oidc.registrations).toBe(0);
    await command(screen, '/mcp auth afar');
    await screen.waitFor(`Sign in for the MCP server afar at ${new URL(oidc.issuer).host}?`, LONG);
    for (let tries = 0; tries < 15 && !screen.text().includes('paste the code'); tries++) {
      // Enter right after a command counts as a key held down and is dropped.
      screen.press('Enter');
      await screen.waitFor('paste the code', { timeoutMs: 1_000 }).catch(() => undefined);
    }
    const [address = ''] = /http:\/\/127\.0\.0\.1:\d+\/auth\?\S+/.exec(screen.text()) ?? [];
    const end = await signInInBrowser(address, { stopAt: 'http://localhost:' });
    screen.type(`${end}\r`);
    await screen.waitFor('Signed in to "afar". 1 tool is available.', LONG);
    expect(screen.text()).not.toContain('it asks for a sign-in');
    expect(screen.text()).not.toContain('esc to cancel');
    rig.model.replies([callTool('mcp_afar_greet', {})], [text('It greets.')]);
    await command(screen, 'greet me');
    await screen.waitFor('It greets.', LONG);
    expect(toolResponses(rig)[0]?.response.output).toContain('Hello from afar.');
    expect(oidc.registrations).toBe(1);
  });

  it('works after a sign-in with a pasted address, also in a later headless run', async () => {
    const rig = await rigWith({ enabled: true });
    const screen = await startUi(rig, [], { cols: 400, rows: 40, env: { NO_BROWSER: 'true' } });
    await screen.waitFor('─ Sign in ─', LONG);
    await screen.waitFor(`Sign in for the MCP server afar at ${new URL(oidc.issuer).host}?`, LONG);
    expect(screen.text()).not.toContain('Type your own answer');
    screen.type('\r');
    await screen.waitFor('paste the code', LONG);
    const [address = ''] = /http:\/\/127\.0\.0\.1:\d+\/auth\?\S+/.exec(screen.text()) ?? [];
    const end = await signInInBrowser(address, { stopAt: 'http://localhost:' });
    screen.type(`${end}\r`);
    rig.model.replies([callTool('mcp_afar_greet', {})], [text('It greets.')]);
    await command(screen, 'greet me');
    await screen.waitFor('It greets.', LONG);
    expect(toolResponses(rig)[0]?.response.output).toContain('Hello from afar.');
    screen.type('/quit\r');

    rig.model.replies([callTool('mcp_afar_greet', {})], [text('Again.')]);
    const run = await rig.cli('-p', 'greet me');
    expect(run).toMatchObject({ exitCode: 0, stdout: 'Again.\n', stderr: '' });
    expect(toolResponses(rig)[0]?.response.output).toContain('Hello from afar.');
    expect(oidc.registrations).toBe(1);
    const listed = await rig.cli('mcp', 'list');
    expect(listed.stdout).toContain(`✓ afar: ${remote.url} (http) - Connected`);
  });
});
