/** What the search tools share: where they look, accepted spellings, how an "always" answer is narrowed. */
import { type Stats, statSync } from 'node:fs';
import { realPathOf } from '../platform/real-path.js';
import type { PolicyUpdateOptions } from '../protocol/confirmation.js';
import type { WorkspaceHost } from '../workspace/host.js';
import { resolveToolPath } from '../workspace/tool-path.js';
import { ToolErrorType } from './tool-error.js';

export type SearchPathHost = Pick<
  WorkspaceHost,
  'getTargetDir' | 'getWorkspaceContext' | 'validatePathAccess'
>;

/** Real, absolute paths; one unless all workspace directories are meant. */
export type SearchPath =
  | { paths: { path: string; isFile: boolean }[] }
  | { problem: string; type: ToolErrorType };

export function findSearchPath(
  host: SearchPathHost,
  rawPath: string | undefined,
  { allowFile }: { allowFile: boolean },
): SearchPath {
  if (rawPath === undefined || rawPath === '') {
    return {
      paths: host
        .getWorkspaceContext()
        .getDirectories()
        .map((path) => ({ path, isFile: false })),
    };
  }
  const resolved = resolveToolPath(host, rawPath);
  if ('problem' in resolved) return { ...resolved, type: ToolErrorType.INVALID_TOOL_PARAMS };
  const { path } = resolved;
  const real = realPathOf(path);
  // The path as asked for goes into the message; the real one is what is searched.
  const refusal = host.validatePathAccess(path, 'read') ?? host.validatePathAccess(real, 'read');
  if (refusal !== null) return { problem: refusal, type: ToolErrorType.PATH_NOT_IN_WORKSPACE };
  const stats = statOf(real);
  if (!stats) {
    return { problem: `Search path does not exist: ${path}`, type: ToolErrorType.SEARCH_PATH_NOT_FOUND };
  }
  if (stats.isDirectory() || (allowFile && stats.isFile())) {
    return { paths: [{ path: real, isFile: stats.isFile() }] };
  }
  const wanted = allowFile ? 'a directory or a regular file' : 'a directory';
  return {
    problem: `Search path is not ${wanted}: ${path}`,
    type: ToolErrorType.SEARCH_PATH_NOT_A_DIRECTORY,
  };
}

/** Copies `params` with synonyms renamed; a canonical name that is present wins. */
export function renameParams<T extends object>(params: T, synonyms: Readonly<Record<string, string>>): T {
  if (typeof params !== 'object' || params === null || Array.isArray(params)) return params;
  const renamed: Record<string, unknown> = Object.fromEntries(Object.entries(params));
  for (const [synonym, name] of Object.entries(synonyms)) {
    if (!(synonym in renamed)) continue;
    renamed[name] ??= renamed[synonym];
    delete renamed[synonym];
  }
  // Only names were changed to those of T; the schema check that follows judges the values.
  return renamed as T;
}

/** "Always" allows this very pattern, wherever it is searched. */
export function patternRule(pattern: string): PolicyUpdateOptions {
  const json = `"pattern":${JSON.stringify(pattern)}`;
  return { argsPattern: json.replace(/[\\^$.*+?()[\]{}|]/g, '\\$&') };
}

function statOf(path: string): Stats | undefined {
  try {
    return statSync(path, { throwIfNoEntry: false });
  } catch {
    return undefined;
  }
}
