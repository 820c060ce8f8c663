/** Registers with the protocol library what this program answers, and what it wants to hear. */
import type { Client } from '@modelcontextprotocol/client';
import type { ResolvedServer } from './config.js';
import type { McpListKind } from './mcp-client.js';
import type { ServerRequestHandlers } from './request-handlers.js';

export function answerServer(client: Client, server: ResolvedServer, handlers: ServerRequestHandlers): void {
  const { roots, elicit, sample, log } = handlers;
  if (roots) client.setRequestHandler('roots/list', async () => ({ roots: await roots(server) }));
  if (elicit)
    client.setRequestHandler('elicitation/create', ({ params }, { mcpReq: { signal } }) =>
      elicit(server, params, signal),
    );
  if (sample)
    client.setRequestHandler('sampling/createMessage', ({ params }, { mcpReq: { signal } }) =>
      sample(server, params, signal),
    );
  client.setNotificationHandler('notifications/message', ({ params: { level, logger, data } }) =>
    log?.(server, { level, data, ...(logger !== undefined && { logger }) }),
  );
}

/** Also for servers that did not announce such messages. */
export function onListChanged(client: Client, changed: (kind: McpListKind) => void): void {
  client.setNotificationHandler('notifications/tools/list_changed', () => changed('tools'));
  client.setNotificationHandler('notifications/prompts/list_changed', () => changed('prompts'));
  client.setNotificationHandler('notifications/resources/list_changed', () => changed('resources'));
}

/** The user is done with a page that the server asked to open. */
export function onPageCompleted(client: Client, completed: (elicitationId: string) => void): void {
  client.setNotificationHandler('notifications/elicitation/complete', ({ params }) =>
    completed(params.elicitationId),
  );
}
