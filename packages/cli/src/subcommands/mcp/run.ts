/** `gemini mcp <add|remove|list|enable|disable>`: the MCP servers of this folder, the user and the system. */
import { readExtensions, readFolder } from '@gemini-cli/core';
import { subcommandHelp } from '../../command-line/help.js';
import { findSubcommand } from '../../command-line/subcommands.js';
import { notice } from '../../output/output.js';
import { currentDirectory } from '../current-directory.js';
import type { Subcommand, SubcommandIo } from '../subcommand.js';
import { add } from './add.js';
import { type McpArguments, parseArguments } from './arguments.js';
import { list } from './list.js';
import { remove } from './remove.js';
import { switchServer } from './switch.js';

const run: Subcommand = async (args, io) => {
  const wanted = parseArguments(args);
  if (typeof wanted !== 'string') return mcpCommand(wanted, io, currentDirectory());
  io.stderr(`gemini mcp: ${wanted}`);
  const spec = findSubcommand('mcp');
  if (args.length === 0 && spec) io.stderr(`\n${subcommandHelp(spec).trimEnd()}`);
  return 1;
};

export default run;

export async function mcpCommand(wanted: McpArguments, io: SubcommandIo, cwd: string): Promise<number> {
  const warn = (message: string) => notice(io, 'WARNING', message);
  const { settings, environment, trust } = await readFolder({ cwd, env: io.env, notice: warn });
  if (wanted.verb === 'add') return add(wanted, settings, io);
  if (wanted.verb === 'remove') return remove(wanted, settings, io);
  const { extensionServers } = await readExtensions({ cwd, environment, settings, trust }, {}, warn);
  const request = { settings, environment, cwd, isTrusted: trust.trusted, extensionServers, notice: warn };
  return wanted.verb === 'list' ? list(request, io) : switchServer(wanted, request, io);
}
