/** Selects the safety checkers that run for a call. */
import { attachedCheckers, type PolicyRule, type SafetyChecker } from '../rules/rule.js';
import {
  type CallFacts,
  isShellRule,
  matchesArguments,
  matchesIdentity,
  matchesState,
} from '../rules/rule-match.js';
import type { PolicyLists } from '../rules/settings-rules.js';

/** `security.enableConseca`: last, since it costs a request to a model. */
const CONSECA: SafetyChecker = {
  toolNames: ['*'],
  priority: 0,
  checker: { type: 'in-process', name: 'conseca' },
  source: 'Settings: security.enableConseca',
};

/** All checkers of the policy files and settings, in the order they run. */
export function checkersOf(
  loaded: { rules: readonly PolicyRule[]; checkers: readonly SafetyChecker[] },
  { enableConseca }: Pick<PolicyLists, 'enableConseca'> = {},
): SafetyChecker[] {
  const all = [...loaded.checkers, ...loaded.rules.flatMap(attachedCheckers)];
  return [...all.sort((a, b) => b.priority - a.priority), ...(enableConseca ? [CONSECA] : [])];
}

/** Checkers of policy files by their own conditions; those of a built-in rule only if that rule decided. */
export async function selectCheckers(
  checkers: readonly SafetyChecker[],
  facts: CallFacts,
  { command, path }: { command: unknown; path: string | undefined },
  decided: PolicyRule | undefined,
): Promise<readonly SafetyChecker[]> {
  const builtIn = decided?.tier === 'default' ? (decided.checkers ?? []) : [];
  const candidates = checkers.filter((item) => matchesIdentity(item, facts) && matchesState(item, facts));
  if (candidates.length === 0) return builtIn;
  const needsTexts = typeof command === 'string' && candidates.some(isShellRule);
  const commandTexts = needsTexts ? await textsIn(command, path) : [];
  return [...builtIn, ...candidates.filter((item) => matchesArguments(item, { ...facts, commandTexts }))];
}

async function textsIn(command: string, path: string | undefined): Promise<string[]> {
  const { commandTextsIn } = await import('../shell-judge.js');
  return commandTextsIn(command, path);
}
