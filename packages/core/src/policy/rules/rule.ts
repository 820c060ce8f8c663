/** A policy rule in the form the engine works with, and what may be wrong with a policy file. */
import type { ApprovalMode, PolicyDecision } from '../../protocol/confirmation.js';

export type PolicyTier = 'default' | 'extension' | 'workspace' | 'user' | 'admin';

const TIER_BASE: Readonly<Record<PolicyTier, number>> = {
  default: 1,
  extension: 2,
  workspace: 3,
  user: 4,
  admin: 5,
};

/** Fraction of "always" answers. */
export const ALWAYS_PRIORITY = 950;

export interface RuleConditions {
  /** Canonical names or wildcards. Absent: any tool. */
  toolNames?: readonly string[];
  /** Server, or `*`; then tool names are the server's own. */
  mcpName?: string;
  subagent?: string;
  /** On the stable JSON of the arguments. */
  argsPattern?: RegExp;
  commandPrefixes?: readonly string[];
  /** The whole command line, word for word. */
  commandExact?: string;
  /** Real path of the file the call is about; of a command, of the folder it runs in. */
  path?: string;
  /** At the start of the command. */
  commandRegex?: RegExp;
  /** Anywhere in the command (`command_pattern`). */
  commandPattern?: RegExp;
  toolAnnotations?: Readonly<Record<string, unknown>>;
  /** Absent: all. */
  modes?: readonly ApprovalMode[];
  interactive?: boolean;
}

export interface PolicyRule extends RuleConditions {
  decision: PolicyDecision;
  tier: PolicyTier;
  /** Base of the tier + priority / 1000. */
  priority: number;
  allowRedirection?: boolean;
  /** Real path of the one project in which it holds. */
  project?: string;
  /** Made by an "always" answer; a rule that a user wrote with the same priority is not. */
  isAnswer?: boolean;
  denyMessage?: string;
  name?: string;
  /** Where it comes from, for the user. */
  source: string;
  /** It stands in for a deny or ask rule that cannot be read: it asks, and overrules no deny. */
  isStopgap?: true;
  /** Checkers that run when this rule decides. */
  checkers?: readonly SafetyChecker[];
}

export interface CheckerSpec {
  /** `unusable`: stands for one that could not be read. */
  type: 'in-process' | 'external' | 'unusable';
  name: string;
  /** Of an unusable one: why it asks. */
  reason?: string;
  /** Of an unusable one: what the built-in policy allows in every mode goes on. */
  sparesBuiltIn?: boolean;
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
  /** A rule that was to forbid something is not in force. */
  losesDeny?: boolean;
  /** A restricting rule or checker names a tool that does not exist: the tool that was meant is not restricted. */
  missesTool?: true;
}

export function priorityOf(tier: PolicyTier, priority: number): number {
  return TIER_BASE[tier] + priority / 1000;
}

/** The checkers of a rule run for its tools and modes, whichever rule decides. */
export function attachedCheckers({ checkers = [], toolNames, mcpName, modes }: PolicyRule): SafetyChecker[] {
  return checkers.map((item) => ({ ...item, toolNames, mcpName, modes }));
}

/** Made by an "always" answer, in this session or an earlier one. */
export function isAlwaysRule({ priority }: Pick<PolicyRule, 'priority'>): boolean {
  return Math.round(priority * 1000) % 1000 === ALWAYS_PRIORITY;
}

/** Speaks of some calls of the tool only. */
export function isNarrowed(rule: PolicyRule): boolean {
  return hasPattern(rule) || rule.toolAnnotations !== undefined || rule.subagent !== undefined;
}

/** Looks at the arguments. */
export function hasPattern(rule: RuleConditions): boolean {
  const { commandPrefixes, commandExact, commandRegex, commandPattern, argsPattern, path } = rule;
  return Boolean(commandPrefixes ?? commandExact ?? commandRegex ?? commandPattern ?? argsPattern ?? path);
}

/** `[USER] Policy file error in …:` and what to do. */
export function describeProblem(problem: PolicyProblem): string {
  const place = problem.line === undefined ? problem.file : `${problem.file}:${problem.line}`;
  const head = `[${problem.tier.toUpperCase()}] Policy file ${problem.severity} in ${place}:`;
  return [head, problem.message, problem.suggestion].filter(Boolean).join(' ');
}
