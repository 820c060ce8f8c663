/**
 * Notices when the clock of this machine is set back. DBOS plans its next look for turns by that clock: after a jump of an
 * hour it would take no turn for an hour.
 */

/** Smaller steps delay a look by as much. */
const JUMP_MS = 1000;
const LOOK_MS = 250;

export interface Clocks {
  /** The one that may jump. */
  wall: () => number;
  steady: () => number;
}

const REAL: Clocks = { wall: () => Date.now(), steady: () => performance.now() };

/** @returns a function that ends the watch */
export function watchClock(onSetBack: () => Promise<void>, clocks: Clocks = REAL): () => void {
  let offset = clocks.wall() - clocks.steady();
  let isBusy = false;
  const timer = setInterval(() => {
    const now = clocks.wall() - clocks.steady();
    const isSetBack = offset - now > JUMP_MS;
    if (isSetBack && isBusy) return;
    offset = now;
    if (!isSetBack) return;
    isBusy = true;
    void onSetBack().finally(() => {
      isBusy = false;
    });
  }, LOOK_MS);
  timer.unref();
  return () => clearInterval(timer);
}
