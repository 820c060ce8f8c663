/** The installed extensions as `/extensions` sees them: what is on disk, and what this session has chosen. */
import { type ExtensionCommands, loadExtensionCommands, setting, visibleName } from '@gemini-cli/core';
import { engineOf } from './builtin/needs.js';
import type { CommandContext } from './types.js';

export type LoadedExtensions = ReturnType<ExtensionCommands['loadExtensions']>;
export type InstalledExtension = LoadedExtensions['extensions'][number];

export async function installedExtensions(context: CommandContext): Promise<LoadedExtensions> {
  const config = engineOf(context);
  const { loadExtensions } = await loadExtensionCommands();
  const { variables, home } = config.getEnvironment();
  const only = context.ui.app.chosenExtensions();
  return loadExtensions({
    globalDir: config.storage.getGlobalGeminiDir(),
    home,
    workspacePath: config.getTargetDir(),
    isTrusted: config.isTrustedFolder(),
    variables,
    settings: context.services.settings.merged,
    ...(only && { only }),
  });
}

export function findExtension(
  extensions: readonly InstalledExtension[],
  name: string,
): InstalledExtension | undefined {
  const wanted = name.toLowerCase();
  return extensions.find((extension) => extension.name.toLowerCase() === wanted);
}

export function notInstalled(names: readonly string[], extensions: readonly InstalledExtension[]): string {
  const known = extensions.map(({ name }) => visibleName(name));
  const there = known.length > 0 ? ` Installed: ${known.join(', ')}.` : '';
  return `Extension not found: ${names.map(visibleName).join(', ')}.${there}`;
}

/**
 * Loads what has changed if that is enabled. A choice of this session follows: those `added` join it.
 * @returns a sentence about when the change takes effect
 */
export async function applyChange(
  context: CommandContext,
  { added = [], removed = [] }: { added?: readonly string[]; removed?: readonly string[] } = {},
): Promise<string> {
  if (!isReloading(context)) return 'Restart gemini to apply it.';
  const chosen = context.ui.app.chosenExtensions();
  const isKept = (name: string) => name !== 'none' && ![...added, ...removed].includes(name);
  const next = chosen && [...chosen.filter(isKept), ...added];
  await reloadExtensions(context, next?.length === 0 ? ['none'] : next);
  return 'It is in effect now.';
}

export async function reloadExtensions(
  context: CommandContext,
  chosen: readonly string[] | undefined,
): Promise<void> {
  await context.ui.app.reloadExtensions(chosen);
  context.ui.reloadCommands();
}

export function isReloading({ services }: CommandContext): boolean {
  return setting(services.settings.merged, 'experimental.extensionReloading');
}
