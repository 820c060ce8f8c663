/** Whether an editor has the folder of this session open. */
import { delimiter, isAbsolute } from 'node:path';
import { visibleName } from '../../base/visible-text.js';
import { isInside, realPathOf } from '../../platform/files/real-path.js';

/** @returns a sentence for the user; undefined: the folder is in the workspace */
export function workspaceProblem(
  cwd: string,
  workspacePath: string | undefined,
  displayName: string,
): string | undefined {
  if (workspacePath === undefined)
    return `The companion in ${displayName} does not say which folders are open. Update it with /ide install.`;
  const roots = workspacePath.split(delimiter).filter((root) => isAbsolute(root));
  if (roots.length === 0)
    return `${displayName} has no folder open. Open this folder there, then run /ide enable.`;
  const here = realPathOf(cwd);
  if (roots.some((root) => isInside(here, realPathOf(root)))) return undefined;
  const list = roots.map(visibleName).join(', ');
  return `This folder is not open in ${displayName}. Open there: ${list}. Start gemini in one of them, or open this folder in ${displayName}.`;
}
