/** Which folder a task may work in. */
import { lstatSync, realpathSync, statSync } from 'node:fs';
import { basename, dirname, isAbsolute, join, relative, resolve, sep } from 'node:path';
import { UserError } from '@gemini-cli/core';
import type { AgentSettings } from '../contract.js';

export class WorkspaceError extends UserError {
  override readonly name = 'WorkspaceError';
}

export interface WorkspaceRules {
  /** All workspaces lie in it; absent: anywhere. */
  root?: string;
  /** For a task that names none, if no root is set. */
  cwd: string;
}

/** @returns the real path. @throws WorkspaceError when the folder does not exist or lies outside the root */
export function workspaceOf(settings: AgentSettings | undefined, { root, cwd }: WorkspaceRules): string {
  const base = root ?? cwd;
  const wanted = settings?.workspacePath ? resolve(base, settings.workspacePath) : base;
  const folder = realFolder(wanted);
  if (!folder) throw new WorkspaceError(`The workspace is not a folder that exists: ${wanted}`);
  const allowed = root === undefined ? undefined : realFolder(root);
  if (root !== undefined && (!allowed || !isInside(folder, allowed)))
    throw new WorkspaceError(`The workspace lies outside the folder that this server may work in: ${wanted}`);
  return folder;
}

/**
 * Where the workspace of a task lies, or would lie: it may be missing on this machine. Undefined: the task names none, or
 * one outside the root.
 */
export function placeOfWorkspace(
  settings: AgentSettings | undefined,
  { root, cwd }: WorkspaceRules,
): string | undefined {
  const path = settings?.workspacePath;
  if (!path || path.includes('\0')) return undefined;
  const wanted = resolve(root ?? cwd, path);
  if (root === undefined) return wanted;
  const [place, allowed] = [realPlace(wanted), realFolder(root)];
  return place !== undefined && allowed !== undefined && isInside(place, allowed) ? place : undefined;
}

/** With all links followed, as far as the path exists. A link that leads nowhere has no place. */
function realPlace(path: string): string | undefined {
  if (lstatSync(path, { throwIfNoEntry: false })) {
    try {
      return realpathSync(path);
    } catch {
      return undefined;
    }
  }
  const parent = dirname(path);
  const real = parent === path ? undefined : realPlace(parent);
  return real === undefined ? undefined : join(real, basename(path));
}

function realFolder(path: string): string | undefined {
  try {
    const real = realpathSync(path);
    return statSync(real).isDirectory() ? real : undefined;
  } catch {
    return undefined;
  }
}

function isInside(path: string, folder: string): boolean {
  const way = relative(folder, path);
  return way === '' || (way !== '..' && !way.startsWith(`..${sep}`) && !isAbsolute(way));
}
