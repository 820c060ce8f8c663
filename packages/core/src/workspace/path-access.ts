/** The one check that decides whether a tool may touch a path. */
import { basename, dirname, join } from 'node:path';
import { isInside, realPathOf } from '../platform/files/real-path.js';
import type { Storage } from '../platform/storage/storage.js';
import type { WorkspaceContext } from './workspace-context.js';

/** How every refusal begins. */
export const PATH_REFUSAL = 'Path not in workspace';

export type PathAccess = (path: string, access?: 'read' | 'write') => string | null;

export interface PathAccessOptions {
  /**
   * `main` never touches the inbox, where proposals about the user's memory wait for the user. `extraction`
   * makes them: it reads the inbox, and writes nothing but its two patches and drafts of skills.
   */
  agent?: 'main' | 'extraction';
}

/** Paths are judged by where they really lead. Without `access`: as for writing. */
export function createPathAccess(
  workspace: WorkspaceContext,
  storage: Storage,
  { agent = 'main' }: PathAccessOptions = {},
): PathAccess {
  return (path, access = 'write') => {
    // No file has such a name; whatever cuts it short would touch another one.
    if (path.includes('\0')) return refusal(path, workspace, storage);
    const real = realPathOf(path);
    const inWorkspace = workspace.isPathWithinWorkspace(real);
    // The usual case, without looking up the other places.
    if (agent === 'main' && inWorkspace && !mayBeOurs(real)) return null;
    const places = placesOf(storage);
    const isAllowed =
      agent === 'extraction' && access === 'write'
        ? mayExtractionWrite(real, places)
        : mayTouch(real, access, inWorkspace, { workspace, places, agent });
    return isAllowed ? null : refusal(path, workspace, storage);
  };
}

interface Places {
  projectTemp: string;
  memory: string;
  inbox: string;
  globalContextFile: string;
}

function placesOf(storage: Storage): Places {
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
  { workspace, places, agent }: { workspace: WorkspaceContext; places: Places; agent: string },
): boolean {
  if (isInside(folded(real), folded(places.inbox))) return agent === 'extraction';
  if (access === 'write' && isRecord(real, places)) return false;
  if (inWorkspace || isInside(real, places.projectTemp) || real === places.globalContextFile) return true;
  return access === 'read' && workspace.isPathReadable(real);
}

/** Recorded conversations and checkpoints say what happened; a model that rewrites them would be believed. */
function isRecord(real: string, { projectTemp }: Places): boolean {
  const path = folded(real);
  const folders = ['chats', 'checkpoints'].map((name) => folded(join(projectTemp, name)));
  const isSaved = dirname(path) === folded(projectTemp) && /^checkpoint-.*\.json$/.test(basename(path));
  return isSaved || folders.some((folder) => isInside(path, folder));
}

/** Exactly these: a name that only looks alike is another file. */
function mayExtractionWrite(real: string, { memory, inbox }: Places): boolean {
  const patches = ['private', 'global'].map((scope) => join(inbox, scope, 'extraction.patch'));
  const skills = join(memory, 'skills');
  return patches.includes(real) || (isInside(real, skills) && real !== skills);
}

/** Cheap and generous: what passes is looked at closely. */
function mayBeOurs(real: string): boolean {
  return /\.inbox|chats|checkpoint/i.test(real) || /[^\x20-\x7e]/.test(real);
}

/**
 * The same for all spellings under which some file system finds the same folder: letters of the other case,
 * composed or not, with characters that count for nothing, with dots and spaces at the end.
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

/** For the model: the path, and where it may look instead. */
export function workspaceRefusal(path: string, workspace: Pick<WorkspaceContext, 'getDirectories'>): string {
  return (
    `${PATH_REFUSAL}: Attempted path "${path}" resolves outside the allowed workspace directories. ` +
    `File path must be within workspace: ${workspace.getDirectories().join(', ')}`
  );
}
