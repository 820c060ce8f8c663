/** The directories of auto memory and the targets of its suggestions. */
import { join } from 'node:path';
import { realPathOf } from '../../platform/files/real-path.js';

export type PatchScope = 'private' | 'global';
export const PATCH_SCOPES: readonly PatchScope[] = ['private', 'global'];

export interface AutoMemoryPlaces {
  /** The private memory of the project, by its real path. */
  memoryDir: string;
  /** The same as the model may spell it, with links unresolved. */
  memoryAliases: readonly string[];
  inboxDir: string;
  /** Drafts of skills: `<name>/SKILL.md`. */
  draftsDir: string;
  lockFile: string;
  stateFile: string;
  /** `~/.gemini/GEMINI.md`. */
  globalFile: string;
  /** Where accepted skills go. */
  skillDirs: { user: string; workspace: string };
  /** Skills of the workspace stay in it. */
  targetDir: string;
}

export interface PlaceSources {
  /** `~/.gemini/tmp/<project>`. */
  projectTempDir: string;
  /** `~/.gemini`. */
  globalDir: string;
  targetDir: string;
}

export function autoMemoryPlaces({ projectTempDir, globalDir, targetDir }: PlaceSources): AutoMemoryPlaces {
  const memoryDir = join(realPathOf(projectTempDir), 'memory');
  return {
    memoryDir,
    memoryAliases: [memoryDir, join(projectTempDir, 'memory')],
    inboxDir: join(memoryDir, '.inbox'),
    draftsDir: join(memoryDir, 'skills'),
    lockFile: join(memoryDir, '.extraction.lock'),
    stateFile: join(memoryDir, '.extraction-state.json'),
    globalFile: join(globalDir, 'GEMINI.md'),
    skillDirs: { user: join(globalDir, 'skills'), workspace: join(targetDir, '.gemini', 'skills') },
    targetDir,
  };
}

/** The one file of each scope that the extraction agent writes. */
export function extractionPatch({ inboxDir }: AutoMemoryPlaces, scope: PatchScope): string {
  return join(inboxDir, scope, 'extraction.patch');
}
