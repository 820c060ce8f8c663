/** Lists the folder's skills by the name in their front matter. */
import { basename } from 'node:path';
import { parseFrontMatter, textField } from '../../base/front-matter.js';
import { cleanLabel } from './clean.js';
import type { DiscoveryContext } from './context.js';
import type { FolderReader } from './folder-reader.js';

const ROOTS = ['.gemini/skills', '.agents/skills'];
const SKIPPED = new Set(['node_modules', '.git']);

export async function discoverSkills({ folder }: DiscoveryContext): Promise<string[]> {
  const directories = ROOTS.flatMap((root) => {
    const folders = folder.directories(root).filter((name) => !SKIPPED.has(name));
    return [root, ...folders.map((name) => `${root}/${name}`)];
  });
  const names: string[] = [];
  for (const directory of directories) names.push(...(await skillIn(folder, directory)));
  return names;
}

async function skillIn(folder: FolderReader, directory: string): Promise<string[]> {
  const path = `${directory}/SKILL.md`;
  const text = folder.text(path);
  if (text === undefined) {
    const misspelt = `${directory}/skill.md`;
    if (folder.text(misspelt) !== undefined) folder.error(misspelt, 'must be called SKILL.md');
    return [];
  }
  const matter = await parseFrontMatter(text);
  // Without a name the folder's counts, as when skills are loaded.
  if (textField(matter, 'description')) return [cleanLabel(textField(matter, 'name') ?? basename(directory))];
  folder.error(path, 'has no description in its front matter');
  return [];
}
