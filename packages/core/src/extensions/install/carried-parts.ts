/** Names of the commands, agents and skills in an extension's folder, for the consent text. */
import { basename, join, relative, sep } from 'node:path';
import { parseFrontMatter, textField } from '../../base/front-matter.js';
import { entriesIn, namesIn, tryReadText } from '../../platform/files/try-read.js';
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

/** By the name in the header; files without one, such as AGENTS.md, are documents. */
export async function describedAgents(dir: string, files: readonly string[] = []): Promise<string[]> {
  const described = files.map(async (file) => {
    const matter = await parseFrontMatter(tryReadText(join(dir, 'agents', file)) ?? '');
    return matter.hasHeader ? [textField(matter, 'name') ?? basename(file, '.md')] : [];
  });
  return (await Promise.all(described)).flat();
}

/** One line for each skill: name, description, folder and how many items are in it. */
export async function describedSkills(dir: string, further: readonly string[] = []): Promise<string[]> {
  const roots = [join(dir, 'skills'), ...further];
  const loaded = await Promise.all(roots.map((root) => loadSkillRoot({ dir: root, source: 'user' })));
  const lines = loaded.flatMap(({ skills, problems }) => [
    ...skills.map(({ name, description, location }) => {
      const folder = join(location, '..');
      const place = relative(dir, folder).split(sep).join('/');
      return `${name}: ${description} (${place}, ${namesIn(folder).length} items)`;
    }),
    ...problems
      .filter(({ severity }) => severity === 'error')
      .map(({ file, message }) => `not used: ${relative(dir, file)} ${message}`),
  ]);
  // A manifest often lists the folders in `skills/`, which are read anyway.
  return [...new Set(lines)];
}
