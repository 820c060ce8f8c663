/** `gemini mcp add`: writes one server into a settings file; comments and other keys stay. */
import { isObject, type LoadedSettings } from '@gemini-cli/core';
import { notice, oneLine } from '../../output/output.js';
import type { SubcommandIo } from '../subcommand.js';
import type { AddArguments } from './add-arguments.js';
import { type Scope, settingsScope } from './names.js';

/** Fields that `add` decides. Others, such as `oauth`, stay when a server is replaced. */
const FIELDS = [
  'command',
  'args',
  'env',
  'url',
  'type',
  'httpUrl',
  'tcp',
  'headers',
  'timeout',
  'trust',
  'description',
  'includeTools',
  'excludeTools',
];

export async function add(wanted: AddArguments, settings: LoadedSettings, io: SubcommandIo): Promise<number> {
  const { name, scope, transport } = wanted;
  if (refusesHome(scope, settings, io)) return 1;
  warnAboutUnused(wanted, io);
  const keys = ['mcpServers', name];
  const target = settingsScope(scope);
  const known = serverIn(settings, scope, name);
  const entry = entryOf(wanted);
  const shown = oneLine(name);
  if (!known) {
    await settings.setValue(target, keys, entry);
    io.stdout(`MCP server "${shown}" added to ${scope} settings. (${transport})\n`);
    return 0;
  }
  io.stdout(`MCP server "${shown}" is already configured within ${scope} settings.\n`);
  for (const field of fieldsToChange(known, entry))
    await settings.setValue(target, [...keys, field], entry[field]);
  io.stdout(`MCP server "${shown}" updated in ${scope} settings.\n`);
  return 0;
}

/** @returns true when there are no project settings to write */
export function refusesHome(scope: Scope, settings: LoadedSettings, io: SubcommandIo): boolean {
  if (scope === 'user' || !settings.isReadOnly('workspace')) return false;
  io.stderr('Error: Please use --scope user to edit settings in the home directory.');
  return true;
}

/** As the file has it, also when the folder is not trusted. */
export function serverIn(
  settings: LoadedSettings,
  scope: Scope,
  name: string,
): Record<string, unknown> | undefined {
  const { raw } = settings.file(settingsScope(scope));
  const servers = isObject(raw) ? raw['mcpServers'] : undefined;
  if (!isObject(servers) || !Object.hasOwn(servers, name)) return undefined;
  const server = servers[name];
  return isObject(server) ? server : {};
}

function entryOf(wanted: AddArguments): Record<string, unknown> {
  const { transport, target, args, env, headers } = wanted;
  const connection =
    transport === 'stdio'
      ? { command: target, args, ...(Object.keys(env).length > 0 && { env }) }
      : { url: target, type: transport, ...(Object.keys(headers).length > 0 && { headers }) };
  const { timeout, trust, description, includeTools, excludeTools } = wanted;
  return {
    ...connection,
    ...(timeout !== undefined && { timeout }),
    ...(trust !== undefined && { trust }),
    ...(description !== undefined && { description }),
    ...(includeTools && { includeTools }),
    ...(excludeTools && { excludeTools }),
  };
}

/** Field by field, so that comments inside the entry stay. */
function fieldsToChange(known: Record<string, unknown>, entry: Record<string, unknown>): string[] {
  const fields = FIELDS.filter((field) => JSON.stringify(known[field]) !== JSON.stringify(entry[field]));
  // A client secret belongs to the server it was entered for.
  const moved = ['url', 'httpUrl', 'tcp', 'command'].some((field) => fields.includes(field));
  return moved && known['oauth'] !== undefined ? [...fields, 'oauth'] : fields;
}

function warnAboutUnused({ transport, env, headers }: AddArguments, io: SubcommandIo): void {
  if (transport === 'stdio' && Object.keys(headers).length > 0)
    notice(io, 'WARNING', '--header is for servers with an address; it was not saved.');
  if (transport !== 'stdio' && Object.keys(env).length > 0)
    notice(io, 'WARNING', '--env is for servers that are started as a command; it was not saved.');
}
