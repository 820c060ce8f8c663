/** Formats how long ago a time was. */

const UNITS = [
  ['day', 86_400],
  ['hour', 3_600],
  ['minute', 60],
] as const;

/** `Just now`, `5 minutes ago`, `1 day ago`. A future or invalid time counts as now. */
export function relativeTime(time: string, nowMs: number): string {
  const seconds = (nowMs - Date.parse(time)) / 1000;
  for (const [name, size] of UNITS) {
    const count = Math.floor(seconds / size);
    if (count > 0) return `${count} ${name}${count === 1 ? '' : 's'} ago`;
  }
  return 'Just now';
}
