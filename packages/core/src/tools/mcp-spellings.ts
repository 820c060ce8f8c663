/** Other spellings of the tools of MCP servers: `mcp__server__tool`, `server__tool`, and `mcp__tool` if it is the only one. */
import type { AnyDeclarativeTool } from './tools.js';

type Named = Pick<AnyDeclarativeTool, 'serverName' | 'mcpContext'>;

/** By what the tools say about themselves: a name is never taken apart, as servers and tools may contain underscores. */
export function findBySpelling<T extends Named>(name: string, tools: Iterable<T>): T | undefined {
  if (!name.includes('__')) return undefined;
  const all = [...tools].filter(({ serverName }) => serverName !== undefined);
  const full = all.filter((tool) => spellingsOf(tool).includes(name));
  // The longest server name wins.
  if (full.length > 0) return full.reduce((best, tool) => (lengthOf(tool) > lengthOf(best) ? tool : best));
  const bare = all.filter((tool) => cleaned(`mcp__${ownName(tool)}`) === cleaned(name));
  return bare.length === 1 ? bare[0] : undefined;
}

function spellingsOf(tool: Named): string[] {
  const { serverName = '' } = tool;
  const bare = serverName.replace(/^@/, '');
  return [serverName, bare].flatMap((server) => {
    const pair = `${server}__${ownName(tool)}`;
    return [pair, `mcp__${pair}`, cleaned(pair), `mcp__${cleaned(pair)}`];
  });
}

function ownName({ mcpContext }: Named): string {
  return mcpContext?.tool_name ?? '';
}

function lengthOf({ serverName = '' }: Named): number {
  return serverName.length;
}

function cleaned(name: string): string {
  return name.replace(/[^A-Za-z0-9_.:-]/g, '_');
}
