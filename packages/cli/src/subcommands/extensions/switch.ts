/** `gemini extensions enable` and `disable`: rules in `extension-enablement.json`. */
import { parseArgs } from 'node:util';
import { type GeminiCLIExtension, loadExtensionFiles, loadMcp, UserError } from '@gemini-cli/core';
import { oneLine } from '../../output/output.js';
import type { Subcommand } from '../subcommand.js';
import { openExtensions } from './open.js';
import { plainArguments, readingArguments } from './reading-arguments.js';

export const enable: Subcommand = (args, io) => run('enable', args, io);
export const disable: Subcommand = (args, io) => run('disable', args, io);

async function run(verb: 'enable' | 'disable', ...[args, io]: Parameters<Subcommand>): Promise<number> {
  const usage = `${verb} <name> [--scope user|workspace]`;
  const { values, positionals } = readingArguments(usage, () =>
    parseArgs({
      args: plainArguments(args),
      allowPositionals: true,
      options: {
        scope: { type: 'string', short: 's', default: 'user' },
        debug: { type: 'boolean', short: 'd' },
      },
    }),
  );
  const [name, ...more] = positionals;
  if (name === undefined || more.length > 0) throw new UserError(`Usage: gemini extensions ${usage}.`);
  const scope = scopeOf(values.scope);
  const { folder, globalDir, extensions } = await openExtensions(io);
  const extension = extensions.find((one) => one.name.toLowerCase() === name.toLowerCase());
  if (!extension)
    throw new UserError(`Extension with name ${oneLine(name)} does not exist. See "gemini extensions list".`);
  const { isAllowed, setEnabled } = await loadExtensionFiles();
  if (!isAllowed('extension_changes', folder.trust))
    throw new UserError(
      `This folder is not trusted: extensions cannot be ${verb}d here. Trust it, or run this in a trusted folder.`,
    );
  const { home } = folder.environment;
  const enabled = verb === 'enable';
  await setEnabled(globalDir, extension.name, { enabled, scope, path: folder.cwd, home });
  if (enabled) await enableServers(extension, folder.environment);
  io.stdout(`Extension "${extension.name}" successfully ${verb}d for scope "${scope}".\n`);
  return 0;
}

function scopeOf(word: string): 'user' | 'workspace' {
  const scope = word.toLowerCase();
  if (scope === 'user' || scope === 'workspace') return scope;
  throw new UserError(`Invalid scope: ${oneLine(word)}. Please use one of user, workspace.`);
}

/** Servers of the extension that were switched off one by one come back with it. */
async function enableServers(
  { mcpServers = {} }: GeminiCLIExtension,
  environment: Parameters<Awaited<ReturnType<typeof loadMcp>>['serverEnablement']>[0],
): Promise<void> {
  const names = Object.keys(mcpServers);
  if (names.length === 0) return;
  const { serverEnablement } = await loadMcp();
  const servers = serverEnablement(environment);
  const disabled = servers.disabled();
  for (const name of names) if (disabled.has(name.trim().toLowerCase())) await servers.set(name, true);
}
