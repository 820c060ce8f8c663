/** Plans the file system of a sandboxed Linux command from its policy. */
import { existsSync, lstatSync } from 'node:fs';
import { realPathOf } from '../../files/real-path.js';
import { envFiles } from '../paths/env-files.js';
import { openSockets, secretPaths } from '../paths/hidden-paths.js';
import { linkedGitDirectories, type ProtectedPath, protectedPaths } from '../paths/protected-paths.js';
import { SandboxError, type SandboxPolicy } from '../types.js';
import { MountPlan } from './mount-plan.js';

export interface FileView {
  plan: MountPlan;
  /** Protected paths of the workspace; missing ones need a placeholder before they can be mounted. */
  protected: readonly ProtectedPath[];
}

export interface ViewSources {
  home: string;
  /** Our own directories: settings, tokens, sessions. */
  own: readonly string[];
  env: Readonly<Record<string, string | undefined>>;
  /** Programs that must be available inside. */
  programs: readonly string[];
}

export function fileView(policy: SandboxPolicy, { home, own, env, programs }: ViewSources): FileView {
  const plan = new MountPlan();
  const workspaces = policy.workspace.map(workspaceRoot);
  const grants = { read: policy.readOnlyPaths.map(realPathOf), write: policy.writablePaths.map(realPathOf) };

  for (const path of ['/tmp', '/run', '/var/run']) {
    if (lstatSync(path, { throwIfNoEntry: false })?.isDirectory()) plan.add(path, 'private');
  }
  const dns = realPathOf('/etc/resolv.conf');
  if (policy.network === 'on') addExisting(plan, dns, 'readonly');
  for (const path of programs) addExisting(plan, realPathOf(path), 'readonly');
  for (const path of workspaces) plan.add(path, policy.workspaceWritable ? 'writable' : 'readonly');
  for (const path of workspaces.flatMap(linkedGitDirectories)) addExisting(plan, path, 'readonly');

  const secrets = [
    ...secretPaths(home, own, env),
    ...[...workspaces, ...grants.read].flatMap((path) => envFiles(path)),
  ];
  for (const { path, isDirectory } of secrets) {
    if (!workspaces.includes(path)) plan.add(path, 'hidden', isDirectory);
  }
  const guarded = policy.workspaceWritable
    ? workspaces.flatMap((path) =>
        protectedPaths(path, policy.allowGitWrites, (item) => grants.write.includes(item)),
      )
    : [];
  for (const { path, access, isDirectory } of guarded) plan.add(path, access, isDirectory);
  for (const path of grants.read) {
    if (!guarded.some((item) => item.path === path)) addExisting(plan, path, 'readonly');
  }
  for (const path of grants.write) addExisting(plan, path, 'writable');
  for (const path of policy.forbiddenPaths.map(realPathOf)) {
    const stats = lstatSync(path, { throwIfNoEntry: false });
    if (stats) plan.forbid(path, stats.isDirectory());
  }
  // Without a network the seccomp filter refuses every unix socket.
  for (const { path } of policy.network === 'off' ? [] : openSockets()) {
    const kind = plan.kindAt(path);
    if (kind !== 'hidden' && kind !== 'private') plan.add(path, 'hidden', false);
  }
  return { plan, protected: guarded };
}

function workspaceRoot(path: string): string {
  const real = realPathOf(path);
  if (real === '/') {
    throw new SandboxError(
      'The whole file system is the workspace, which leaves nothing to protect.',
      'Start the program in a directory below it.',
    );
  }
  if (!existsSync(real))
    throw new SandboxError(`${path} does not exist.`, 'Create it, or remove it from the workspace.');
  return real;
}

function addExisting(plan: MountPlan, path: string, kind: 'readonly' | 'writable'): void {
  const stats = lstatSync(path, { throwIfNoEntry: false });
  if (stats) plan.add(path, kind, stats.isDirectory());
}
