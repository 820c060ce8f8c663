/** Serves a host to one client. */
import type { Stream } from '@agentclientprotocol/sdk';
import { GeminiAgent } from './agent/gemini-agent.js';
import { registerMethods } from './agent/register.js';
import type { AcpHost } from './host.js';

export interface ServedClient {
  /** Resolves when the connection has ended and all of its sessions are closed. Never rejects. */
  readonly closed: Promise<void>;
  close(): Promise<void>;
}

export function serveClient(host: AcpHost, stream: Stream): ServedClient {
  const connection = registerMethods(() => served).connect(stream);
  const served = new GeminiAgent(host, connection.client);
  const closed = connection.closed.then(() => served.close());
  return {
    closed,
    close: () => {
      connection.close();
      return closed;
    },
  };
}
