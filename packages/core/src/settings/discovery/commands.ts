/** Lists commands in `.gemini/commands/**.toml` as the user would type them. */
import { cleanLabel } from './clean.js';
import type { DiscoveryContext } from './context.js';
import { readToml } from './toml.js';

const DIRECTORY = '.gemini/commands';
const SUFFIX = '.toml';
const LONGEST_SEGMENT = 50;

export async function discoverCommands({ folder }: DiscoveryContext): Promise<string[]> {
  const names: string[] = [];
  for (const path of folder.files(DIRECTORY, { suffix: SUFFIX, recursive: true })) {
    const command = await readToml(folder, path);
    if (!command) continue;
    if (typeof command['prompt'] === 'string') names.push(cleanLabel(commandName(path)));
    else folder.error(path, 'has no prompt');
  }
  return names;
}

/** `git/commit.toml` -> `git:commit` */
function commandName(path: string): string {
  const segments = path.slice(DIRECTORY.length + 1, -SUFFIX.length).split('/');
  return segments.map(shorten).join(':');
}

function shorten(segment: string): string {
  const safe = segment.replace(/[^\w.-]/g, '_');
  return safe.length > LONGEST_SEGMENT ? `${safe.slice(0, LONGEST_SEGMENT - 3)}...` : safe;
}
