/** The path parameter that file tools have in common. */
import { isObject } from '../base/objects.js';
import { realPathOf } from '../platform/files/real-path.js';
import type { PolicyUpdateOptions } from '../protocol/confirmation.js';
import type { WorkspaceHost } from '../workspace/host.js';
import { workspaceRefusal } from '../workspace/path-access.js';
import { type PathHost, resolveToolPath } from '../workspace/tool-path.js';
import { ToolCallError, ToolErrorType } from './tool-error.js';

/** A host checks paths itself, or names its workspace; then every path outside the workspace is refused. */
export type AccessHost =
  | Pick<WorkspaceHost, 'validatePathAccess'>
  | (Pick<WorkspaceHost, 'getWorkspaceContext'> & { validatePathAccess?: undefined });

export type PathCheckHost = PathHost & AccessHost;

/**
 * Null when the path may be used, else what is wrong with the argument.
 * @throws ToolCallError for a path that is not open to the model
 */
export function pathProblem(
  host: PathCheckHost,
  parameter: string,
  rawPath: string,
  access: 'read' | 'write',
): string | null {
  if (rawPath.replaceAll('\0', '').trim() === '') return `The '${parameter}' parameter must be non-empty.`;
  const resolved = resolveToolPath(host, rawPath);
  if ('problem' in resolved) return resolved.problem;
  const refusal = accessProblem(host, resolved.path, access);
  if (refusal !== null) throw new ToolCallError(ToolErrorType.PATH_NOT_IN_WORKSPACE, refusal);
  return null;
}

/** Null when `path`, which is absolute, may be used. */
export function accessProblem(host: AccessHost, path: string, access: 'read' | 'write'): string | null {
  if (host.validatePathAccess) return host.validatePathAccess(path, access);
  const workspace = host.getWorkspaceContext();
  return workspace.isPathWithinWorkspace(path) ? null : workspaceRefusal(path, workspace);
}

/** The absolute path of a parameter that has passed `pathProblem`. */
export function pathOf(host: PathHost, rawPath: string): string {
  const resolved = resolveToolPath(host, rawPath);
  if ('problem' in resolved) throw new Error(resolved.problem);
  return resolved.path;
}

/** Copies `params` with synonyms renamed; a canonical name that is present wins. */
export function acceptSynonyms<T extends object>(params: T, synonyms: Readonly<Record<string, string>>): T {
  if (!isObject(params)) return params;
  const renamed: Record<string, unknown> = { ...params };
  for (const [synonym, name] of Object.entries(synonyms)) {
    if (renamed[synonym] === undefined) continue;
    renamed[name] ??= renamed[synonym];
    delete renamed[synonym];
  }
  // Only keys were renamed to those of T; the schema check that follows checks the values.
  return renamed as T;
}

/**
 * Narrows an "always" answer to calls in which this parameter has exactly this value. Policy puts each argument
 * between NULs, so the same name and value nested in another argument do not match.
 */
export function exactRule(parameter: string, value: string | readonly string[]): PolicyUpdateOptions {
  const json = `${JSON.stringify(parameter)}:${JSON.stringify(value)}`;
  return { argsPattern: `\\x00${json.replace(/[.*+?^${}()|[\]\\/]/g, '\\$&')}\\x00` };
}

/** Narrows an "always" answer to this file, however a call spells its path; a link placed there later does not count. */
export function pathRule(absolutePath: string): PolicyUpdateOptions {
  return { path: realPathOf(absolutePath) };
}
