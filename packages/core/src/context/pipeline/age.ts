/** Finds the old part of a conversation and where to cut it. */
import type { Message } from '../../protocol/messages.js';
import { isCutPoint } from '../compression/compress-split.js';
import type { TokenEstimator } from '../size/token-estimate.js';

/** Index of the first message within the newest `retainedTokens`. */
export function agedUntil(
  history: readonly Message[],
  retainedTokens: number,
  estimator: TokenEstimator,
): number {
  let tokens = 0;
  for (let index = history.length - 1; index >= 0; index--) {
    tokens += estimator.message(history[index] as Message);
    if (tokens > retainedTokens) return index + 1;
  }
  return 0;
}

/** The nearest cut point at or before `index`, otherwise the first after it; 0 when there is none. */
export function cutNear(history: readonly Message[], index: number): number {
  for (let place = Math.min(index, history.length - 1); place > 0; place--) {
    if (isCutPoint(history, place) && isWorthCutting(history, place)) return place;
  }
  for (let place = index + 1; place < history.length; place++) if (isCutPoint(history, place)) return place;
  return 0;
}

/** There must be something other than context and summaries before the cut. */
function isWorthCutting(history: readonly Message[], place: number): boolean {
  for (let index = 0; index < place; index++) {
    const origin = history[index]?.origin;
    if (origin !== 'context' && origin !== 'summary' && origin !== 'reminder') return true;
  }
  return false;
}
