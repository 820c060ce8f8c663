/** Restrictions that stay in force while a policy file cannot be read: the failure must not allow what it forbade. */
import { basename } from 'node:path';
import { PolicyDecision } from '../../protocol/confirmation.js';
import { attachedCheckers, type PolicyRule, type SafetyChecker } from '../rules/rule.js';
import { unreadableFileChecker } from './broken-checker.js';
import { ANSWERS_FILE } from './saved-answers.js';
import type { FileRules, LoadedPolicies } from './sources.js';

/**
 * The user may be editing the file, so its last known restrictions stay. If none are known, every call asks that the
 * built-in policy does not allow in every mode.
 */
export function restrictionsOfUnreadableFiles({ problems }: LoadedPolicies, before: FileRules): FileRules {
  const lost: { rules: PolicyRule[]; checkers: SafetyChecker[] } = { rules: [], checkers: [] };
  for (const problem of problems) {
    if (problem.kind !== 'toml_parse' && problem.kind !== 'file_read') continue;
    const isOfFile = ({ source }: { source: string }) => source.includes(problem.file);
    const rules = before.rules.filter(isOfFile);
    const checkers = [...before.checkers, ...before.rules.flatMap(attachedCheckers)].filter(isOfFile);
    lost.rules.push(...rules.filter(({ decision }) => decision !== PolicyDecision.ALLOW));
    lost.checkers.push(...checkers);
    // "Always" answers only allow.
    const mayRestrict = basename(problem.file) !== ANSWERS_FILE;
    if (rules.length + checkers.length === 0 && mayRestrict)
      lost.checkers.push(unreadableFileChecker(problem));
  }
  return lost;
}
