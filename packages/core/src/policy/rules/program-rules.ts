/** Policy rules that an embedding program writes as objects. */
import type { ApprovalMode } from '../../protocol/confirmation.js';
import { compileRule } from './compile-rule.js';
import type { PolicyRule, PolicyTier } from './rule.js';

/** The fields of a `[[rule]]` in a policy file. */
export interface ProgramRule {
  /** Tools, or names of agents; `*` stands for all. */
  toolName?: string | string[];
  mcpName?: string;
  /** Only calls of this agent. */
  subagent?: string;
  commandPrefix?: string | string[];
  commandRegex?: string;
  argsPattern?: string;
  /** What the tool says about itself, or about this call. */
  toolAnnotations?: Readonly<Record<string, unknown>>;
  decision: 'allow' | 'deny' | 'ask_user';
  /** From 0 to 999; of equal rules the earlier counts. Default 500. */
  priority?: number;
  modes?: (`${ApprovalMode}` | 'auto_edit')[];
  /** Told to the model. */
  denyMessage?: string;
}

const PRIORITY = 500;

/**
 * @param source where the rules come from, for the user
 * @throws RuleError (a `UserError`) that names the wrong rule
 */
export function compileProgramRules(
  rules: readonly ProgramRule[],
  { tier, source, warn }: { tier: PolicyTier; source: string; warn: (message: string) => void },
): PolicyRule[] {
  return rules.map((rule) => {
    const given = Object.fromEntries(Object.entries(rule).filter(([, value]) => value !== undefined));
    const isForAll = rule.toolName === undefined && rule.mcpName === undefined && !isForCommands(rule);
    return compileRule(
      { priority: PRIORITY, ...(isForAll && { toolName: '*' }), ...given },
      { tier, source, warn: (message) => warn(`A rule of ${source}: ${message}`) },
    );
  });
}

function isForCommands({ commandPrefix, commandRegex }: ProgramRule): boolean {
  return commandPrefix !== undefined || commandRegex !== undefined;
}
