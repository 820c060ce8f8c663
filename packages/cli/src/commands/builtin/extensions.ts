/** `/extensions`: lists, enables, disables and reloads the installed extensions. */
import { type Config, loadExtensionCommands, visibleName } from '@gemini-cli/core';
import type { ListRow } from '../../history/item.js';
import {
  applyChange,
  findExtension,
  type InstalledExtension,
  installedExtensions,
  isReloading,
  notInstalled,
  reloadExtensions,
} from '../installed-extensions.js';
import type { CommandContext, SlashCommandActionReturn } from '../types.js';
import { type Action, type Completion, failure, info } from './define.js';
import { engineOf } from './needs.js';

export const list: Action = async (context) => {
  const { extensions, problems } = await installedExtensions(context);
  const states = context.ui.extensionsUpdateState;
  const rows = extensions.map((extension) => rowOf(extension, states.get(extension.name)));
  const broken = problems.map(({ message, file, level }): ListRow => {
    const name = file ?? 'Extensions';
    return { name, note: level === 'error' ? 'not loaded' : 'warning', detail: message, status: level };
  });
  const empty = 'No extensions installed. /extensions explore finds some.';
  return { type: 'items', items: [{ type: 'list', title: 'Extensions', rows: [...rows, ...broken], empty }] };
};

function rowOf(extension: InstalledExtension, update: unknown): ListRow {
  const { name, version, isActive, description, path, installMetadata } = extension;
  const notes = [version, isActive ? 'enabled' : 'disabled', typeof update === 'string' ? update : ''];
  const source = installMetadata && `${installMetadata.source} (${installMetadata.type})`;
  return {
    name,
    note: notes.filter(Boolean).map(visibleName).join(', '),
    detail: [description, source ?? path].filter((line) => line !== undefined).join('\n'),
    status: isActive ? 'success' : 'warning',
  };
}

export const enable: Action = (context, args) => change(context, args, true);
export const disable: Action = (context, args) => change(context, args, false);

type Scope = 'user' | 'workspace' | 'session';

async function change(
  context: CommandContext,
  args: string,
  enabled: boolean,
): Promise<SlashCommandActionReturn> {
  const word = enabled ? 'enable' : 'disable';
  const wanted = parse(args);
  if (typeof wanted === 'string')
    return failure(`${wanted} Use: /extensions ${word} <name>|--all [--scope=user|workspace|session]`);
  const { extensions } = await installedExtensions(context);
  const found = wanted.all
    ? extensions
    : wanted.names.flatMap((name) => findExtension(extensions, name) ?? []);
  const missing = wanted.names.filter((name) => !findExtension(extensions, name));
  if (missing.length > 0) return failure(notInstalled(missing, extensions));
  if (found.length === 0) return info('No extensions installed.');
  if (enabled) await enableServers(engineOf(context), found);
  const when =
    wanted.scope === 'session'
      ? await changeSession(context, extensions, found, enabled)
      : await changeRules(context, found, { enabled, scope: wanted.scope });
  const shown = found.map(({ name }) => `"${visibleName(name)}"`).join(', ');
  return info(
    `${found.length === 1 ? 'Extension' : 'Extensions'} ${shown} ${word}d (${wanted.scope}). ${when}`,
  );
}

/** Writes nothing: the same conversation continues with another choice of extensions. */
async function changeSession(
  context: CommandContext,
  all: readonly InstalledExtension[],
  changed: readonly InstalledExtension[],
  enabled: boolean,
): Promise<string> {
  const names = new Set(changed.map(({ name }) => name));
  const chosen = all.filter(({ name, isActive }) => (names.has(name) ? enabled : isActive));
  await reloadExtensions(context, chosen.length > 0 ? chosen.map(({ name }) => name) : ['none']);
  return 'It holds until this session ends.';
}

async function changeRules(
  context: CommandContext,
  changed: readonly InstalledExtension[],
  { enabled, scope }: { enabled: boolean; scope: 'user' | 'workspace' },
): Promise<string> {
  const config = engineOf(context);
  const { setEnabled } = await loadExtensionCommands();
  const globalDir = config.storage.getGlobalGeminiDir();
  const { home } = config.getEnvironment();
  for (const { name } of changed)
    await setEnabled(globalDir, name, { enabled, scope, path: config.getTargetDir(), home });
  const names = changed.map(({ name }) => name);
  return applyChange(context, enabled ? { added: names } : { removed: names });
}

/** Servers of the extension that were switched off one by one come back with it. */
async function enableServers(config: Config, extensions: readonly InstalledExtension[]): Promise<void> {
  const servers = new Set(extensions.flatMap(({ mcpServers = {} }) => Object.keys(mcpServers)));
  for (const { server, block } of config.getMcpClientManager()?.servers() ?? [])
    if (servers.has(server.name) && (block?.kind === 'enablement' || block?.kind === 'session'))
      await config.setMcpServerEnabled(server.name, true, { isSession: block.kind === 'session' });
}

export const restart: Action = async (context, args) => {
  const wanted = parse(args.trim() === '' ? '--all' : args);
  if (typeof wanted === 'string') return failure(`${wanted} Use: /extensions restart <name>|--all`);
  const { extensions } = await installedExtensions(context);
  const missing = wanted.names.filter((name) => !findExtension(extensions, name));
  if (missing.length > 0) return failure(notInstalled(missing, extensions));
  if (!isReloading(context))
    return failure(
      'Extensions are loaded again at the next start. Set experimental.extensionReloading to do it here.',
    );
  await reloadExtensions(context, context.ui.app.chosenExtensions());
  const active = (await installedExtensions(context)).extensions.filter(({ isActive }) => isActive);
  return info(`Extensions loaded again: ${active.length} enabled.`);
};

export const completeName: Completion = (context, typed) => names(context, typed, () => true);
export const completeAll: Completion = async (context, typed) => [
  ...(await names(context, typed, () => true)),
  ...allFlag(typed),
];
export const completeEnabled: Completion = async (context, typed) => [
  ...(await names(context, typed, ({ isActive }) => isActive)),
  ...allFlag(typed),
];
export const completeDisabled: Completion = async (context, typed) => [
  ...(await names(context, typed, ({ isActive }) => !isActive)),
  ...allFlag(typed),
];

const SCOPES: readonly Scope[] = ['user', 'workspace', 'session'];

function allFlag(typed: string): string[] {
  return '--all'.startsWith(typed) ? ['--all'] : [];
}

/** After a name, the scopes. */
async function names(
  context: CommandContext,
  typed: string,
  isOffered: (extension: InstalledExtension) => boolean,
): Promise<string[]> {
  if (!context.services.config) return [];
  const [, before, last = ''] = /^(.*\s)?(\S*)$/s.exec(typed) ?? [];
  if (before !== undefined && last.startsWith('--'))
    return SCOPES.map((scope) => `${before}--scope=${scope}`).filter((text) => text.startsWith(typed));
  const { extensions } = await installedExtensions(context);
  return extensions
    .filter(
      (extension) => isOffered(extension) && extension.name.toLowerCase().startsWith(last.toLowerCase()),
    )
    .map(({ name }) => `${before ?? ''}${name}`);
}

interface Wanted {
  names: string[];
  all: boolean;
  scope: Scope;
}

/** @returns what is wrong, as a string */
function parse(args: string): Wanted | string {
  const words = args
    .replace(/--scope\s+(?=\S)/, '--scope=')
    .split(/\s+/)
    .filter(Boolean);
  const given = words.find((word) => word.startsWith('--scope='))?.slice('--scope='.length);
  const scope = given === undefined ? 'session' : SCOPES.find((one) => one === given);
  if (!scope) return `--scope is user, workspace or session, given: "${visibleName(given ?? '')}".`;
  const flag = words.find((word) => word.startsWith('-') && word !== '--all' && !word.startsWith('--scope='));
  if (flag) return `Unknown argument "${visibleName(flag)}".`;
  const plain = words.filter((word) => !word.startsWith('--'));
  const all = words.includes('--all');
  if (all === plain.length > 0) return all ? 'Give names or --all, not both.' : 'A name is missing.';
  return { names: plain, all, scope };
}
