/** Decisions of hooks, from no answer to a refusal. */
import type { HookDecision } from './types.js';

export function isDenial(decision: HookDecision | undefined): boolean {
  return decision === 'deny' || decision === 'block';
}

/** Higher is stricter. */
export function rankOf(decision: HookDecision | undefined): number {
  if (isDenial(decision)) return 3;
  if (decision === 'ask') return 2;
  return decision ? 1 : 0;
}
