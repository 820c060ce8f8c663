/** A narrower look for nested content. The same object each time, because caches are keyed by it. */
import type { Look } from '../look.js';

const known = new WeakMap<Look, Map<number, Look>>();

export function narrower(look: Look, columns: number): Look {
  let byColumns = known.get(look);
  if (!byColumns) {
    byColumns = new Map();
    known.set(look, byColumns);
  }
  let inner = byColumns.get(columns);
  if (!inner) {
    inner = { ...look, width: Math.max(1, look.width - columns) };
    byColumns.set(columns, inner);
  }
  return inner;
}
