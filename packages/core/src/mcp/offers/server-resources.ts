/** The resources of all connected servers, for tools and for `@` in prompts. */
import type { McpResources } from '../../tools/mcp-resources/host.js';
import { McpServerError } from '../errors.js';
import type { McpClientManager } from '../mcp-client-manager.js';
import { readContents } from './read-contents.js';

export function serverResources(manager: Pick<McpClientManager, 'servers' | 'client'>): McpResources {
  const connected = () => manager.servers().flatMap(({ client }) => client ?? []);
  return {
    list: () =>
      connected().flatMap(({ name: server, resources }) =>
        resources.map(({ uri, name, description, mimeType }) => ({
          server,
          uri,
          name,
          ...(description !== undefined && { description }),
          ...(mimeType !== undefined && { mimeType }),
        })),
      ),
    servers: () => connected().map(({ name }) => name),
    read: async (server, uri, signal) => {
      const client = manager.client(server);
      if (!client) throw new McpServerError(server, 'not_connected', 'it is not connected.');
      return readContents(await client.readResource(uri, { signal }));
    },
  };
}
