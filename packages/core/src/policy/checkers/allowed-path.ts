/** The checker `allowed-path`: denies a call whose arguments name a path outside the workspace. */
import { isAbsolute, resolve, sep } from 'node:path';
import { protectedNameIn } from '../../platform/files/protected-names.js';
import { isInside, realPathOf } from '../../platform/files/real-path.js';
import { allow, ask, deny, type PolicyVerdict } from '../decision.js';

export interface PathRoots {
  cwd: string;
  /** How built-in tools resolve a path; MCP tools may do otherwise. */
  resolvePath?: (path: string) => string;
  workspaces: readonly string[];
}

type Table = Readonly<Record<string, unknown>>;

const PATH_KEY = /path|directory|file|^source$|^destination$/i;

export function checkAllowedPaths(args: Table, config: Table, host: PathRoots): PolicyVerdict {
  const { cwd, workspaces, resolvePath } = host;
  const extra = textsOf(config['allowed_paths']).map((path) => realPathOf(resolve(cwd, path)));
  const roots = [...new Set([cwd, ...workspaces])].map(realPathOf);
  let result = allow();
  const meant = pathArguments(args, config).flatMap(([key, path]) => {
    // Both by its text and as the kernel resolves it: they differ for `link/..`.
    const readings = new Set([resolve(cwd, path), isAbsolute(path) ? path : `${cwd}${sep}${path}`]);
    if (resolvePath) readings.add(resolvePath(path));
    return [...readings].map((item) => ({ key, path, item }));
  });
  for (const { key, path, item } of meant) {
    if (path.includes('\0')) return deny(`"${key}" is not a path.`);
    const real = realPathOf(item);
    const root = [...roots, ...extra].find((folder) => isInside(real, folder));
    if (root === undefined) return deny(`"${key}" leads outside the workspace: ${path}`);
    const found = protectedNameIn(real.slice(root.length));
    if (found?.answer === 'deny') return deny(`"${key}" leads into ${found.name}: ${path}`);
    if (found) result = ask(`"${key}" leads into ${found.name}: ${path}`);
  }
  return result;
}

function pathArguments(args: Table, config: Table): [key: string, path: string][] {
  const included = new Set(textsOf(config['included_args']));
  const excluded = new Set(textsOf(config['excluded_args']));
  return [...leaves(args, '')].filter(([key]) => {
    if (excluded.has(key)) return false;
    const last = key.split('.').at(-1) ?? '';
    return included.has(key) || PATH_KEY.test(last);
  });
}

/** Texts at any depth, by keys joined with dots; items of a list share the key of the list. */
function* leaves(value: unknown, key: string, depth = 0): Generator<[string, string]> {
  if (depth > 16) return;
  if (typeof value === 'string') yield [key, value];
  else if (Array.isArray(value)) for (const item of value) yield* leaves(item, key, depth + 1);
  else if (typeof value === 'object' && value !== null) {
    for (const [name, item] of Object.entries(value))
      yield* leaves(item, key ? `${key}.${name}` : name, depth + 1);
  }
}

function textsOf(value: unknown): string[] {
  return Array.isArray(value) ? value.filter((item) => typeof item === 'string') : [];
}
