/** Turns settings and flags such as `tools.allowed` into rules of the user tier. */
import { ApprovalMode, PolicyDecision } from '../../protocol/confirmation.js';
import { canonicalToolName, RUN_SHELL_COMMAND } from '../../protocol/tool-names.js';
import { restrictedPrefixes } from './restricted-prefixes.js';
import { type PolicyRule, priorityOf } from './rule.js';

/** Settings that may change in a running session. Tools go by their names, not by their classes. */
export interface PolicyLists {
  /** `tools.allowed`, `--allowed-tools`. */
  allowedTools?: readonly string[];
  /** `tools.exclude`. */
  excludedTools?: readonly string[];
  /** `tools.core`: all others are refused. */
  coreTools?: readonly string[];
  /** `tools.confirmationRequired`. */
  confirmationRequired?: readonly string[];
  /** `mcp.excluded`, `mcp.allowed`, and servers with `trust: true`. */
  mcpExcluded?: readonly string[];
  mcpAllowed?: readonly string[];
  trustedServers?: readonly string[];
  /** An administrator may forbid both. */
  disableYoloMode?: boolean;
  disableAlwaysAllow?: boolean;
  /** A model judges each call by what the user asked for. */
  enableConseca?: boolean;
}

const NOT_PLAN = [ApprovalMode.DEFAULT, ApprovalMode.AUTO_EDIT, ApprovalMode.YOLO];
const { ALLOW, DENY, ASK_USER } = PolicyDecision;

export function settingsRules(lists: PolicyLists): PolicyRule[] {
  const { allowedTools, excludedTools, coreTools, confirmationRequired } = lists;
  return [
    ...servers(
      lists.mcpExcluded,
      rule(DENY, 900, 'mcp.excluded', { denyMessage: 'The user excluded this server.' }),
    ),
    ...tools(
      excludedTools,
      rule(DENY, 400, 'tools.exclude', { denyMessage: 'The user excluded this tool.' }),
    ),
    ...tools(confirmationRequired, rule(ASK_USER, 350, 'tools.confirmationRequired')),
    ...tools(allowedTools, rule(ALLOW, 300, 'tools.allowed', { modes: NOT_PLAN })),
    ...otherCommands(allowedTools, 290, 'tools.allowed'),
    ...tools(coreTools, rule(ALLOW, 250, 'tools.core', { modes: NOT_PLAN })),
    ...(coreTools
      ? [
          rule(DENY, 240, 'tools.core', {
            modes: NOT_PLAN,
            denyMessage: 'tools.core does not list this tool.',
          }),
        ]
      : []),
    ...servers(lists.trustedServers, rule(ALLOW, 200, 'server trust', { modes: NOT_PLAN })),
    ...servers(lists.mcpAllowed, rule(ALLOW, 100, 'mcp.allowed', { modes: NOT_PLAN })),
  ];
}

/** `trust: true` of a server in an agent file, for the runs of that agent. */
export function agentTrustRule(mcpName: string, subagent: string): PolicyRule {
  const source = `Agent ${subagent}: server trust`;
  return { ...rule(ALLOW, 200, 'server trust', { modes: NOT_PLAN }), mcpName, subagent, source };
}

/** `excludeTools` of an extension, in the same spellings as `tools.exclude`. */
export function extensionExclusions(extension: string, entries: readonly string[]): PolicyRule[] {
  const base: PolicyRule = {
    decision: DENY,
    tier: 'extension',
    priority: priorityOf('extension', 400),
    source: `Extension (${extension}): excludeTools`,
  };
  return tools(entries.map(withoutQuotes), base).map((one) => ({
    ...one,
    denyMessage: `The extension "${extension}" excludes this ${one.commandPrefixes ? 'command' : 'tool'}.`,
  }));
}

/** `run_shell_command("rm -rf")` means the prefix without the quotes. */
function withoutQuotes(entry: string): string {
  return entry.replace(/\(\s*(["'`])([\s\S]*)\1\s*\)\s*$/, '($2)');
}

function rule(
  decision: PolicyDecision,
  priority: number,
  setting: string,
  rest: Partial<PolicyRule> = {},
): PolicyRule {
  return {
    ...rest,
    decision,
    tier: 'user',
    priority: priorityOf('user', priority),
    source: `Settings: ${setting}`,
  };
}

function servers(names: readonly string[] | undefined, base: PolicyRule): PolicyRule[] {
  return (names ?? []).map((mcpName) => ({ ...base, mcpName }));
}

/** `name` or `run_shell_command(prefix)`. */
function tools(entries: readonly string[] | undefined, base: PolicyRule): PolicyRule[] {
  return (entries ?? []).map((entry) => {
    const { name, prefix } = readEntry(entry);
    // Only commands have prefixes: restricting part of another tool restricts all of it.
    const isWhole = base.decision !== ALLOW && name !== RUN_SHELL_COMMAND;
    if (!prefix || isWhole) return { ...base, toolNames: [name] };
    const commandPrefixes = base.decision === ALLOW ? [prefix] : restrictedPrefixes([prefix]);
    return { ...base, toolNames: [name], commandPrefixes };
  });
}

/** Allowing some commands by prefix denies all others. */
function otherCommands(
  entries: readonly string[] | undefined,
  priority: number,
  setting: string,
): PolicyRule[] {
  const shell = (entries ?? []).map(readEntry).filter(({ name }) => name === RUN_SHELL_COMMAND);
  if (shell.length === 0 || shell.some(({ prefix }) => !prefix)) return [];
  const denyMessage = `Only these commands are allowed: ${shell.map(({ prefix }) => prefix).join(', ')}.`;
  return [rule(DENY, priority, setting, { toolNames: [RUN_SHELL_COMMAND], denyMessage, modes: NOT_PLAN })];
}

export function readEntry(entry: string): { name: string; prefix?: string } {
  const [, head = entry, prefix] = /^([^(]+)\(([\s\S]*)\)\s*$/.exec(entry.trim()) ?? [];
  // `run_shell_command(git:*)` means git with any arguments.
  const clean = prefix?.replace(/:?\*$/, '').trim();
  return { name: canonicalToolName(head.trim()), prefix: clean || undefined };
}
