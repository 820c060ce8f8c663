/** Node fires a timer at once whose delay is longer. */
export const LONGEST_TIMER_MS = 2 ** 31 - 1;
