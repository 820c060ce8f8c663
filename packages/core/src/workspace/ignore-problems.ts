/** Warns about ignore files that exist but cannot be used: the files they name are not hidden from tools. */
import { accessSync, constants, lstatSync, statSync } from 'node:fs';
import { join, resolve } from 'node:path';
import type { FileFilteringOptions } from './host.js';
import { GEMINI_IGNORE_NAMES, MAX_IGNORE_FILE_BYTES } from './ignore-filter.js';

export function ignoreFileProblems(
  projectRoot: string,
  options: Pick<FileFilteringOptions, 'respectGeminiIgnore' | 'customIgnoreFilePaths'>,
): string[] {
  const named = options.customIgnoreFilePaths.map((path) => resolve(projectRoot, path));
  const own = options.respectGeminiIgnore ? GEMINI_IGNORE_NAMES.map((name) => join(projectRoot, name)) : [];
  return [
    ...named.map((path) => ({ path, problem: problemOf(path) ?? missing(path) })),
    ...own.map((path) => ({ path, problem: problemOf(path) })),
  ].flatMap(({ path, problem }) =>
    problem === undefined ? [] : [`Security: ${path} ${problem}, so it hides nothing.`],
  );
}

/** Undefined for a missing file, which is fine unless the settings name it. */
function problemOf(path: string): string | undefined {
  try {
    if (!lstatSync(path, { throwIfNoEntry: false })) return undefined;
    const stats = statSync(path, { throwIfNoEntry: false });
    if (!stats) return 'is a link that leads nowhere';
    if (!stats.isFile()) return 'is not a file';
    if (stats.size > MAX_IGNORE_FILE_BYTES) return 'is too large';
    accessSync(path, constants.R_OK);
    return undefined;
  } catch {
    return 'cannot be read';
  }
}

function missing(path: string): string | undefined {
  return lstatSync(path, { throwIfNoEntry: false }) ? undefined : 'does not exist';
}
