/** Names of a plugin's MCP servers in names of tools: `mcp__plugin_<plugin>_<server>__tool`, `mcp__server__tool`. */

/** From the names in the plugin to the names here. */
export type ServerNames = ReadonlyMap<string, string>;

/** An entry of a list of tools, or a word of a matcher; others stay as they are. */
export function withServerNames(entry: string, servers: ServerNames): string {
  const [, server, rest = ''] = /^mcp__(.+?)(__.*)?$/s.exec(entry) ?? [];
  if (server === undefined) return entry;
  const own = [...servers].find(([written]) =>
    [written, inToolNames(written)].some((name) => server === name || isOfPlugin(server, name)),
  );
  return own ? `mcp__${own[1]}${rest}` : entry;
}

/** As Claude Code writes a name with spaces or dots. */
function inToolNames(server: string): string {
  return server.replace(/[^\w-]/g, '_');
}

function isOfPlugin(server: string, written: string): boolean {
  return server.startsWith('plugin_') && server.endsWith(`_${written}`);
}
