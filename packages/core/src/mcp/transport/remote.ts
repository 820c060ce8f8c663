/** Servers over streamable HTTP or SSE: the library's transports on our own connections. */
import type { Environment } from '../../platform/environment.js';
import type { AuthProviderPort } from '../auth-port.js';
import type { ResolvedServer } from '../config.js';
import { McpServerError } from '../errors.js';
import type { OpenTransport } from '../mcp-client.js';
import { createFetch } from './fetch.js';
import { within } from './within.js';

export interface RemoteServer {
  server: ResolvedServer;
  headers: () => Record<string, string>;
  /** What is wrong with the configured headers, as far as can be seen. */
  headerProblem?: () => string | undefined;
  environment: Environment;
  auth: AuthProviderPort | undefined;
}

export async function openRemote(type: 'http' | 'sse', remote: RemoteServer): Promise<OpenTransport> {
  const { server } = remote;
  const address = server.config.httpUrl || server.config.url || '';
  if (!URL.canParse(address) || !/^https?:$/.test(new URL(address).protocol))
    throw new McpServerError(server.name, 'transport', 'its address is not an http or https URL.');
  const url = new URL(address);
  const { fetch, close } = createFetch(url, remote);
  const library = await import('@modelcontextprotocol/client');
  const transport =
    type === 'http'
      ? new library.StreamableHTTPClientTransport(url, { fetch, redirectPolicy: 'same-origin' })
      : new library.SSEClientTransport(url, { fetch, redirectPolicy: 'same-origin' });
  return closingWith(transport, close);
}

/** Also ends the session on the server, if it has one, and our connections. */
function closingWith(transport: OpenTransport, closeConnections: () => void): OpenTransport {
  const close = transport.close.bind(transport);
  transport.close = async () => {
    if ('terminateSession' in transport && typeof transport.terminateSession === 'function') {
      await within(SESSION_END_MS, transport.terminateSession());
    }
    await close();
    closeConnections();
  };
  return transport;
}

const SESSION_END_MS = 500;
