/** Reads the sources of a package and finds who imports whom in them. */
import { readdirSync, readFileSync } from 'node:fs';
import { join, posix, sep } from 'node:path';

/** Path below the source folder, with `/`, -> text. */
export type Sources = ReadonlyMap<string, string>;

export interface ImportEdge {
  from: string;
  /** A path of the same sources; begins with `../` when the import leaves them. */
  to: string;
  typeOnly: boolean;
  dynamic: boolean;
}

/** All product code and test helpers. Tests may import what they want. */
export function readSources(root: string): Sources {
  const paths = readdirSync(root, { recursive: true, encoding: 'utf8' }).filter(isSource);
  return new Map(paths.map((path) => [path.replaceAll(sep, '/'), readFileSync(join(root, path), 'utf8')]));
}

function isSource(path: string): boolean {
  return /\.tsx?$/.test(path) && !/\.(?:test\.tsx?|test-d\.ts|d\.ts)$/.test(path);
}

const STATIC = /(?:^|\n)\s*(?:import|export)\s+(type\s)?(?:[^'";]*?\sfrom\s+)?'(\.[^']+)'/g;
const DYNAMIC = /\bimport\(\s*'(\.[^']+)'/g;

export function importsOf(sources: Sources): ImportEdge[] {
  return [...sources].flatMap(([from, text]) => {
    const edge = (specifier: string, typeOnly: boolean, dynamic: boolean): ImportEdge[] => {
      const to = resolveImport(sources, from, specifier);
      return to === undefined ? [] : [{ from, to, typeOnly, dynamic }];
    };
    return [
      ...[...text.matchAll(STATIC)].flatMap(([, type, path]) => edge(path ?? '', type !== undefined, false)),
      ...[...text.matchAll(DYNAMIC)].flatMap(([, path]) => edge(path ?? '', false, true)),
    ];
  });
}

/** Undefined: not a module of ours but prose or a script beside it. */
function resolveImport(sources: Sources, from: string, specifier: string): string | undefined {
  const path = posix.join(posix.dirname(from), specifier);
  if (path.startsWith('../')) return path;
  return [path.replace(/\.js$/, '.ts'), path.replace(/\.js$/, '.tsx'), path].find((name) =>
    sources.has(name),
  );
}
