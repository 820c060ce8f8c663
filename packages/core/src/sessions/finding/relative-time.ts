/** Formats how long ago a time was, in words and in short. */

const UNITS: readonly (readonly [name: string, short: string, seconds: number])[] = [
  ['year', 'y', 365 * 86_400],
  ['month', 'mo', 30 * 86_400],
  ['day', 'd', 86_400],
  ['hour', 'h', 3_600],
  ['minute', 'm', 60],
  ['second', 's', 1],
];

/** `Just now`, `5 minutes ago`, `1 day ago`. A future or invalid time counts as now. */
export function relativeTime(time: string, nowMs: number): string {
  const seconds = secondsSince(time, nowMs);
  for (const [name, , size] of UNITS.slice(2, 5)) {
    const count = Math.floor(seconds / size);
    if (count > 0) return `${count} ${name}${count === 1 ? '' : 's'} ago`;
  }
  return 'Just now';
}

/** `now 5s 3m 2h 4d 2mo 1y`. */
export function shortRelativeTime(time: string, nowMs: number): string {
  const seconds = secondsSince(time, nowMs);
  for (const [, short, size] of UNITS) {
    const count = Math.floor(seconds / size);
    if (count > 0) return `${count}${short}`;
  }
  return 'now';
}

function secondsSince(time: string, nowMs: number): number {
  const ms = nowMs - Date.parse(time);
  return ms > 0 ? ms / 1000 : 0;
}
