/** Plans the file system of a restricted Linux process: an empty root with the system's libraries and what is declared. */
import { lstatSync } from 'node:fs';
import { isInside, realPathOf } from '../../files/real-path.js';
import { MountPlan } from '../linux/mount-plan.js';
import { envFiles } from '../paths/env-files.js';
import { openSockets, secretPaths } from '../paths/hidden-paths.js';
import { type ProtectedPath, protectedPaths } from '../paths/protected-paths.js';
import { type DeclaredPaths, declaredPaths } from './declared-paths.js';
import { followLinks, type PathLink } from './follow-links.js';
import { programFiles } from './programs.js';
import { LIBRARY_FOLDERS, PROGRAM_FOLDERS, SYSTEM_FILES } from './system-folders.js';
import type { RightsRequest } from './types.js';

export interface RightsView {
  plan: MountPlan;
  /** Protected paths of a writable workspace; missing ones need a placeholder. */
  protected: readonly ProtectedPath[];
  /** To be created after the mounts. */
  links: readonly PathLink[];
  /** Empty folders that must exist: the working directory and the home. */
  folders: readonly string[];
  declared: DeclaredPaths;
}

export interface ViewSources {
  home: string;
  /** Our own directories: settings, tokens, sessions. */
  own: readonly string[];
  variables: Readonly<Record<string, string | undefined>>;
  /** Programs that our own start needs. */
  programs: readonly string[];
}

export function rightsView(
  request: RightsRequest,
  { home, own, variables, programs }: ViewSources,
): RightsView {
  const { rights, command, cwd } = request;
  const { capabilities } = rights;
  const extensionPath = realPathOf(rights.extensionPath);
  const workspace = realPathOf(request.workspace);
  const plan = new MountPlan('hidden');
  const links: PathLink[] = [];
  for (const path of ['/tmp', '/run']) plan.add(path, 'private');
  for (const path of [...LIBRARY_FOLDERS, ...PROGRAM_FOLDERS, ...SYSTEM_FILES]) {
    const followed = followLinks(path);
    if (!followed) continue;
    links.push(...followed.links);
    if (!PROGRAM_FOLDERS.includes(path)) addExisting(plan, followed.real, 'readonly');
  }
  const needed = programFiles([...programs, command, ...request.programs, ...capabilities.executables], {
    path: request.env['PATH'],
    cwd,
    home,
  });
  const declared = declaredPaths(capabilities.files, { home, workspace, extensionPath });
  const granted = [...declared.read, ...declared.write];
  const workspaces = granted.some((path) => isInside(workspace, path))
    ? [workspace]
    : granted.filter((path) => isInside(path, workspace));
  const secrets = [...secretPaths(home, own, variables), ...workspaces.flatMap((path) => envFiles(path))];
  for (const { path, isDirectory } of secrets) plan.add(path, 'hidden', isDirectory);
  const isWorkspaceWritable = declared.write.some((path) => isInside(workspace, path));
  const guarded = isWorkspaceWritable
    ? protectedPaths(workspace, false, (path) => declared.write.includes(path))
    : [];
  for (const { path, access, isDirectory } of guarded) plan.add(path, access, isDirectory);
  for (const path of declared.read) addExisting(plan, path, 'readonly');
  for (const path of declared.write) addExisting(plan, path, 'writable');
  for (const path of [extensionPath, ...needed.folders, ...needed.files]) addExisting(plan, path, 'readonly');
  for (const { path } of openSockets()) if (isShown(plan, path)) plan.add(path, 'hidden', false);
  const followed = [extensionPath, rights.extensionPath, cwd, home].flatMap(
    (path) => followLinks(path)?.links ?? [],
  );
  return {
    plan,
    protected: guarded,
    links: ownLinks(plan, [...links, ...needed.links, ...declared.links, ...followed]),
    folders: [realPathOf(cwd), realPathOf(home)].filter((path) => !isShown(plan, path)),
    declared,
  };
}

function isShown(plan: MountPlan, path: string): boolean {
  const kind = plan.kindAt(path);
  return kind === 'readonly' || kind === 'writable';
}

/** A link inside a mounted folder is there already. */
function ownLinks(plan: MountPlan, links: readonly PathLink[]): PathLink[] {
  const byPlace = new Map(links.map((link) => [link.at, link]));
  return [...byPlace.values()].filter(({ at }) => !isShown(plan, at));
}

function addExisting(plan: MountPlan, path: string, kind: 'readonly' | 'writable'): void {
  const stats = lstatSync(path, { throwIfNoEntry: false });
  if (stats) plan.add(path, kind, stats.isDirectory());
}
