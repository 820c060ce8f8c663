/** For tests: a client of one server, without an engine. */
import { onTestFinished } from 'vitest';
import type { McpServerFields, ResolvedServer } from './config.js';
import { McpClient, type McpClientEvent } from './mcp-client.js';
import type { ServerRequestHandlers } from './request-handlers.js';
import { type TransportParts, transportsOf } from './transport/open-transport.js';

export interface TestClient {
  client: McpClient;
  events: McpClientEvent[];
}

export function clientOf(
  config: McpServerFields,
  {
    name = 'test',
    handlers = {},
    ...parts
  }: Partial<TransportParts> & { name?: string; handlers?: ServerRequestHandlers } = {},
): TestClient {
  const server: ResolvedServer = { name, config };
  const all: TransportParts = {
    environment: { variables: process.env, cwd: process.cwd(), home: process.env['HOME'] ?? '/' },
    targetDir: process.cwd(),
    redaction: () => ({}),
    sandbox: () => undefined,
    auth: () => undefined,
    ...parts,
  };
  const client = new McpClient(server, {
    transports: (item) => transportsOf(item, all),
    handlers: () => handlers,
  });
  const events: McpClientEvent[] = [];
  client.on((event) => events.push(event));
  onTestFinished(() => client.disconnect());
  return { client, events };
}
