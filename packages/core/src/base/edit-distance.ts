/**
 * The edit distance of two texts if it is at most `limit`, else undefined. Only the diagonal band that
 * `limit` allows is computed.
 */
export function distanceWithin(a: string, b: string, limit: number): number | undefined {
  if (Math.abs(a.length - b.length) > limit) return undefined;
  const far = limit + 1;
  let previous = new Int32Array(b.length + 1).map((_, column) => Math.min(column, far));
  let current = new Int32Array(b.length + 1);
  for (let row = 1; row <= a.length; row++) {
    const from = Math.max(1, row - limit);
    const to = Math.min(b.length, row + limit);
    current[from - 1] = from === 1 ? Math.min(row, far) : far;
    const code = a.charCodeAt(row - 1);
    let best = current[from - 1] ?? far;
    for (let column = from; column <= to; column++) {
      const replaced = (previous[column - 1] ?? far) + (b.charCodeAt(column - 1) === code ? 0 : 1);
      const removed = (previous[column] ?? far) + 1;
      const added = (current[column - 1] ?? far) + 1;
      const cost = Math.min(replaced, removed, added, far);
      current[column] = cost;
      if (cost < best) best = cost;
    }
    if (to < b.length) current[to + 1] = far;
    if (best > limit) return undefined;
    [previous, current] = [current, previous];
  }
  const distance = previous[b.length] ?? far;
  return distance <= limit ? distance : undefined;
}
