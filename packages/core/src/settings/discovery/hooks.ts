/** Hooks of the folder's settings and of its `hooks.toml`: every command in them, however deep. */
import { cleanLabel } from './clean.js';
import type { DiscoveryContext } from './context.js';
import { readToml } from './toml.js';
import { isTable, listOf } from './values.js';

const TOML = '.gemini/hooks.toml';

export async function discoverHooks({ folder, settings }: DiscoveryContext): Promise<string[]> {
  const fromToml = await readToml(folder, TOML);
  return [...commandsOf(settings['hooks']), ...commandsOf(fromToml?.['hooks'])];
}

/** Keys of `hooks` that are switches, not events. */
const SWITCHES = new Set(['enabled', 'disabled', 'notifications']);

function commandsOf(hooks: unknown): string[] {
  if (!isTable(hooks)) return [];
  return Object.entries(hooks)
    .filter(([event]) => !SWITCHES.has(event))
    .flatMap(([event, definitions]) =>
      listOf(definitions)
        .flatMap((definition) => (isTable(definition) ? listOf(definition['hooks']) : []))
        .flatMap((hook) => (isTable(hook) ? [hook['command'] ?? hook['name']] : []))
        .flatMap((command) => (command === undefined ? [] : [cleanLabel(`${event}: ${String(command)}`)])),
    );
}
