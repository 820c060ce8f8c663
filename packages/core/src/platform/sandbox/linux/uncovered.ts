/** Finds the permissions that a policy does not grant yet, which the user must be asked for. */
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import type { SandboxPermissions } from '../../../protocol/confirmation.js';
import { isInside, realPathOf } from '../../files/real-path.js';
import { grantable } from '../permissions/expansion.js';
import type { SandboxPolicy } from '../types.js';

export interface CoverContext {
  home: string;
  /** The user's secrets and our own directories, which are hidden. */
  secrets: readonly string[];
}

/**
 * Undefined: all is granted. Returns real paths, because the user must see where they lead; for a missing file to be
 * written, the directory that would contain it.
 */
export function uncovered(
  asked: SandboxPermissions,
  policy: SandboxPolicy,
  context: CoverContext,
): SandboxPermissions | undefined {
  const network = asked.network === true && policy.network !== 'on';
  const guarded = new Set(policy.workspace.map(realPathOf).flatMap(protectedRoots));
  const exists = (path: string) => existsSync(path) || guarded.has(path);
  const target = (path: string) =>
    grantable(realPathOf(path), { home: context.home, exists }) ?? realPathOf(path);
  const write = unique(asked.fileSystem?.write?.map(target)).filter((path) => !isWritable(path, policy));
  const read = unique(asked.fileSystem?.read?.map(realPathOf)).filter(
    (path) => !write.includes(path) && !isReadable(path, policy, context),
  );
  if (!network && write.length === 0 && read.length === 0) return undefined;
  const fileSystem = { ...(read.length > 0 && { read }), ...(write.length > 0 && { write }) };
  return { ...(network && { network }), ...(Object.keys(fileSystem).length > 0 && { fileSystem }) };
}

/** Paths of a workspace that are protected although it is writable; see protected-paths.ts. */
export function protectedRoots(workspace: string): string[] {
  const git = join(workspace, '.git');
  return [
    join(workspace, '.gemini'),
    join(workspace, '.vscode'),
    git,
    join(git, 'hooks'),
    join(git, 'config'),
  ];
}

export function joinPermissions(
  parts: readonly (SandboxPermissions | undefined)[],
): SandboxPermissions | undefined {
  const given = parts.filter((part) => part !== undefined);
  if (given.length === 0) return undefined;
  const read = unique(given.flatMap(({ fileSystem }) => fileSystem?.read ?? []));
  const write = unique(given.flatMap(({ fileSystem }) => fileSystem?.write ?? []));
  return {
    ...(given.some(({ network }) => network) && { network: true }),
    ...((read.length > 0 || write.length > 0) && { fileSystem: { read, write } }),
  };
}

function isWritable(path: string, policy: SandboxPolicy): boolean {
  const workspaces = policy.workspace.map(realPathOf);
  const grants = policy.writablePaths.map(realPathOf);
  const guarded = workspaces.flatMap(protectedRoots).filter((root) => isInside(path, root));
  // The protection of a path is lifted only by naming it, or a path inside it.
  const counting = grants.filter((grant) => guarded.every((root) => isInside(grant, root)));
  if (counting.some((grant) => isInside(path, grant))) return true;
  if (guarded.length > 0 || !policy.workspaceWritable) return false;
  return workspaces.some((workspace) => isInside(path, workspace));
}

/** Everything is readable, except for hidden paths. */
function isReadable(path: string, policy: SandboxPolicy, { secrets }: CoverContext): boolean {
  const given = [...policy.readOnlyPaths, ...policy.writablePaths].map(realPathOf);
  if (given.some((grant) => isInside(path, grant))) return true;
  if (secrets.some((secret) => isInside(path, secret))) return false;
  const workspaces = policy.workspace.map(realPathOf);
  if (workspaces.some((workspace) => isInside(path, workspace))) return !/(^|\/)\.env(\.[^/]+)?$/.test(path);
  return !EMPTY_INSIDE.some((place) => isInside(path, place));
}

/** Empty inside the sandbox; see file-view.ts. */
const EMPTY_INSIDE = ['/tmp', '/run', '/var/run'];

function unique(paths: readonly string[] = []): string[] {
  return [...new Set(paths)];
}
