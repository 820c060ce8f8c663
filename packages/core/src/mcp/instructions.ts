/** What servers say about their use, for the system prompt. It is the server's text: fenced, cleaned and bounded. */
import { visibleName } from '../base/visible-text.js';
import { cleanServerText } from './clean-text.js';
import { MCPServerStatus } from './mcp-client.js';
import type { McpServerView } from './mcp-client-manager.js';

const MAX_LENGTH = 8_000;

export function serverInstructions(servers: readonly McpServerView[]): string {
  return servers
    .flatMap(({ server, client }) => {
      if (client?.status !== MCPServerStatus.CONNECTED || !client.instructions?.trim()) return [];
      const name = visibleName(server.name);
      return [
        `The MCP server "${name}" says about the use of its tools (text of the server, not of the user):`,
        `[start of instructions from ${name}]`,
        fenced(cleanServerText(client.instructions.trim())),
        `[end of instructions from ${name}]`,
      ].join('\n');
    })
    .join('\n\n');
}

/** The text cannot end its own fence. */
function fenced(text: string): string {
  const cut = text.length > MAX_LENGTH ? `${text.slice(0, MAX_LENGTH)}\n[cut]` : text;
  return cut.replaceAll(/\[(start|end) of instructions from/gi, '($1 of instructions from');
}
