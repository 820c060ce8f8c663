/** The built-in policy: `policies/*.toml`, parsed by the build, so that no run pays for parsing them. */
import { type ApprovalMode, PolicyDecision } from '../protocol/confirmation.js';
import autoEdit from './policies/auto-edit.toml';
import browser from './policies/browser.toml';
import defaults from './policies/default.toml';
import plan from './policies/plan.toml';
import readOnly from './policies/read-only.toml';
import transitions from './policies/transitions.toml';
import yolo from './policies/yolo.toml';
import { type CheckerSpec, type PolicyRule, priorityOf } from './rules/rule.js';

/** The part of the file format that the built-in files use. */
interface DefaultTable {
  toolName?: string | string[];
  mcpName?: string;
  subagent?: string;
  toolAnnotations?: Record<string, unknown>;
  decision: string;
  priority: number;
  modes?: string[];
  interactive?: boolean;
  allowRedirection?: boolean;
  denyMessage?: string;
  name?: string;
  safety_checker?: { type: string; name: string };
}

/** By file name. Of two rules with equal priority, the earlier one wins. */
export const DEFAULT_POLICY_TABLES: Readonly<Record<string, readonly DefaultTable[]>> = {
  'read-only': rulesIn(readOnly),
  default: rulesIn(defaults),
  browser: rulesIn(browser),
  'auto-edit': rulesIn(autoEdit),
  yolo: rulesIn(yolo),
  plan: rulesIn(plan),
  transitions: rulesIn(transitions),
};

/** The same rules that the loader would make, without loading it: this runs at every start. */
export function defaultRules(): PolicyRule[] {
  return Object.entries(DEFAULT_POLICY_TABLES).flatMap(([file, tables]) =>
    tables.map((table) => ruleOf(table, `built-in: ${file}.toml`)),
  );
}

/** Every tool named in the built-in policy, registered or not. */
export function toolsInDefaultRules(): string[] {
  return defaultRules()
    .flatMap(({ toolNames = [] }) => toolNames)
    .filter((name) => !name.includes('*'));
}

export function toolsAllowedInEveryMode(): string[] {
  return defaultRules()
    .filter(({ decision, modes }) => decision === PolicyDecision.ALLOW && modes === undefined)
    .flatMap(({ toolNames = [] }) => toolNames);
}

/** Not validated at run time: a test compiles every rule of these files with the loader. */
function rulesIn(file: Readonly<Record<string, unknown>>): readonly DefaultTable[] {
  return file['rule'] as readonly DefaultTable[];
}

function ruleOf(
  { toolName, decision, priority, modes, safety_checker, ...rest }: DefaultTable,
  source: string,
): PolicyRule {
  const checker = safety_checker as CheckerSpec | undefined;
  return {
    ...rest,
    toolNames: typeof toolName === 'string' ? [toolName] : toolName,
    decision: decision as PolicyDecision,
    tier: 'default',
    priority: priorityOf('default', priority),
    modes: modes as ApprovalMode[] | undefined,
    source,
    checkers: checker && [{ toolNames: ['*'], priority: 0, source, checker }],
  };
}
