/** The way to a companion: streamable HTTP on this machine, or a program on stdio. */
import type { Transport } from '@modelcontextprotocol/client';
import type { Environment } from '../../platform/environment.js';
import type { IdeServer } from '../discovery/find-servers.js';
import { HttpTransport } from './http-transport.js';

/** @param host where the companion listens, as seen from here */
export async function openTransport(
  server: IdeServer,
  { variables, cwd }: Environment,
  host: string,
): Promise<Transport> {
  const { displayName } = server.ide;
  if (server.kind === 'http') {
    const url = new URL(`http://${host}:${server.port}/mcp`);
    return new HttpTransport({ url, token: server.token, displayName });
  }
  const { StdioTransport } = await import('../../mcp/transport/stdio.js');
  const env = Object.fromEntries(
    Object.entries(variables).filter((entry): entry is [string, string] => entry[1] !== undefined),
  );
  return new StdioTransport({
    serverName: displayName,
    command: server.command,
    args: server.args,
    cwd,
    env,
  });
}
