/** Finds safety checkers that cannot run. Calls they should check are refused, and every start warns the user. */
import { accessSync, constants, lstatSync, type Stats, statSync } from 'node:fs';
import { join } from 'node:path';
import type { CheckerSpec, SafetyChecker } from '../rules/rule.js';

const IN_PROCESS = new Set(['allowed-path', 'plan-file', 'builtin-skill', 'conseca']);

/** One warning for each checker that cannot run. */
export function unusableCheckers(checkers: readonly SafetyChecker[], directory: string): string[] {
  const lines = checkers.flatMap(({ checker, source }) => {
    const problem = checkerProblem(checker, directory);
    if (problem === undefined) return [];
    return [
      `Security: the safety checker "${checker.name}" (${source}) ${problem}. What it should check is refused.`,
    ];
  });
  return [...new Set(lines)];
}

function checkerProblem({ type, name }: CheckerSpec, directory: string): string | undefined {
  if (type === 'unusable') return undefined;
  if (type === 'external') return programProblem(directory, name);
  return IN_PROCESS.has(name) ? undefined : 'does not exist in this program';
}

/** Why the program cannot be used as a checker; completes a sentence that begins with its name. */
export function programProblem(directory: string, name: string): string | undefined {
  const file = join(directory, name);
  try {
    if (!lstatSync(file, { throwIfNoEntry: false })) return `does not exist (${file})`;
    const stats = statSync(file);
    if (!stats.isFile()) return `is not a file (${file})`;
    accessSync(file, constants.X_OK);
    const open = [
      { path: file, stats },
      { path: directory, stats: statSync(directory) },
    ].find((place) => isOpenToOthers(place.stats));
    return open && `could be replaced by other users of this machine (${open.path})`;
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? error.code : undefined;
    if (code === 'ENOENT') return `is a link that leads nowhere (${file})`;
    return code === 'EACCES' ? `may not be run (${file}): chmod u+x` : `cannot be used (${file}: ${code})`;
  }
}

/** Another user who can write the file could make it allow anything. */
function isOpenToOthers({ uid, mode }: Stats): boolean {
  if (process.platform === 'win32') return false;
  return (mode & 0o002) !== 0 || (uid !== 0 && uid !== process.getuid?.());
}
