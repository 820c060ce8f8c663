/** Names of MCP tools for models: `mcp_<server>_<tool>`, within what every provider accepts. */

const PREFIX = 'mcp_';
const MAX_NAME = 63;
const KEPT_AT_EACH_END = 30;

/** A server's name as part of tool names; a leading `@` is dropped. */
export function serverPart(serverName: string): string {
  return sanitized(serverName.replace(/^@/, ''));
}

/** @param part of the server, unique among the servers of a session */
export function modelToolName(part: string, toolName: string): string {
  const name = `${PREFIX}${part}_${sanitized(toolName)}`;
  if (name.length <= MAX_NAME) return name;
  return `${name.slice(0, KEPT_AT_EACH_END)}...${name.slice(-KEPT_AT_EACH_END)}`;
}

/** Another name for a tool whose name is taken. */
export function numberedName(name: string, count: number): string {
  const end = `_${count}`;
  return `${name.slice(0, MAX_NAME - end.length)}${end}`;
}

/** A part for each server: the second of two that would look the same gets `_2`, and so on. */
export function uniqueParts(serverNames: readonly string[]): Map<string, string> {
  const parts = new Map<string, string>();
  const taken = new Set<string>();
  for (const name of serverNames) {
    const wanted = serverPart(name);
    let part = wanted;
    for (let count = 2; taken.has(part); count++) part = `${wanted}_${count}`;
    taken.add(part);
    parts.set(name, part);
  }
  return parts;
}

function sanitized(text: string): string {
  return text.replace(/[^A-Za-z0-9_.:-]/g, '_') || '_';
}
