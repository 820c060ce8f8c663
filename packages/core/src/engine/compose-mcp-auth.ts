/** Credentials of MCP servers. Nothing of them is loaded before a remote server is used. */
import type { EventStream } from '../bus/event-stream.js';
import type { McpAuth } from '../mcp/auth/mcp-auth.js';
import type { AuthProviderPort, McpSignIn } from '../mcp/auth-port.js';
import type { Clock } from '../platform/clock.js';
import type { Environment } from '../platform/environment.js';

export interface McpAuthPorts {
  environment: Environment;
  clock: Clock;
  events: EventStream;
  redactor: { addSecret(secret: string): void };
  notice: (message: string) => void;
}

export interface McpAuthServices extends AuthProviderPort, McpSignIn {
  authenticate: McpSignIn['authenticate'];
  stateOf: McpSignIn['stateOf'];
  close(): void;
}

export function composeMcpAuth(ports: McpAuthPorts): McpAuthServices {
  let loaded: Promise<McpAuth> | undefined;
  const auth = () => {
    loaded ??= make(ports);
    return loaded;
  };
  return {
    headers: async (server) => (await auth()).headers(server),
    query: async (server) => (await auth()).query(server),
    onUnauthorized: async (server, challenge) => (await auth()).onUnauthorized(server, challenge),
    authenticate: async (server, signal) => (await auth()).authenticate(server, signal),
    stateOf: async (server) => (await auth()).stateOf(server),
    close: () => void loaded?.then((made) => made.close()),
  };
}

async function make({ environment, clock, events, redactor, notice }: McpAuthPorts): Promise<McpAuth> {
  const [{ McpAuth }, { oauthPrompts }] = await Promise.all([
    import('../mcp/auth/mcp-auth.js'),
    import('./oauth-prompts.js'),
  ]);
  return new McpAuth({
    environment,
    clock,
    prompts: () => oauthPrompts(events, environment.variables),
    notify: notice,
    onSecret: (secret) => redactor.addSecret(secret),
  });
}
