/** Names of the commands, agents and skills in an extension's folder, for the consent text. */
import { basename, join, relative, sep } from 'node:path';
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

/** Documents beside them, such as AGENTS.md, are no agents. */
export async function describedAgents(dir: string): Promise<string[]> {
  const { checkAgentFiles } = await import('../../agents/definition/check-files.js');
  const files = await checkAgentFiles(join(dir, 'agents'), dir);
  return files.flatMap(({ file, names }) =>
    names.length > 0 ? names : [`not used: ${basename(file)} is not a valid agent file`],
  );
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
