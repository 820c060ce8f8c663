/** Lists context files in the folder and in its parents up to the repository's root. */
import type { DiscoveryContext } from './context.js';
import type { FolderReader } from './folder-reader.js';
import { listOf, valueAt } from './values.js';

/** Of the last two, one is read when there is no GEMINI.md. */
const DEFAULTS = ['GEMINI.md', 'AGENTS.md', 'CLAUDE.md'];

export function discoverContextFiles({ folder, above, settings }: DiscoveryContext): string[] {
  const configured = listOf(valueAt(settings, 'context.fileName') ?? settings['contextFileName']).filter(
    (name): name is string => typeof name === 'string' && name !== '',
  );
  return [folder, ...above].flatMap((reader) => filesIn(reader, configured));
}

function filesIn(reader: FolderReader, configured: readonly string[]): string[] {
  const present = (names: readonly string[]) => names.filter((name) => reader.isFile(name));
  const found = configured.length > 0 ? present(configured) : present(DEFAULTS).slice(0, 1);
  return found.map((name) => reader.name(name));
}
