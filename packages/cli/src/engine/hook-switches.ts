/** Enables and disables hooks by name, in the settings files. */
import { type HookRegistry, type HookRegistryEntry, type LoadedSettings, setting } from '@gemini-cli/core';

type Scope = 'workspace' | 'user';

const SCOPES: readonly Scope[] = ['workspace', 'user'];
const KEY = 'hooksConfig.disabled';

/** A hook's name, and its command, by which it may have been disabled. */
export interface NamedHook {
  name: string;
  command?: string;
}

/** @returns the names that stay disabled, by settings that only an administrator can change */
export async function enableHooks(
  settings: LoadedSettings,
  hooks: readonly NamedHook[],
): Promise<readonly string[]> {
  const names = new Set(hooks.flatMap(({ name, command }) => [name, command]));
  for (const scope of SCOPES) {
    const list = disabledIn(settings, scope);
    const rest = list.filter((name) => !names.has(name));
    if (rest.length < list.length) await settings.setValue(scope, KEY, rest);
  }
  const still = new Set(setting(settings.merged, KEY).map(String));
  return hooks.flatMap(({ name, command }) =>
    still.has(name) || (command !== undefined && still.has(command)) ? [name] : [],
  );
}

/** Empties the lists of the workspace and the user. */
async function enableAllHooks(settings: LoadedSettings): Promise<void> {
  for (const scope of SCOPES) {
    if (disabledIn(settings, scope).length > 0) await settings.setValue(scope, KEY, []);
  }
}

/** In the workspace, or for the user where there is no workspace whose settings count. @returns the scope */
export async function disableHooks(
  settings: LoadedSettings,
  names: readonly string[],
  isTrusted: boolean,
): Promise<Scope> {
  const scope = isTrusted && !settings.isReadOnly('workspace') ? 'workspace' : 'user';
  const list = disabledIn(settings, scope);
  const added = [...new Set(names)].filter((name) => !list.includes(name));
  if (added.length > 0) await settings.setValue(scope, KEY, [...list, ...added]);
  return scope;
}

function disabledIn(settings: LoadedSettings, scope: Scope): string[] {
  if (settings.isReadOnly(scope)) return [];
  return (settings.layer(scope).hooksConfig?.disabled ?? []).map(String);
}

export interface SessionHooks {
  /** Undefined while no hook is configured. */
  registry: Pick<HookRegistry, 'getAllHooks'> | undefined;
  settings: LoadedSettings;
  isTrusted: boolean;
}

/** Saves the choice; the registry of the running session follows the settings at once. @returns the names that stay disabled */
export async function switchHooks(
  { registry, settings, isTrusted }: SessionHooks,
  names: readonly string[],
  enabled: boolean,
): Promise<readonly string[]> {
  const hooks = (registry?.getAllHooks() ?? []).filter(({ name }) => names.includes(name));
  if (enabled) return enableHooks(settings, hooks.map(namedHook));
  await disableHooks(settings, names, isTrusted);
  return [];
}

export async function switchAllHooks(session: SessionHooks, enabled: boolean): Promise<readonly string[]> {
  const names = [...new Set(session.registry?.getAllHooks().map(({ name }) => name))];
  if (enabled) await enableAllHooks(session.settings);
  return switchHooks(session, names, enabled);
}

function namedHook({ name, config }: HookRegistryEntry): NamedHook {
  return { name, ...(config.type === 'command' && { command: config.command }) };
}
