/** Finds known names similar to a misspelt one. */
import { distanceWithin } from './edit-distance.js';

/** @param limit maximum edit distance */
export function nearestNames(
  wanted: string,
  known: readonly string[],
  count: number,
  limit = Math.max(3, Math.ceil(wanted.length * 0.6)),
): string[] {
  return known
    .flatMap((name) => {
      const distance = distanceWithin(wanted, name, limit);
      return distance === undefined ? [] : [{ name, distance }];
    })
    .sort((a, b) => a.distance - b.distance)
    .slice(0, count)
    .map((item) => item.name);
}
