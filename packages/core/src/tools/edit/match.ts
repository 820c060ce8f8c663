/** Finds the places that `old_string` means: exactly first, then by ever looser strategies. */
import { looksBlank } from './block.js';
import { matchExactly } from './match-exact.js';
import { matchFlexibly } from './match-flexible.js';
import { matchFuzzily } from './match-fuzzy.js';
import { matchByTokens } from './match-tokens.js';
import type { MatchRequest, MatchResult } from './match-types.js';

type Strategy = (request: MatchRequest) => MatchResult;

const STRATEGIES: readonly Strategy[] = [matchExactly, matchFlexibly, matchByTokens, matchFuzzily];

/** The first strategy that finds anything decides. */
export function findMatches(request: MatchRequest): MatchResult {
  // Blank text would match every blank line; only its literal occurrences count.
  const strategies = looksBlank(request.oldText) ? [matchExactly] : STRATEGIES;
  for (const strategy of strategies) {
    const result = strategy(request);
    if (result.edits.length > 0) return result;
  }
  return { edits: [] };
}
