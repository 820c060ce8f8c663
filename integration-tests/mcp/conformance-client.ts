/**
 * The client that the conformance suite of MCP drives: our own client with our own credentials, and a user who agrees to
 * everything. The suite names the scenario in the environment and the server's address as the last argument.
 */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { McpAuth } from '../../packages/core/src/mcp/auth/mcp-auth.js';
import type { MCPOAuthConfig, ResolvedServer } from '../../packages/core/src/mcp/config.js';
import { McpClient } from '../../packages/core/src/mcp/mcp-client.js';
import type { ServerRequestHandlers } from '../../packages/core/src/mcp/request-handlers.js';
import { transportsOf } from '../../packages/core/src/mcp/transport/open-transport.js';
import { systemClock } from '../../packages/core/src/platform/clock.js';

const { MCP_CONFORMANCE_SCENARIO: scenario = '', MCP_CONFORMANCE_CONTEXT: context = '{}' } = process.env;
const home = mkdtempSync(join(tmpdir(), 'mcp-conformance-'));
const environment = { variables: { HOME: home, GEMINI_CLI_HOME: home }, cwd: home, home };

const server: ResolvedServer = {
  name: 'conformance',
  config: {
    httpUrl: process.argv.at(-1) ?? '',
    timeout: 20_000,
    oauth: { enabled: true, ...clientOf(scenario) },
  },
};
const auth = new McpAuth({
  environment,
  clock: systemClock,
  notify: (message) => console.error(message),
  onSecret: () => {},
  prompts: () => ({
    confirm: async () => true,
    showUrl: () => {},
    openBrowser: async (url) => {
      void fetch(url).catch((error: unknown) => console.error('the browser', error));
      return true;
    },
    askCode: async () => undefined,
  }),
});
const client = new McpClient(server, {
  transports: (wanted) =>
    transportsOf(wanted, {
      environment,
      targetDir: home,
      redaction: () => ({}),
      sandbox: () => undefined,
      auth: () => auth,
    }),
  handlers: () => ({ elicit: acceptAsItIs }),
});

try {
  await client.connect();
  for (const { name } of client.tools)
    await client.callTool(name, name === 'add_numbers' ? { a: 5, b: 3 } : {});
} catch (error) {
  // This scenario's server offers nothing, which is an error for the user.
  if (scenario !== 'initialize') {
    console.error(error);
    process.exitCode = 1;
  }
} finally {
  await client.disconnect();
  auth.close();
  rmSync(home, { recursive: true });
}

/** What a user would have in `oauth` of the server. */
function clientOf(name: string): MCPOAuthConfig {
  const { client_id: clientId, client_secret: clientSecret } = JSON.parse(context);
  if (name === 'auth/basic-cimd') return { clientId: 'https://conformance-test.local/client-metadata.json' };
  return clientId ? { clientId, clientSecret } : {};
}

type Elicit = NonNullable<ServerRequestHandlers['elicit']>;

async function acceptAsItIs(...[, params]: Parameters<Elicit>): ReturnType<Elicit> {
  if (!('requestedSchema' in params)) return { action: 'decline' };
  const fields = Object.entries(params.requestedSchema.properties);
  const content = fields.flatMap(([name, field]) =>
    'default' in field && field.default !== undefined ? [[name, field.default] as const] : [],
  );
  return { action: 'accept', content: Object.fromEntries(content) };
}
