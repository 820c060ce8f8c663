/**
 * Computes ages so that a wrong clock cannot delete sessions. Each clean-up records its time. If the clock has moved by
 * more than a week since, either gemini was not used or the clock is wrong; both look the same, so that time does not count.
 */

/** The clock moved from one time to the other without a clean-up between. */
export type ClockLeap = readonly [from: number, to: number];

const LONGEST_STEP_MS = 7 * 86_400_000;

/** @param last when the clock was read the last time; undefined: never */
export function leapSince(last: number | undefined, now: number): ClockLeap | undefined {
  return last !== undefined && now - last > LONGEST_STEP_MS ? [last, now] : undefined;
}

/** Negative when the time is in the future, because the clock was set back. */
export function ageWithoutLeaps(time: number, now: number, leaps: readonly ClockLeap[]): number {
  const counting = leaps.filter(([, to]) => time < to && to <= now);
  return counting.reduce((age, [from, to]) => age - (to - Math.max(from, time)), now - time);
}
