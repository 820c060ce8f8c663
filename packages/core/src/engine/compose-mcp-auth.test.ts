import { mkdtempSync, rmSync } from 'node:fs';
import { McpServer } from '@modelcontextprotocol/sdk/server/mcp.js';
import { StreamableHTTPServerTransport } from '@modelcontextprotocol/sdk/server/streamableHttp.js';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { EventStream } from '../bus/event-stream.js';
import { type ProtectedServer, startProtectedServer } from '../mcp/auth/protected-server.test-helper.js';
import { clientOf } from '../mcp/client.test-helper.js';
import { MCPServerStatus } from '../mcp/mcp-client.js';
import { systemClock } from '../platform/clock.js';
import { environmentOf } from '../platform/environment.js';
import {
  type OidcServer,
  signInInBrowser,
  startOidcServer,
} from '../platform/oauth/oidc-server.test-helper.js';
import { Redactor } from '../platform/redaction/redact.js';
import { composeMcpAuth } from './compose-mcp-auth.js';

const never = new AbortController().signal;
let home: string;
let oidc: OidcServer;
let remote: ProtectedServer;
let asked: string[];

beforeEach(async () => {
  home = mkdtempSync('/tmp/mcp-auth-');
  oidc = await startOidcServer();
  asked = [];
  remote = await startProtectedServer(oidc, '/mcp', async (request, response) => {
    const server = new McpServer({ name: 'greeter', version: '1' });
    server.registerTool('greet', {}, () => ({ content: [{ type: 'text', text: 'Hello.' }] }));
    const transport = new StreamableHTTPServerTransport({ sessionIdGenerator: undefined });
    await server.connect(transport);
    await transport.handleRequest(request, response);
  });
});
afterEach(async () => {
  await remote.close();
  await oidc.close();
  rmSync(home, { recursive: true, force: true });
});

/** A user who answers yes and pastes the address that the browser ends at. */
function userOf(events: EventStream): void {
  let address = '';
  events.subscribe(
    (event) => {
      if (event.type === 'notice') address = /https?:\S+/.exec(event.message)?.[0] ?? '';
      if (event.type !== 'question' || event.question.kind !== 'ask_user') return;
      const { id } = event;
      const [{ type, question } = { type: '', question: '' }] = event.question.questions;
      asked.push(question);
      const answer = (text: string) => events.answer(id, { answers: { '0': text } });
      if (type === 'yesno') answer('Yes');
      else void signInInBrowser(address, { stopAt: 'http://localhost:' }).then(answer);
    },
    { answers: true },
  );
}

function compose(events = new EventStream()) {
  const notices: string[] = [];
  const redactor = new Redactor();
  const variables = { HOME: home, GEMINI_CLI_HOME: home, NO_BROWSER: '1' };
  const notice = (message: string) => notices.push(message);
  const auth = composeMcpAuth({
    environment: environmentOf(variables, home),
    clock: systemClock,
    events,
    redactor,
    notice,
  });
  const open = (oauth = {}) => clientOf({ httpUrl: remote.url, oauth }, { auth: () => auth }).client;
  return { auth, open, notices, redactor };
}

describe('the credentials of MCP servers', () => {
  it('lead from a refusal to a working tool by one sign-in, which lasts', async () => {
    const events = new EventStream();
    userOf(events);
    const { auth, open, redactor } = compose(events);
    const client = open();
    await expect(client.connect()).rejects.toMatchObject({ code: 'unauthorized' });
    expect(client.lastError?.message).toContain(`Run /mcp auth ${client.name}.`);
    expect(asked).toEqual([]);

    await auth.authenticate(client.server, never);
    await client.connect();
    expect(client.status).toBe(MCPServerStatus.CONNECTED);
    expect(await client.callTool('greet', {})).toMatchObject({ content: [{ text: 'Hello.' }] });
    expect(asked[0]).toContain(`Sign in for the MCP server ${client.name} at ${new URL(oidc.issuer).host}?`);
    expect(asked[1]).toContain('paste the code');
    expect(await auth.stateOf(client.server)).toBe('authenticated');
    const token = remote.authorizations.at(-1)?.replace('Bearer ', '') ?? '';
    expect(redactor.redact(`x ${token} y`)).not.toContain(token);
    await client.disconnect();
    auth.close();

    // Another process without a user.
    const later = compose();
    const again = later.open();
    await again.connect();
    expect(again.tools).toHaveLength(1);
    await again.disconnect();
    later.auth.close();
  });

  it('are asked for while a server connects only where its settings say so and a user is there', async () => {
    const events = new EventStream();
    userOf(events);
    const headless = compose();
    await expect(headless.open({ enabled: true }).connect()).rejects.toMatchObject({ code: 'unauthorized' });
    const { open, auth } = compose(events);
    const client = open({ enabled: true });
    await client.connect();
    expect(client.tools).toHaveLength(1);
    expect(asked).toHaveLength(2);
    await client.disconnect();
    auth.close();
  });
});
