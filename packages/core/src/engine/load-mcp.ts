/** Loads what subcommands need of MCP, on first use. */
export type McpTools = typeof import('./inspect-mcp.js');

export function loadMcp(): Promise<McpTools> {
  return import('./inspect-mcp.js');
}
