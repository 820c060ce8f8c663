/** Starts a server with just the rights that its extension declares, and tells the user what it was refused. */
import type { RightsLoader } from '../../platform/sandbox/rights/create-rights.js';
import { describeUse, notStarted } from '../../platform/sandbox/rights/describe-use.js';
import { programsOfArguments } from '../../platform/sandbox/rights/named-programs.js';
import type { RestrictedCommand } from '../../platform/sandbox/rights/types.js';
import { SandboxError } from '../../platform/sandbox/types.js';
import type { ResolvedServer } from '../config.js';
import { McpServerError } from '../errors.js';
import { type StdioCommand, StdioTransport } from './stdio.js';

export interface RestrictedPlaces {
  rights: RightsLoader;
  home: string;
  /** Declared relative paths start here. */
  workspace: string;
  notice: (message: string) => void;
}

/** Lines about one server. */
const MAX_NOTICES = 10;

export function restrictedServer(
  { name, extension }: ResolvedServer,
  command: StdioCommand,
  { rights: load, home, workspace, notice }: RestrictedPlaces,
): StdioTransport {
  const { capabilities, extensionPath = command.cwd } = extension ?? {};
  if (!extension || !capabilities) throw new McpServerError(name, 'transport', 'it has no declared rights.');
  const part = { extension: extension.name, part: `MCP server "${name}"`, home };
  let started: RestrictedCommand | undefined;
  let notices = 0;
  return new StdioTransport({
    ...command,
    onErrorOutput: (text) => started?.readErrors(text),
    isolate: async (invocation) => {
      try {
        const sandbox = await load();
        started = await sandbox.restrict({
          ...invocation,
          rights: { extension: extension.name, extensionPath, capabilities },
          programs: programsOfArguments(command.command, command.args),
          workspace,
          onRefused: (use) => {
            notices++;
            if (notices <= MAX_NOTICES) notice(describeUse(use, part));
          },
        });
        return started;
      } catch (error) {
        if (error instanceof SandboxError) notice(notStarted(part, error.message));
        throw error;
      }
    },
  });
}
