/** Names that look like a misspelt one. */

/** @param limit most letters that may differ */
export function nearestNames(
  wanted: string,
  known: readonly string[],
  count: number,
  limit = Math.max(3, Math.ceil(wanted.length * 0.6)),
): string[] {
  return known
    .map((name) => ({ name, distance: editDistance(wanted, name) }))
    .filter((item) => item.distance <= limit)
    .sort((a, b) => a.distance - b.distance)
    .slice(0, count)
    .map((item) => item.name);
}

/** Levenshtein distance, two rows. */
function editDistance(a: string, b: string): number {
  let previous = Array.from({ length: b.length + 1 }, (_, index) => index);
  for (let i = 1; i <= a.length; i++) {
    const current = [i];
    for (let j = 1; j <= b.length; j++) {
      const substitution = (previous[j - 1] as number) + (a[i - 1] === b[j - 1] ? 0 : 1);
      current[j] = Math.min(substitution, (previous[j] as number) + 1, (current[j - 1] as number) + 1);
    }
    previous = current;
  }
  return previous[b.length] as number;
}
