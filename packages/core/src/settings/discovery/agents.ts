/** `.gemini/agents/*.md`, by the name in their front matter. */
import { basename } from 'node:path';
import { cleanLabel } from './clean.js';
import type { DiscoveryContext } from './context.js';
import { readFrontMatter } from './front-matter.js';

export function discoverAgents({ folder }: DiscoveryContext): string[] {
  const names = folder
    .files('.gemini/agents', { suffix: '.md' })
    .filter((path) => !basename(path).startsWith('_'))
    .flatMap((path) => {
      const text = folder.text(path);
      if (text === undefined) return [];
      const matter = readFrontMatter(text);
      if (!matter) folder.error(path, 'has no front matter');
      return matter ? [cleanLabel(matter.name ?? basename(path, '.md'))] : [];
    });
  if (names.length > 0) {
    folder.warn('The folder brings agents of its own, with instructions and tools of their choice.');
  }
  return names;
}
