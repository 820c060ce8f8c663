/** The one check that decides whether a tool may touch a path. */
import { join } from 'node:path';
import { isInside, realPathOf } from '../platform/real-path.js';
import { Storage } from '../platform/storage.js';
import type { WorkspaceContext } from './workspace-context.js';

/** How every refusal begins; tells it from other bad arguments. */
export const PATH_REFUSAL = 'Path not in workspace';

export type PathAccess = (path: string, access?: 'read' | 'write') => string | null;

export function createPathAccess(workspace: WorkspaceContext, storage: Storage): PathAccess {
  return (path) => {
    const real = realPathOf(path);
    const inWorkspace = workspace.isPathWithinWorkspace(real);
    // The usual case, without looking up the other places.
    if (inWorkspace && !/\.inbox/i.test(real)) return null;
    const projectTemp = realPathOf(storage.getProjectTempDir());
    const inbox = join(projectTemp, 'memory', '.inbox');
    const globalContextFile = realPathOf(join(Storage.getGlobalGeminiDir(), 'GEMINI.md'));
    const allowed = inWorkspace || isInside(real, projectTemp) || real === globalContextFile;
    if (allowed && !isInside(real, inbox)) return null;
    const roots = workspace.getDirectories().join(', ');
    return (
      `${PATH_REFUSAL}: "${path}" resolves outside the allowed workspace directories: ${roots} ` +
      `or the project temp directory: ${projectTemp}`
    );
  };
}
