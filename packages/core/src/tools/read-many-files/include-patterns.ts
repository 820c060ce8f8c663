/** Turns the `include` entries into globs below the workspace roots. */
import { type Stats, statSync } from 'node:fs';
import { basename, dirname, isAbsolute, join, resolve } from 'node:path';
import { realPathOf } from '../../platform/real-path.js';
import type { WorkspaceHost } from '../../workspace/host.js';
import { resolveToolPath } from '../../workspace/tool-path.js';

export interface IncludePatterns {
  patterns: string[];
  /** Existing files that were given by their path. */
  named: string[];
  /** Entries that lead out of the workspace or are no paths. */
  refused: { path: string; reason: string }[];
}

export function includePatterns(
  host: Pick<WorkspaceHost, 'getTargetDir' | 'getWorkspaceContext' | 'validatePathAccess'>,
  include: readonly string[],
  { recursive }: { recursive: boolean },
): IncludePatterns {
  const result: IncludePatterns = { patterns: [], named: [], refused: [] };
  const roots = host.getWorkspaceContext().getDirectories();
  for (const entry of include) {
    const resolved = resolveToolPath(host, entry);
    const reason = 'problem' in resolved ? resolved.problem : host.validatePathAccess(resolved.path, 'read');
    if (reason !== null || 'problem' in resolved) {
      result.refused.push({ path: entry, reason: reason ?? 'not a path' });
      continue;
    }
    const pattern = isAbsolute(entry) || /^[~@]/.test(entry) ? resolved.path : entry.replaceAll('\0', '');
    const places = new Set(roots.map((root) => resolve(root, pattern)));
    const found = [...places].flatMap((place) => literalPattern(place, recursive));
    result.named.push(...found.filter(({ isFile }) => isFile).map(({ glob }) => glob));
    result.patterns.push(
      ...(found.length > 0 ? found.map(({ glob }) => glob) : [limitDepth(pattern, recursive)]),
    );
  }
  return result;
}

/** Of an existing file or folder. Searches do not enter linked folders: the way to it is its real one. */
function literalPattern(path: string, recursive: boolean): { glob: string; isFile: boolean }[] {
  const kind = kindOf(path);
  if (kind?.isDirectory()) return [{ glob: join(realPathOf(path), recursive ? '**' : '*'), isFile: false }];
  return kind ? [{ glob: join(realPathOf(dirname(path)), basename(path)), isFile: true }] : [];
}

/** Without recursion `**` reaches no further than `*`. */
function limitDepth(pattern: string, recursive: boolean): string {
  return recursive ? pattern : pattern.replaceAll('**/', '').replace(/\*\*$/, '*');
}

function kindOf(path: string): Stats | undefined {
  try {
    return statSync(path, { throwIfNoEntry: false });
  } catch {
    // No such name can exist here: it is a pattern.
    return undefined;
  }
}
