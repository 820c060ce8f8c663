/** Finds the file of a plan: a Markdown file with text whose real path is inside the plans directory. */
import { readFileSync, type Stats, statSync } from 'node:fs';
import { resolve } from 'node:path';
import { messageOf } from '../../base/errors.js';
import { isInside, realPathOf } from '../../platform/files/real-path.js';
import { ToolErrorType } from '../tool-error.js';

export type FoundPlan = { path: string } | { problem: string; type: ToolErrorType };

/** @param name a name in the directory, or an absolute path */
export function findPlan(name: string, directory: string | undefined): FoundPlan {
  if (!directory)
    return { problem: 'There is no plans directory here.', type: ToolErrorType.EXECUTION_FAILED };
  if (name.trim() === '' || name.includes('\0'))
    return { problem: 'This names no plan file.', type: ToolErrorType.INVALID_TOOL_PARAMS };
  const path = realPathOf(resolve(directory, name.trim()));
  if (!isInside(path, realPathOf(directory)) || !/\.md$/i.test(path)) {
    return {
      problem: `A plan is a Markdown file (.md) in ${directory}; "${name}" is not one.`,
      type: ToolErrorType.PATH_NOT_IN_WORKSPACE,
    };
  }
  const stats: Stats | undefined = statSync(path, { throwIfNoEntry: false });
  // Reading a pipe of that name would never end.
  if (!stats?.isFile()) {
    return {
      problem: `There is no plan ${path}. Write it first, then leave plan mode.`,
      type: ToolErrorType.FILE_NOT_FOUND,
    };
  }
  try {
    if (readFileSync(path, 'utf8').trim() !== '') return { path };
    return { problem: `The plan ${path} is empty. Write it first.`, type: ToolErrorType.EXECUTION_FAILED };
  } catch (error) {
    return {
      problem: `The plan ${path} cannot be read: ${messageOf(error)}`,
      type: ToolErrorType.READ_CONTENT_FAILURE,
    };
  }
}
