/** The extensions of a project. Without an extensions folder nothing of them is loaded. */
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import type { ExtensionParts, PartsRequest } from '../extensions/load/extension-parts.js';
import { globalGeminiDir } from '../platform/storage/storage.js';
import { setting } from '../settings/schema/index.js';
import type { ProjectOverrides } from './overrides.js';
import type { ProjectFolder } from './read-folder.js';

export type ExtensionFolder = Pick<ProjectFolder, 'cwd' | 'environment' | 'settings' | 'trust'>;

/** Reads them from the disk, as they are now. A broken one is reported and left out. */
export async function readExtensions(
  { cwd, environment, settings, trust }: ExtensionFolder,
  {
    extensions: only = [],
    tellsInactive = false,
  }: Pick<ProjectOverrides, 'extensions'> & Pick<PartsRequest, 'tellsInactive'>,
  notice: (message: string) => void,
): Promise<ExtensionParts> {
  const { variables, home } = environment;
  const globalDir = globalGeminiDir(variables);
  const wanted = only.flatMap((names) => names.split(',')).filter((name) => name.trim() !== '');
  if (!existsSync(join(globalDir, 'extensions')) && wanted.length === 0) return NONE;
  const { extensionParts } = await import('../extensions/load/extension-parts.js');
  const { merged } = settings;
  const { problems, ...parts } = await extensionParts({
    globalDir,
    home,
    workspacePath: cwd,
    isTrusted: trust.trusted,
    variables,
    settings: merged,
    only: wanted,
    tellsInactive,
    readsSettings: setting(merged, 'experimental.extensionConfig'),
  });
  for (const { message, file, line } of problems)
    notice(line === undefined || !file ? message : `${message} (${file}:${line})`);
  return parts;
}

const NONE: ExtensionParts = {
  extensions: [],
  extensionAgents: [],
  extensionHooks: [],
  extensionServers: [],
};
