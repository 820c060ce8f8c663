/** Plans the file system of a contained Linux command: as outside, but read-only and without secrets. */
import { existsSync, lstatSync } from 'node:fs';
import { realPathOf } from '../../files/real-path.js';
import { MountPlan } from '../linux/mount-plan.js';
import { envFilesAndEnvrc } from '../paths/env-files.js';
import { type DirectoryReader, secretPaths } from '../paths/hidden-paths.js';
import type { ProtectedPath } from '../paths/protected-paths.js';
import { protectedBelow } from './protected-below.js';
import type { ContainRequest } from './types.js';

export interface ViewSources {
  home: string;
  /** Our own directories: settings, tokens, sessions. */
  own: readonly string[];
  env: Readonly<Record<string, string | undefined>>;
  read: DirectoryReader;
}

export interface ContainedView {
  plan: MountPlan;
  /** Missing paths need a placeholder before they can be mounted. */
  protected: readonly ProtectedPath[];
}

/** @throws SandboxError when a path cannot be protected */
export async function containedView(request: ContainRequest, sources: ViewSources): Promise<ContainedView> {
  const { kind, workspace, visiblePaths, hiddenPaths, trackedEnvFiles } = request;
  const { home, own, env, read } = sources;
  const plan = new MountPlan();
  for (const path of workspace) plan.add(path, kind === 'workspace' ? 'writable' : 'readonly');
  const guarded = kind === 'workspace' ? workspace.flatMap((path) => protectedBelow(path, read)) : [];
  for (const { path, access, isDirectory } of guarded) plan.add(path, access, isDirectory);
  for (const { path, isDirectory } of secretPaths(home, own, env)) {
    if (!workspace.includes(path)) plan.add(path, 'hidden', isDirectory);
  }
  const found = workspace.flatMap((path) => envFilesAndEnvrc(path, read));
  const tracked = found.length > 0 ? await trackedEnvFiles(found.map(({ path }) => path)) : [];
  for (const { path, isDirectory } of found) {
    if (!tracked.includes(path)) plan.add(path, 'hidden', isDirectory);
  }
  for (const path of visiblePaths.map(realPathOf)) if (existsSync(path)) plan.add(path, 'readonly');
  for (const path of hiddenPaths.map(realPathOf)) {
    const stats = lstatSync(path, { throwIfNoEntry: false });
    if (stats) plan.forbid(path, stats.isDirectory());
  }
  return { plan, protected: guarded };
}
