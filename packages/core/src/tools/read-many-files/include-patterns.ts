/** Turns the `include` entries into globs for each workspace root. */
import { basename, dirname, isAbsolute, join, relative, resolve } from 'node:path';
import { isInside, realPathOf } from '../../platform/files/real-path.js';
import { tryStat } from '../../platform/files/try-read.js';
import type { WorkspaceHost } from '../../workspace/host.js';
import { resolveToolPath } from '../../workspace/tool-path.js';

export interface IncludePatterns {
  /** Globs relative to each root. */
  byRoot: Map<string, string[]>;
  /** Folders outside of the workspace that may be read, such as those of extensions. */
  outside: { root: string; glob: string }[];
  /** Existing files that were given by their path. */
  named: string[];
  /** Entries that lead out of the workspace or are not paths. */
  refused: { path: string; reason: string }[];
}

export function includePatterns(
  host: Pick<WorkspaceHost, 'getTargetDir' | 'getEnvironment' | 'getWorkspaceContext' | 'validatePathAccess'>,
  include: readonly string[],
  { recursive }: { recursive: boolean },
): IncludePatterns {
  const roots = host.getWorkspaceContext().getDirectories();
  const byRoot = new Map(roots.map((root): [string, string[]] => [root, []]));
  const named = new Set<string>();
  const outside: IncludePatterns['outside'] = [];
  const refused: IncludePatterns['refused'] = [];
  for (const entry of include) {
    const resolved = resolveToolPath(host, entry);
    const path = 'path' in resolved ? resolved.path : undefined;
    const reason = 'problem' in resolved ? resolved.problem : host.validatePathAccess(resolved.path, 'read');
    if (reason !== null || path === undefined) {
      refused.push({ path: entry, reason: reason ?? 'not a path' });
      continue;
    }
    const pattern = isAbsolute(entry) || /^[~@]/.test(entry) ? path : entry.replaceAll('\0', '');
    const elsewhere = placeOf(path);
    const isOutside = !roots.some((root) => isInside(elsewhere.root, root));
    if (isOutside && host.validatePathAccess(elsewhere.root, 'read') === null)
      outside.push({ ...elsewhere, glob: limitDepth(elsewhere.glob, recursive) });
    for (const root of roots) {
      const place = realPlace(resolve(root, pattern));
      const kind = tryStat(place);
      if (kind?.isFile()) named.add(place);
      const glob = kind?.isDirectory() ? join(place, '**') : place;
      // A path keeps its meaning when it is made absolute; a glob may contain escapes and stays as it is.
      const relativeGlob = kind || isAbsolute(pattern) ? below(root, glob) : pattern;
      if (relativeGlob !== undefined) byRoot.get(root)?.push(limitDepth(relativeGlob, recursive));
    }
  }
  return { byRoot, outside, named: [...named], refused };
}

/** An existing folder, with the glob that remains of an absolute path. */
function placeOf(path: string): { root: string; glob: string } {
  const rest: string[] = [];
  let folder = path;
  while (!tryStat(folder)?.isDirectory() && dirname(folder) !== folder) {
    rest.unshift(basename(folder));
    folder = dirname(folder);
  }
  return { root: realPathOf(folder), glob: rest.length > 0 ? rest.join('/') : '**' };
}

/** Searches do not enter linked folders, so the folder of an entry is resolved. The entry itself may be a link. */
function realPlace(path: string): string {
  return tryStat(path)?.isDirectory() ? realPathOf(path) : join(realPathOf(dirname(path)), basename(path));
}

function below(root: string, glob: string): string | undefined {
  return isInside(glob, root) ? relative(root, glob) : undefined;
}

/** Without recursion `**` reaches no further than `*`. */
function limitDepth(pattern: string, recursive: boolean): string {
  return recursive ? pattern : pattern.replaceAll('**/', '').replace(/\*\*$/, '*');
}
