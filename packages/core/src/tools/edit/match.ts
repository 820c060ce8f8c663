/** Finds the places that `old_string` means: exactly first, then by ever looser strategies. */
import { looksBlank } from './block.js';
import { matchExactly } from './match-exact.js';
import { matchFlexibly } from './match-flexible.js';
import { matchFuzzily } from './match-fuzzy.js';
import { matchByTokens } from './match-tokens.js';
import type { MatchRequest, MatchResult } from './match-types.js';

interface Strategy {
  name: string;
  match: (request: MatchRequest) => MatchResult;
}

const EXACT: Strategy = { name: 'exact', match: matchExactly };
const STRATEGIES: readonly Strategy[] = [
  EXACT,
  { name: 'flexible', match: matchFlexibly },
  { name: 'tokens', match: matchByTokens },
  { name: 'fuzzy', match: matchFuzzily },
];

/** The first strategy that finds anything decides. */
export function findMatches(request: MatchRequest): MatchResult & { strategy?: string } {
  // Blank text would match every blank line; only its literal occurrences count.
  const strategies = looksBlank(request.oldText) ? [EXACT] : STRATEGIES;
  for (const strategy of strategies) {
    const result = strategy.match(request);
    if (result.edits.length > 0) return { ...result, strategy: strategy.name };
  }
  return { edits: [] };
}
