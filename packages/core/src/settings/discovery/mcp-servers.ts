/** Lists the MCP servers in the folder's settings with the program they start or the address they use. */
import { isObject } from '../../base/objects.js';
import { cleanLabel } from './clean.js';
import type { DiscoveryContext } from './context.js';
import { listOf, mayBeTrue, type Table } from './values.js';

export function discoverMcpServers({ folder, settings }: DiscoveryContext): string[] {
  const servers = settings['mcpServers'];
  if (servers === undefined) return [];
  if (!isObject(servers)) {
    folder.error('.gemini/settings.json', 'mcpServers must be an object');
    return [];
  }
  return Object.entries(servers).map(([name, server]) => {
    if (!isObject(server)) {
      folder.error('.gemini/settings.json', `mcpServers.${name} must be an object`);
      return cleanLabel(name);
    }
    if (mayBeTrue(server['trust'])) {
      folder.warn(`The MCP server "${name}" asks to run its tools without confirmation (trust: true).`);
    }
    return cleanLabel(`${name}: ${targetOf(server)}`);
  });
}

/** In the precedence order of the transports. */
function targetOf(server: Table): string {
  for (const key of ['httpUrl', 'url', 'tcp']) {
    if (server[key] !== undefined) return String(server[key]);
  }
  return [server['command'] ?? '(no command)', ...listOf(server['args'])].map(String).join(' ');
}
