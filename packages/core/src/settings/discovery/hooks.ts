/** Lists every hook command in the folder's settings and `hooks.toml`. */
import { isObject } from '../../base/objects.js';
import { cleanLabel } from './clean.js';
import type { DiscoveryContext } from './context.js';
import { readToml } from './toml.js';
import { listOf } from './values.js';

const TOML = '.gemini/hooks.toml';

export async function discoverHooks({ folder, settings }: DiscoveryContext): Promise<string[]> {
  const fromToml = await readToml(folder, TOML);
  return [...commandsOf(settings['hooks']), ...commandsOf(fromToml?.['hooks'])];
}

/** Keys of `hooks` that are switches, not events. */
const SWITCHES = new Set(['enabled', 'disabled', 'notifications']);

function commandsOf(hooks: unknown): string[] {
  if (!isObject(hooks)) return [];
  return Object.entries(hooks)
    .filter(([event]) => !SWITCHES.has(event))
    .flatMap(([event, definitions]) =>
      listOf(definitions)
        .flatMap((definition) => (isObject(definition) ? listOf(definition['hooks']) : []))
        .flatMap((hook) => (isObject(hook) ? [hook['command'] ?? hook['name']] : []))
        .flatMap((command) => (command === undefined ? [] : [cleanLabel(`${event}: ${String(command)}`)])),
    );
}
