/** Names of the commands and skills in an extension's folder, for the consent text. */
import { join, relative, sep } from 'node:path';
import { entriesIn, namesIn } from '../../platform/files/try-read.js';
import { loadSkillRoot } from '../../skills/loader.js';

const MAX_DEPTH = 8;

/** `git/commit.toml` is `/git:commit`. */
export function commandNames(folder: string, prefix = '/', depth = 0): string[] {
  if (depth > MAX_DEPTH) return [];
  return entriesIn(folder).flatMap((entry) => {
    if (entry.isDirectory())
      return commandNames(join(folder, entry.name), `${prefix}${entry.name}:`, depth + 1);
    return entry.name.endsWith('.toml') ? [`${prefix}${entry.name.slice(0, -'.toml'.length)}`] : [];
  });
}

/** One line for each skill: name, description, folder and how many items are in it. */
export async function describedSkills(dir: string, further: readonly string[] = []): Promise<string[]> {
  const roots = [join(dir, 'skills'), ...further];
  const loaded = await Promise.all(roots.map((root) => loadSkillRoot({ dir: root, source: 'user' })));
  return loaded.flatMap(({ skills, problems }) => [
    ...skills.map(({ name, description, location }) => {
      const folder = join(location, '..');
      const place = relative(dir, folder).split(sep).join('/');
      return `${name}: ${description} (${place}, ${namesIn(folder).length} items)`;
    }),
    ...problems
      .filter(({ severity }) => severity === 'error')
      .map(({ file, message }) => `not used: ${relative(dir, file)} ${message}`),
  ]);
}
