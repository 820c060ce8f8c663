/** Lists agents in `.gemini/agents/*.md` by the name in their front matter. */
import { basename } from 'node:path';
import { parseFrontMatter, textField } from '../../base/front-matter.js';
import { cleanLabel } from './clean.js';
import type { DiscoveryContext } from './context.js';

export async function discoverAgents({ folder }: DiscoveryContext): Promise<string[]> {
  const files = folder
    .files('.gemini/agents', { suffix: '.md' })
    .filter((path) => !basename(path).startsWith('_'));
  const names: string[] = [];
  for (const path of files) {
    const text = folder.text(path);
    if (text === undefined) continue;
    const matter = await parseFrontMatter(text);
    if (!matter.hasHeader) folder.error(path, 'has no front matter');
    else names.push(cleanLabel(textField(matter, 'name') ?? basename(path, '.md')));
  }
  if (names.length > 0) {
    folder.warn('The folder has its own agents, with their own instructions and tools.');
  }
  return names;
}
