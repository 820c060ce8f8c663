/** Resolves the directory or file that a search tool looks in. */
import { realPathOf } from '../platform/files/real-path.js';
import { tryStat } from '../platform/files/try-read.js';
import type { WorkspaceHost } from '../workspace/host.js';
import { resolveToolPath } from '../workspace/tool-path.js';
import { ToolCallError, ToolErrorType } from './tool-error.js';

export type SearchPathHost = Pick<
  WorkspaceHost,
  'getTargetDir' | 'getEnvironment' | 'getWorkspaceContext' | 'validatePathAccess'
>;

/** Real, absolute paths: one, or all workspace directories. */
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
  // The message shows the path as the model wrote it; the real path is searched.
  const refusal = host.validatePathAccess(path, 'read') ?? host.validatePathAccess(real, 'read');
  if (refusal !== null) return { problem: refusal, type: ToolErrorType.PATH_NOT_IN_WORKSPACE };
  const stats = tryStat(real);
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

/** Null when it may be searched. @throws ToolCallError for a path that is not open to the model */
export function searchPathProblem(...asked: Parameters<typeof findSearchPath>): string | null {
  const found = findSearchPath(...asked);
  if (!('problem' in found)) return null;
  const { type, problem } = found;
  if (type === ToolErrorType.PATH_NOT_IN_WORKSPACE) throw new ToolCallError(type, problem);
  return problem;
}
