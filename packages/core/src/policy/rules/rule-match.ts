/** Decides whether a rule applies to a call. */
import type { ApprovalMode } from '../../protocol/confirmation.js';
import { PolicyDecision } from '../../protocol/confirmation.js';
import type { RuleConditions } from './rule.js';

/** The tool that is called, and its server. */
export interface CallIdentity {
  toolName: string;
  serverName?: string;
  /** The agent of an `invoke_agent` call; rules may name it like a tool. */
  agentName?: string;
}

export interface CallFacts extends CallIdentity {
  mode: ApprovalMode;
  interactive: boolean;
  subagent?: string;
  annotations?: Readonly<Record<string, unknown>>;
  /** Stable JSON of the arguments, made on demand. */
  argsJson: () => string;
  /** Real path of the file or, for a command, of its working directory. */
  path: () => string | undefined;
  /** Spellings of the command that deny and ask rules are matched against. */
  commandTexts: readonly string[];
  /** Spellings that allow rules are matched against; empty: no allow rule with a command condition matches. */
  allowTexts: readonly string[];
}

/** Conditions on tool and server; their result is cached per tool. */
export function matchesIdentity(
  rule: RuleConditions & { decision?: PolicyDecision },
  call: CallIdentity,
): boolean {
  if (rule.mcpName !== undefined) return matchesServer(rule, rule.mcpName, call);
  if (!rule.toolNames) return true;
  return rule.toolNames.some(
    (pattern) =>
      matchesName(pattern, call, rule.decision) ||
      (call.agentName !== undefined && pattern === call.agentName),
  );
}

function matchesServer({ toolNames }: RuleConditions, mcpName: string, call: CallIdentity): boolean {
  const server = serverOf(call);
  if (server === undefined) return false;
  const own = ownToolName(call.toolName, mcpName === '*' ? server : mcpName);
  if (mcpName !== '*' && cleanName(mcpName) !== server && own === undefined) return false;
  if (mcpName !== '*' && call.serverName !== undefined && cleanName(mcpName) !== server) return false;
  if (!toolNames || toolNames.includes('*')) return true;
  return toolNames.some((name) => name === own || name === call.toolName || cleanName(name) === own);
}

/** From the registry if known, otherwise guessed from the tool name. */
function serverOf({ toolName, serverName }: CallIdentity): string | undefined {
  if (serverName !== undefined) return cleanName(serverName);
  return /^mcp_(.+?)_/.exec(toolName)?.[1] ?? /^(.+?)__/.exec(toolName)?.[1];
}

function ownToolName(toolName: string, server: string): string | undefined {
  const clean = cleanName(server);
  for (const head of [`mcp_${clean}_`, `${clean}__`]) {
    if (toolName.startsWith(head)) return toolName.slice(head.length);
  }
  return undefined;
}

/** The same replacement that makes a server's name part of a tool name. */
function cleanName(name: string): string {
  return name.replace(/^@/, '').replace(/[^A-Za-z0-9_.:-]/g, '_');
}

function matchesName(
  pattern: string,
  { toolName, serverName }: CallIdentity,
  decision?: PolicyDecision,
): boolean {
  if (pattern === '*' || pattern === toolName) return true;
  if (!pattern.includes('*')) return false;
  const isMcp = toolName.startsWith('mcp_') || serverName !== undefined;
  if (pattern === 'mcp_*') return isMcp;
  const server = /^mcp_(.+)_\*$/.exec(pattern)?.[1];
  // `mcp_a_*` must not allow the tools of a server named `a_b`.
  if (server && server !== '*' && serverName !== undefined && decision === PolicyDecision.ALLOW) {
    return cleanName(serverName) === cleanName(server);
  }
  const body = pattern.split('*').map((part) => part.replace(/[.+?^${}()|[\]\\]/g, '\\$&'));
  return new RegExp(`^${body.join('.*')}$`).test(toolName);
}

/** Conditions on the session: approval mode and interactivity. */
export function matchesState(
  rule: RuleConditions,
  { mode, interactive }: Pick<CallFacts, 'mode' | 'interactive'>,
): boolean {
  if (rule.modes && !rule.modes.includes(mode)) return false;
  return rule.interactive === undefined || rule.interactive === interactive;
}

/** Conditions on the call itself: subagent, annotations, arguments. */
export function matchesArguments(
  rule: RuleConditions & { decision?: PolicyDecision },
  call: CallFacts,
): boolean {
  if (rule.subagent !== undefined && !isSubagent(rule.subagent, call.subagent)) return false;
  if (rule.toolAnnotations && !hasAnnotations(rule.toolAnnotations, call.annotations)) return false;
  if (rule.argsPattern && !rule.argsPattern.test(call.argsJson())) return false;
  if (rule.path !== undefined && rule.path !== call.path()) return false;
  return matchesCommand(rule, rule.decision === PolicyDecision.ALLOW ? call.allowTexts : call.commandTexts);
}

function matchesCommand(rule: RuleConditions, texts: readonly string[]): boolean {
  const { commandPrefixes, commandExact, commandRegex, commandPattern } = rule;
  if (commandExact !== undefined) return texts.includes(commandExact);
  if (commandPrefixes) return texts.some((text) => commandPrefixes.some((prefix) => hasPrefix(text, prefix)));
  const pattern = commandRegex ?? commandPattern;
  return !pattern || texts.some((text) => pattern.test(text));
}

export function hasPrefix(text: string, prefix: string): boolean {
  if (!text.startsWith(prefix)) return false;
  return text.length === prefix.length || /\s/.test(text.charAt(prefix.length));
}

/** A rule for `child` also applies to `parent/child`. */
function isSubagent(wanted: string, actual: string | undefined): boolean {
  return actual !== undefined && (actual === wanted || actual.split('/').at(-1) === wanted);
}

function hasAnnotations(
  wanted: Readonly<Record<string, unknown>>,
  actual: Readonly<Record<string, unknown>> | undefined,
): boolean {
  return Object.entries(wanted).every(([key, value]) => actual?.[key] === value);
}

/** True for a rule with a condition on the command line. */
export function isShellRule({
  commandPrefixes,
  commandExact,
  commandRegex,
  commandPattern,
}: RuleConditions): boolean {
  return Boolean(commandPrefixes ?? commandExact ?? commandRegex ?? commandPattern);
}
