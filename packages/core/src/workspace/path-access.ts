/** Decides whether a tool may read or write a path. */
import { basename, dirname, join } from 'node:path';
import { isInside, realPathOf } from '../platform/files/real-path.js';
import type { Storage } from '../platform/storage/storage.js';
import type { WorkspaceContext } from './workspace-context.js';

/** Every refusal begins with this text. */
export const PATH_REFUSAL = 'Path not in workspace';

export type PathAccess = (path: string, access?: 'read' | 'write') => string | null;

export interface PathAccessOptions {
  /**
   * `main` never touches the inbox, where proposals for the user's memory wait for review. `extraction` writes these
   * proposals: it reads the inbox, and writes only its two patches and skill drafts.
   */
  agent?: 'main' | 'extraction';
  /** Real paths of further folders that may be read, never written: those of activated skills. */
  readOnlyFolders?: () => readonly string[];
  /** Whether a file outside may be read, never written: those of extensions. Gets a real path. */
  isReadOnlyFile?: (path: string) => boolean;
}

/** Judges real paths, links resolved. Without `access`: as for writing. */
export function createPathAccess(
  workspace: WorkspaceContext,
  storage: Storage,
  { agent = 'main', readOnlyFolders = () => [], isReadOnlyFile = () => false }: PathAccessOptions = {},
): PathAccess {
  return (path, access = 'write') => {
    // Code that cuts the path at the NUL would touch another file.
    if (path.includes('\0')) return refusal(path, workspace, storage);
    const real = realPathOf(path);
    const inWorkspace = workspace.isPathWithinWorkspace(real);
    // The common case, without computing the other paths.
    if (agent === 'main' && inWorkspace && !mayBeProtected(real)) return null;
    const paths = storagePathsOf(storage);
    const isAllowed =
      agent === 'extraction' && access === 'write'
        ? mayExtractionWrite(real, paths)
        : mayTouch(real, access, inWorkspace, { paths, agent, readOnlyFolders, isReadOnlyFile });
    return isAllowed ? null : refusal(path, workspace, storage);
  };
}

interface StoragePaths {
  projectTemp: string;
  memory: string;
  inbox: string;
  globalContextFile: string;
}

function storagePathsOf(storage: Storage): StoragePaths {
  const projectTemp = realPathOf(storage.getProjectTempDir());
  const memory = join(projectTemp, 'memory');
  return {
    projectTemp,
    memory,
    inbox: join(memory, '.inbox'),
    globalContextFile: realPathOf(join(storage.getGlobalGeminiDir(), 'GEMINI.md')),
  };
}

function mayTouch(
  real: string,
  access: 'read' | 'write',
  inWorkspace: boolean,
  { paths, agent, ...readOnly }: { paths: StoragePaths } & Required<PathAccessOptions>,
): boolean {
  if (isInside(folded(real), folded(paths.inbox))) return agent === 'extraction';
  if (access === 'write' && isRecord(real, paths)) return false;
  if (inWorkspace || isInside(real, paths.projectTemp) || real === paths.globalContextFile) return true;
  if (access !== 'read') return false;
  return readOnly.readOnlyFolders().some((folder) => isInside(real, folder)) || readOnly.isReadOnlyFile(real);
}

/** Recorded conversations and checkpoints: the model must not rewrite what happened. */
function isRecord(real: string, { projectTemp }: StoragePaths): boolean {
  const path = folded(real);
  const folders = ['chats', 'checkpoints'].map((name) => folded(join(projectTemp, name)));
  const isSaved = dirname(path) === folded(projectTemp) && /^checkpoint-.*\.json$/.test(basename(path));
  return isSaved || folders.some((folder) => isInside(path, folder));
}

/** Exact names, without folding: a similar name is another file. */
function mayExtractionWrite(real: string, { memory, inbox }: StoragePaths): boolean {
  const patches = ['private', 'global'].map((scope) => join(inbox, scope, 'extraction.patch'));
  const skills = join(memory, 'skills');
  return patches.includes(real) || (isInside(real, skills) && real !== skills);
}

/** A cheap test with false positives; the exact tests follow. */
function mayBeProtected(real: string): boolean {
  return /\.inbox|chats|checkpoint/i.test(real) || /[^\x20-\x7e]/.test(real);
}

/**
 * The same text for all spellings that some file system treats alike: other case, composed or decomposed letters,
 * ignorable characters, trailing dots and spaces.
 */
function folded(path: string): string {
  return path
    .normalize('NFKC')
    .replace(/\p{Default_Ignorable_Code_Point}/gu, '')
    .toLowerCase()
    .replace(/[. ]+(?=[/\\]|$)/g, '');
}

function refusal(path: string, workspace: WorkspaceContext, storage: Storage): string {
  const temp = realPathOf(storage.getProjectTempDir());
  return `${workspaceRefusal(path, workspace)} or the project temp directory: ${temp}`;
}

/** For the model: the refused path and the allowed directories. */
export function workspaceRefusal(path: string, workspace: Pick<WorkspaceContext, 'getDirectories'>): string {
  return (
    `${PATH_REFUSAL}: Attempted path "${path}" resolves outside the allowed workspace directories. ` +
    `File path must be within workspace: ${workspace.getDirectories().join(', ')}`
  );
}
