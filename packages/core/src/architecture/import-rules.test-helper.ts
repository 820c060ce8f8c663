/** The rules about imports: folders in rows, no cycle of modules, no cycle of folders. Each answers with what breaks it. */
import type { ImportEdge } from './source-imports.test-helper.js';

export interface Layers {
  /** Lower rows first. A folder imports from rows below its own. Files beside the folders are above all rows. */
  rows: readonly (readonly string[])[];
  /** Files that folders of the same row may import, too. */
  contracts: ReadonlySet<string>;
}

/** Imports that go upwards or sideways, whether static, dynamic or of types. */
export function layerViolations(edges: readonly ImportEdge[], { rows, contracts }: Layers): string[] {
  const rowOf = (path: string) => {
    if (!path.includes('/')) return rows.length;
    return rows.findIndex((row) => row.includes(folderOf(path)));
  };
  return edges.flatMap(({ from, to }) => {
    const [own, other] = [rowOf(from), rowOf(to)];
    if (own < 0 || other < 0 || folderOf(from) === folderOf(to)) return [];
    if (other > own) return [`${from} -> ${to} (upwards)`];
    const isSideways = other === own && own < rows.length && !contracts.has(to);
    return isSideways ? [`${from} -> ${to} (sideways)`] : [];
  });
}

/** Folders with product code that have no row, so that no rule would hold for them. */
export function unknownFolders(paths: Iterable<string>, { rows }: Layers): string[] {
  const known = new Set(rows.flat());
  const folders = [...paths]
    .filter((path) => path.includes('/') && !path.includes('.test-helper.'))
    .map(folderOf);
  return [...new Set(folders)].filter((folder) => !known.has(folder));
}

/** Modules that import each other as values when they are loaded: `a, b, a`. Empty: there is no such cycle. */
export function moduleCycle(edges: readonly ImportEdge[]): string[] {
  return findCycle(
    edges.filter(({ typeOnly, dynamic }) => !typeOnly && !dynamic).map(({ from, to }) => [from, to]),
  );
}

/** Folders directly below `base` that import each other in any way. A file beside them counts as a folder. */
export function folderCycle(edges: readonly ImportEdge[], base = ''): string[] {
  const below = (path: string) => path.startsWith(base) && folderOf(path.slice(base.length));
  return findCycle(
    edges.flatMap(({ from, to }): [string, string][] => {
      const [own, other] = [below(from), below(to)];
      return own && other && own !== other ? [[own, other]] : [];
    }),
  );
}

/** Imports by a relative path that leaves the package. */
export function leavingImports(edges: readonly ImportEdge[]): string[] {
  return edges.filter(({ to }) => to.startsWith('../')).map(({ from, to }) => `${from} -> ${to}`);
}

/** The first part of a path; a file beside the folders is its own. */
function folderOf(path: string): string {
  return path.split('/')[0] ?? '';
}

function findCycle(pairs: readonly (readonly [string, string])[]): string[] {
  const graph = new Map<string, string[]>();
  for (const [from, to] of pairs) graph.set(from, [...(graph.get(from) ?? []), to]);
  const state = new Map<string, 'open' | 'done'>();
  const path: string[] = [];
  const visit = (node: string): string[] => {
    if (state.get(node) === 'done') return [];
    if (state.get(node) === 'open') return [...path.slice(path.indexOf(node)), node];
    state.set(node, 'open');
    path.push(node);
    for (const next of graph.get(node) ?? []) {
      const cycle = visit(next);
      if (cycle.length > 0) return cycle;
    }
    path.pop();
    state.set(node, 'done');
    return [];
  };
  for (const node of graph.keys()) {
    const cycle = visit(node);
    if (cycle.length > 0) return cycle;
  }
  return [];
}
