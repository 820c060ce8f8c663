/** `gemini mcp enable` and `disable`: kept in `mcp-server-enablement.json`. */
import { loadMcp } from '@gemini-cli/core';
import { notice, oneLine } from '../../output/output.js';
import type { SubcommandIo } from '../subcommand.js';
import type { McpRequest } from './request.js';

export interface SwitchArguments {
  verb: 'enable' | 'disable';
  name: string;
  session: boolean;
}

export async function switchServer(
  { verb, name, session }: SwitchArguments,
  request: McpRequest,
  io: SubcommandIo,
): Promise<number> {
  const { configuredServers, serverEnablement } = await loadMcp();
  const server = configuredServers(request).find((item) => isSame(item.name, name));
  const shown = oneLine(server?.name ?? name);
  if (!server) {
    io.stderr(`Error: Server '${shown}' not found. Use 'gemini mcp' to see available servers.`);
    return 1;
  }
  const { block } = server;
  if (verb === 'enable' && block && FIXED.includes(block.kind)) {
    io.stderr(oneLine(block.reason));
    return 1;
  }
  if (session) {
    io.stdout(
      verb === 'enable'
        ? `✓ Session disable cleared for '${shown}'.\n`
        : `✓ MCP server '${shown}' disabled for this session.\n`,
    );
    notice(
      io,
      'INFO',
      `Sessions that run already keep their state; there, type /mcp ${verb} ${shown} --session.`,
    );
    return 0;
  }
  await serverEnablement(request.environment).set(server.name, verb === 'enable');
  io.stdout(`✓ MCP server '${shown}' ${verb}d.\n`);
  if (verb === 'enable' && block?.kind === 'disabled') notice(io, 'WARNING', `${shown}: ${block.reason}`);
  return 0;
}

/** Enabling does not lift these. */
const FIXED: readonly string[] = ['admin', 'allowlist', 'excludelist'];

function isSame(a: string, b: string): boolean {
  return a.trim().toLowerCase() === b.trim().toLowerCase();
}
