/** Skills of the folder, by the name in their front matter. */
import { cleanLabel } from './clean.js';
import type { DiscoveryContext } from './context.js';
import type { FolderReader } from './folder-reader.js';
import { readFrontMatter } from './front-matter.js';

const ROOTS = ['.gemini/skills', '.agents/skills'];
const SKIPPED = new Set(['node_modules', '.git']);

export function discoverSkills({ folder }: DiscoveryContext): string[] {
  return ROOTS.flatMap((root) => {
    const folders = folder.directories(root).filter((name) => !SKIPPED.has(name));
    return [root, ...folders.map((name) => `${root}/${name}`)].flatMap((path) => skillIn(folder, path));
  });
}

function skillIn(folder: FolderReader, directory: string): string[] {
  const path = `${directory}/SKILL.md`;
  const text = folder.text(path);
  if (text === undefined) return [];
  const { name, description } = readFrontMatter(text) ?? {};
  if (name && description) return [cleanLabel(name)];
  folder.error(path, `has no ${name ? 'description' : 'name'} in its front matter`);
  return [];
}
