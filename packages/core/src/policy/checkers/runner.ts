/** Runs safety checkers after the rules: a deny is final, an ask overrides an allow. */
import { resolve } from 'node:path';
import { messageOf } from '../../base/errors.js';
import type { Variables } from '../../platform/environment.js';
import { PolicyDecision } from '../../protocol/confirmation.js';
import { allow, ask, deny, type PolicyVerdict, strictest } from '../decision.js';
import { toolsAllowedInEveryMode } from '../default-rules.js';
import type { SafetyChecker } from '../rules/rule.js';
import { checkAllowedPaths, type PathRoots } from './allowed-path.js';
import type { CheckerInput } from './external.js';
import { checkPlanFile } from './plan-file.js';

export interface CheckerHost extends PathRoots {
  /** `~/.gemini/checkers` */
  checkersDirectory: string;
  /** The user's environment; secrets are removed before a checker gets it. */
  variables: Variables;
  plansDirectory?: string;
  /** The conversation so far, for checkers with `required_context = ["history"]`. */
  history?: () => unknown[];
  /** The checker `builtin-skill`: whether the skill in force under this name is one of ours. */
  isBuiltinSkill?: (name: string) => boolean;
  /** The checker `conseca`. */
  judgeTask?: (toolCall: CheckerInput['toolCall'], signal: AbortSignal) => Promise<PolicyVerdict>;
  /** Aborted with the request that the call belongs to. */
  signal?: AbortSignal;
  limitMs?: number;
}

export async function runCheckers(
  checkers: readonly SafetyChecker[],
  toolCall: CheckerInput['toolCall'],
  verdict: PolicyVerdict,
  host: CheckerHost,
): Promise<PolicyVerdict> {
  let result = verdict;
  for (const item of checkers) {
    if (result.decision === PolicyDecision.DENY) break;
    if (item.checker.exemptsBuiltIn && isHarmless(toolCall.name, verdict)) continue;
    const answer = await runOne(item, toolCall, host).catch((error: unknown) =>
      deny(`The safety checker "${item.checker.name}" failed: ${messageOf(error)}`),
    );
    const stricter = strictest([result, answer]) ?? result;
    result = stricter === answer ? { ...answer, rule: verdict.rule, notice: answer.reason } : result;
  }
  return result;
}

/** Read-only tools and harmless commands that a built-in rule allows. */
function isHarmless(toolName: string, { rule }: PolicyVerdict): boolean {
  return (
    rule?.tier === 'default' && (rule.modes === undefined || toolsAllowedInEveryMode().includes(toolName))
  );
}

async function runOne(
  { checker }: SafetyChecker,
  toolCall: CheckerInput['toolCall'],
  host: CheckerHost,
): Promise<PolicyVerdict> {
  const { type, name, config, requiredContext } = checker;
  if (type === 'unusable') return ask(checker.reason);
  if (type === 'external') {
    const { runExternalChecker } = await import('./external.js');
    const { cwd, workspaces, history } = host;
    const turns = requiredContext?.includes('history') ? { history: { turns: history?.() ?? [] } } : {};
    const input = { toolCall, context: { environment: { cwd, workspaces }, ...turns }, config };
    return runExternalChecker(host.checkersDirectory, name, input, host.variables, host.limitMs);
  }
  if (name === 'allowed-path') return checkAllowedPaths(toolCall.args, config ?? {}, host);
  if (name === 'plan-file') {
    const { cwd, plansDirectory, resolvePath = (path: string) => resolve(cwd, path) } = host;
    return checkPlanFile(toolCall.args, plansDirectory, resolvePath);
  }
  if (name === 'builtin-skill') {
    const skill = toolCall.args['name'];
    return typeof skill === 'string' && host.isBuiltinSkill?.(skill) ? allow() : ask();
  }
  if (name === 'conseca') {
    const { judgeTask, signal = new AbortController().signal } = host;
    return judgeTask?.(toolCall, signal) ?? ask('There is no model that could judge this call.');
  }
  return deny(`There is no safety checker "${name}".`);
}
