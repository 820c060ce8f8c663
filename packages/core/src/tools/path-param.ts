/** The path parameter that file tools have in common. */
import type { PolicyUpdateOptions } from '../protocol/confirmation.js';
import type { WorkspaceHost } from '../workspace/host.js';
import { type PathHost, resolveToolPath } from '../workspace/tool-path.js';

export type PathCheckHost = PathHost & Pick<WorkspaceHost, 'validatePathAccess'>;

/** Null when the path may be used, else what is wrong with it. */
export function pathProblem(
  host: PathCheckHost,
  parameter: string,
  rawPath: string,
  access: 'read' | 'write',
): string | null {
  if (rawPath.replaceAll('\0', '').trim() === '') return `The '${parameter}' parameter must be non-empty.`;
  const resolved = resolveToolPath(host, rawPath);
  return 'problem' in resolved ? resolved.problem : host.validatePathAccess(resolved.path, access);
}

/** The absolute path of a parameter that has passed `pathProblem`. */
export function pathOf(host: PathHost, rawPath: string): string {
  const resolved = resolveToolPath(host, rawPath);
  if ('problem' in resolved) throw new Error(resolved.problem);
  return resolved.path;
}

/** Moves the first given synonym to the canonical name, which wins if both are there. */
export function acceptSynonyms<T extends object>(
  params: T,
  canonical: keyof T & string,
  synonyms: readonly string[],
): T {
  const given: Record<string, unknown> = Object.fromEntries(Object.entries(params));
  for (const synonym of synonyms) {
    if (given[synonym] === undefined) continue;
    given[canonical] ??= given[synonym];
    delete given[synonym];
  }
  // Only names changed; the schema check that follows looks at the values.
  return given as T;
}

/** Narrows an "always" answer to exactly this path. */
export function exactPathRule(parameter: string, rawPath: string): PolicyUpdateOptions {
  const json = `${JSON.stringify(parameter)}:${JSON.stringify(rawPath)}`;
  return { argsPattern: json.replace(/[.*+?^${}()|[\]\\/]/g, '\\$&') };
}
