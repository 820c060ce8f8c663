/**
 * What clients leave out or write otherwise when they open a session, because users write their MCP servers by hand: the
 * protocol wants `args`, `env` and `headers` of each, as lists.
 */

const OPENS: ReadonlySet<unknown> = new Set([
  'session/new',
  'session/load',
  'session/resume',
  'session/fork',
]);

type Fields = Record<string, unknown>;

/** Changes the message. What is still wrong is refused by the schema of the protocol. */
export function tolerated(message: unknown): unknown {
  if (!isFields(message) || !OPENS.has(message['method']) || !isFields(message['params'])) return message;
  const { params } = message;
  params['mcpServers'] = listOf(params['mcpServers'] ?? []);
  if (Array.isArray(params['mcpServers'])) for (const server of params['mcpServers']) completeServer(server);
  return message;
}

function completeServer(server: unknown): void {
  if (!isFields(server)) return;
  if ('command' in server) {
    server['args'] ??= [];
    server['env'] = pairsOf(server['env'] ?? []);
  } else if ('url' in server) {
    server['type'] ??= 'http';
    server['headers'] = pairsOf(server['headers'] ?? []);
  }
}

/** An empty table of Lua may arrive as an object. */
function listOf(value: unknown): unknown {
  return isFields(value) && Object.keys(value).length === 0 ? [] : value;
}

function pairsOf(value: unknown): unknown {
  if (!isFields(value)) return value;
  return Object.entries(value).map(([name, text]) => ({ name, value: text }));
}

function isFields(value: unknown): value is Fields {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
