/** Finds commands, policies, skills and agents, of the user and the folder, that cannot be read. */
import { join as joinPath } from 'node:path';
import type { FileProblem } from '@gemini-cli/core';
import { type Check, count, ok, statusOf } from './check.js';

export const files: Check = {
  id: 'files',
  title: 'Other files',
  async run({ engine, env, cwd, home }) {
    // With another home the user's own folder is examined like a project.
    const asFolder = { ...env, GEMINI_CLI_HOME: joinPath(home, '.gemini') };
    const own = await engine.discoverFolder(home, asFolder);
    const project = await engine.discoverFolder(cwd, env);
    const problems = [
      ...own.problems.map((problem) => ({ folder: home, ...problem })),
      ...project.problems.map((problem) => ({ folder: cwd, ...problem })),
    ]
      .map(({ folder, path, ...problem }): FileProblem => {
        return { severity: 'warning', file: joinPath(folder, path), ...problem };
      })
      .filter((problem) => !isCoveredElsewhere(problem));
    if (problems.length === 0) return ok('commands, policies, skills and agents can be read');
    return {
      status: statusOf(problems),
      details: [count(problems.length, 'problem')],
      problems,
      remedy: 'Correct or remove these files; until then they are ignored.',
    };
  },
};

/** Settings, hooks and `.env` have their own checks. */
function isCoveredElsewhere({ file }: FileProblem): boolean {
  return /[\\/]\.gemini[\\/](?:settings\.json|hooks\.toml)$|[\\/]\.env$/.test(file);
}
