/** Verdicts on a call, and how several combine: the strictest wins. */
import type { Verdict } from '../bus/message-bus.js';
import { PolicyDecision } from '../protocol/confirmation.js';
import type { PolicyRule } from './rules/rule.js';

/** A decision with the rule that made it. */
export interface PolicyVerdict extends Verdict {
  rule?: PolicyRule;
  /** It would ask, but there is no user to answer. */
  isUnanswered?: true;
}

const STRICTNESS: Record<PolicyDecision, number> = {
  [PolicyDecision.ALLOW]: 0,
  [PolicyDecision.ASK_USER]: 1,
  [PolicyDecision.DENY]: 2,
};

/** Of equally strict verdicts the first. */
export function strictest(verdicts: readonly PolicyVerdict[]): PolicyVerdict | undefined {
  let result: PolicyVerdict | undefined;
  for (const verdict of verdicts) {
    if (!result || STRICTNESS[verdict.decision] > STRICTNESS[result.decision]) result = verdict;
  }
  return result;
}

export const allow = (rule?: PolicyRule): PolicyVerdict => ({ decision: PolicyDecision.ALLOW, rule });

export const ask = (reason?: string, rule?: PolicyRule): PolicyVerdict => ({
  decision: PolicyDecision.ASK_USER,
  reason,
  rule,
});

export const deny = (reason?: string, rule?: PolicyRule): PolicyVerdict => ({
  decision: PolicyDecision.DENY,
  reason,
  rule,
});

export function verdictOf(rule: PolicyRule): PolicyVerdict {
  return { decision: rule.decision, reason: rule.denyMessage, rule };
}
