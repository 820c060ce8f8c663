/** Types of compiled policy rules, safety checkers and policy file problems. */
import type { ApprovalMode, PolicyDecision } from '../../protocol/confirmation.js';

export type PolicyTier = 'default' | 'extension' | 'workspace' | 'user' | 'admin';

const TIER_BASE: Readonly<Record<PolicyTier, number>> = {
  default: 1,
  extension: 2,
  workspace: 3,
  user: 4,
  admin: 5,
};

/** Priority of "always" answers within their tier. */
export const ALWAYS_PRIORITY = 950;

export interface RuleConditions {
  /** Canonical names or wildcards. Absent: any tool. */
  toolNames?: readonly string[];
  /** Server, or `*`; then tool names are the server's own. */
  mcpName?: string;
  subagent?: string;
  /** Matched against the stable JSON of the arguments. */
  argsPattern?: RegExp;
  commandPrefixes?: readonly string[];
  /** The whole command line, word for word. */
  commandExact?: string;
  /** Real path of the file or, for a command, of its working directory. */
  path?: string;
  /** Real path of a folder: the file is in it and is not protected. */
  folder?: string;
  /** Must match at the start of the command. */
  commandRegex?: RegExp;
  /** May match anywhere in the command (`command_pattern`). */
  commandPattern?: RegExp;
  toolAnnotations?: Readonly<Record<string, unknown>>;
  /** Absent: all. */
  modes?: readonly ApprovalMode[];
  interactive?: boolean;
}

export interface PolicyRule extends RuleConditions {
  decision: PolicyDecision;
  tier: PolicyTier;
  /** Number of the tier + priority / 1000. */
  priority: number;
  allowRedirection?: boolean;
  /** Real path of the only project in which the rule holds. */
  project?: string;
  /** Made by an "always" answer, not written by the user with the same priority. */
  isAnswer?: boolean;
  denyMessage?: string;
  name?: string;
  /** Where it comes from, for the user. */
  source: string;
  /** Replaces a broken deny or ask rule: it asks, and never overrules a deny. */
  isStopgap?: true;

  checkers?: readonly SafetyChecker[];
}

export interface CheckerSpec {
  /** `unusable`: replaces a checker, rule or file that could not be read. */
  type: 'in-process' | 'external' | 'unusable';
  name: string;
  /** Why an unusable checker asks. */
  reason?: string;
  /** An unusable checker does not stop what the built-in policy allows in every mode. */
  exemptsBuiltIn?: boolean;
  requiredContext?: readonly string[];
  config?: Readonly<Record<string, unknown>>;
}

export interface SafetyChecker extends RuleConditions {
  priority: number;
  checker: CheckerSpec;
  source: string;
}

export type PolicyProblemKind =
  | 'file_read'
  | 'toml_parse'
  | 'schema_validation'
  | 'rule_validation'
  | 'regex_compilation'
  | 'tool_name_warning';

export interface PolicyProblem {
  kind: PolicyProblemKind;
  severity: 'error' | 'warning';
  tier: PolicyTier;
  file: string;
  line?: number;
  message: string;
  suggestion?: string;
  /** A deny rule or checker is not in force because of the problem. */
  losesDeny?: boolean;
  /** A restricting rule or checker names a tool that does not exist: the tool that was meant is not restricted. */
  missesTool?: true;
}

export function priorityOf(tier: PolicyTier, priority: number): number {
  return TIER_BASE[tier] + priority / 1000;
}

/** A rule's checkers run for its tools and modes, even when another rule decides. */
export function attachedCheckers({ checkers = [], toolNames, mcpName, modes }: PolicyRule): SafetyChecker[] {
  return checkers.map((item) => ({ ...item, toolNames, mcpName, modes }));
}

/** Made by an "always" answer, in this session or an earlier one. */
export function isAlwaysRule({ priority }: Pick<PolicyRule, 'priority'>): boolean {
  return Math.round(priority * 1000) % 1000 === ALWAYS_PRIORITY;
}

/** True when the rule applies to only some calls of its tools. */
export function isNarrowed(rule: PolicyRule): boolean {
  const { folder, toolAnnotations, subagent } = rule;
  return hasPattern(rule) || [folder, toolAnnotations, subagent].some((condition) => condition !== undefined);
}

/** True when the rule has a condition on the arguments. */
export function hasPattern(rule: RuleConditions): boolean {
  const { commandPrefixes, commandExact, commandRegex, commandPattern, argsPattern, path } = rule;
  return Boolean(commandPrefixes ?? commandExact ?? commandRegex ?? commandPattern ?? argsPattern ?? path);
}

/** `[USER] Policy file error in …:`, the problem, and what to do. */
export function describeProblem(problem: PolicyProblem): string {
  const place = problem.line === undefined ? problem.file : `${problem.file}:${problem.line}`;
  const head = `[${problem.tier.toUpperCase()}] Policy file ${problem.severity} in ${place}:`;
  return [head, problem.message, problem.suggestion].filter(Boolean).join(' ');
}
