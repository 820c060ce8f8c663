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
      ...own.discoveryErrors.map((error) => toProblem(error, home)),
      ...project.discoveryErrors.map((error) => toProblem(error, cwd)),
    ].filter((problem) => !isCoveredElsewhere(problem));
    if (problems.length === 0) return ok('commands, policies, skills and agents can be read');
    return {
      status: statusOf(problems),
      details: [count(problems.length, 'problem')],
      problems,
      remedy: 'Correct or remove these files; until then they are ignored.',
    };
  },
};

/** Parses `path: [is not valid JSON: ]line 3, column 4: message`, with or without line and column. */
export function toProblem(error: string, folder: string): FileProblem {
  const [, path = '.', rest = error] = /^([^:]+): (.*)$/s.exec(error) ?? [];
  const [, before = '', line, column, after = rest] =
    /^(.*?)line (\d+)(?:, column (\d+))?: (.*)$/s.exec(rest) ?? [];
  return {
    severity: 'warning',
    file: joinPath(folder, path),
    ...(line !== undefined && { line: Number(line) }),
    ...(column !== undefined && { column: Number(column) }),
    message: `${before}${after}`,
  };
}

/** Settings, hooks and `.env` have their own checks. */
function isCoveredElsewhere({ file }: FileProblem): boolean {
  return /[\\/]\.gemini[\\/](?:settings\.json|hooks\.toml)$|[\\/]\.env$/.test(file);
}
