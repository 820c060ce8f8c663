/** What a policy file that cannot be read any more leaves behind: it must not set free what it forbade. */
import { basename } from 'node:path';
import { PolicyDecision } from '../../protocol/confirmation.js';
import { attachedCheckers, type PolicyRule, type SafetyChecker } from '../rules/rule.js';
import { lostFile } from './broken-checker.js';
import { ANSWERS_FILE } from './saved-answers.js';
import type { LoadedPolicies } from './sources.js';

type Restrictions = Pick<LoadedPolicies, 'rules' | 'checkers'>;

/**
 * The user may be editing the file: what was known of it stays in force. Where nothing was known, what only a rule of
 * a file or a mode allows asks.
 */
export function restrictionsLostIn({ problems }: LoadedPolicies, before: Restrictions): Restrictions {
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
    if (rules.length + checkers.length === 0 && mayRestrict) lost.checkers.push(lostFile(problem));
  }
  return lost;
}
