/** `gemini mcp <add|remove|list|enable|disable>`: the MCP servers of this folder, the user and the system. */
import { readFolder } from '@gemini-cli/core';
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
  const request = { settings, environment, cwd, isTrusted: trust.trusted, notice: warn };
  switch (wanted.verb) {
    case 'add':
      return add(wanted, settings, io);
    case 'remove':
      return remove(wanted, settings, io);
    case 'list':
      return list(request, io);
    case 'enable':
    case 'disable':
      return switchServer(wanted, request, io);
  }
}
