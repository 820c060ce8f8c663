/** The MCP servers a client brings, as fields of our settings. */
import type { McpServer } from '@agentclientprotocol/sdk';
import type { McpServerFields } from '@gemini-cli/core';
import { CallerError } from '../errors.js';

/** @throws CallerError for two servers of one name */
export function toServerFields(
  servers: readonly McpServer[],
  cwd: string,
): Readonly<Record<string, McpServerFields>> {
  const fields: Record<string, McpServerFields> = {};
  for (const server of servers) {
    if (Object.hasOwn(fields, server.name))
      throw new CallerError(`mcpServers has two servers named "${server.name}".`);
    fields[server.name] = fieldsOf(server, cwd);
  }
  return fields;
}

function fieldsOf(server: McpServer, cwd: string): McpServerFields {
  if ('command' in server) {
    const { command, args, env } = server;
    return { command, args, env: byName(env), cwd };
  }
  const { type, url, headers } = server;
  return { type, url, headers: byName(headers) };
}

function byName(pairs: readonly { name: string; value: string }[]): Record<string, string> {
  return Object.fromEntries(pairs.map(({ name, value }) => [name, value]));
}
