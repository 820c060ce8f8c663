/** Keys of the manifest that have no effect, with what the author may have meant. */
import { nearestNames } from '../../base/nearest.js';
import { isObject } from '../../base/objects.js';
import type { CheckedExtension } from './checked-extension.js';

const KNOWN: readonly string[] = [
  'name',
  'version',
  'description',
  'mcpServers',
  'contextFileName',
  'excludeTools',
  'settings',
  'themes',
  'plan',
  'migratedTo',
  'capabilities',
  'skills',
];

/** For galleries and package managers. */
const SILENT: ReadonlySet<string> = new Set([
  '$schema',
  'author',
  'license',
  'homepage',
  'repository',
  'keywords',
  'displayName',
  'publisher',
  'engines',
  'categories',
]);

const COMMANDS = 'Write one file for each command: commands/<name>.toml.';
const HINTS: Readonly<Record<string, string>> = {
  contextFiles: 'Write contextFileName.',
  mcp: 'Write mcpServers.',
  theme: 'Write themes, a list.',
  hooks: 'Write the hooks into hooks/hooks.json.',
  commands: COMMANDS,
  slashCommands: COMMANDS,
  customCommands: COMMANDS,
  agents: 'Write one file for each agent: agents/<name>.md.',
  inputs: 'Write settings, a list.',
};

export function checkKeys({ raw, warn }: CheckedExtension): void {
  for (const [key, value] of Object.entries(raw)) {
    if (KNOWN.includes(key) || SILENT.has(key)) continue;
    if (isObject(value) && key === 'gemini' && 'contextFile' in value)
      warn('gemini.contextFile', 'has no effect. Write contextFileName at the top of the manifest.');
    else if (isObject(value) && key === 'manifest' && 'settings' in value)
      warn('manifest.settings', 'has no effect. Write settings at the top of the manifest.');
    else warn(key, `has no effect here. ${hintFor(key)}`);
  }
  if (isObject(raw['plan']))
    for (const key of Object.keys(raw['plan']))
      if (key !== 'directory') warn(`plan.${key}`, 'has no effect here. Known: directory.');
}

function hintFor(key: string): string {
  if (Object.hasOwn(HINTS, key)) return HINTS[key] as string;
  const [near] = nearestNames(key, KNOWN, 1, Math.min(3, Math.floor(key.length / 3)));
  return near ? `Did you mean "${near}"?` : 'Remove it.';
}
