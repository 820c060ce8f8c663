/** Whether a rule speaks about a call. */
import type { ApprovalMode } from '../../protocol/confirmation.js';
import { PolicyDecision } from '../../protocol/confirmation.js';
import type { RuleConditions } from './rule.js';

/** The fixed part of a call: which tool, of which server, by whom. */
export interface CallIdentity {
  toolName: string;
  serverName?: string;
  /** Of `invoke_agent`: rules may name the agent as a tool. */
  agentName?: string;
}

export interface CallFacts extends CallIdentity {
  mode: ApprovalMode;
  interactive: boolean;
  subagent?: string;
  annotations?: Readonly<Record<string, unknown>>;
  /** Stable JSON of the arguments, made when a rule asks for it. */
  argsJson: () => string;
  /** Real path of the file the call is about; of a command, of the folder it runs in. */
  path: () => string | undefined;
  /** Spellings of the command that a deny or ask rule looks at. */
  commandTexts: readonly string[];
  /** Spellings that an allow rule may rely on; none: allow rules with command conditions do not match. */
  allowTexts: readonly string[];
}

/** The part that does not depend on arguments or mode; decides which rules are looked at at all. */
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

/** Known from the registry, else guessed from the name. */
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

/** As names are made for the model (mcp.md §4). */
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

/** What changes rarely: mode and front end. */
export function matchesState(
  rule: RuleConditions,
  { mode, interactive }: Pick<CallFacts, 'mode' | 'interactive'>,
): boolean {
  if (rule.modes && !rule.modes.includes(mode)) return false;
  return rule.interactive === undefined || rule.interactive === interactive;
}

/** The rest: caller, annotations, arguments. */
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

/** `parent/child` is called by the name of the child too. */
function isSubagent(wanted: string, actual: string | undefined): boolean {
  return actual !== undefined && (actual === wanted || actual.split('/').at(-1) === wanted);
}

function hasAnnotations(
  wanted: Readonly<Record<string, unknown>>,
  actual: Readonly<Record<string, unknown>> | undefined,
): boolean {
  return Object.entries(wanted).every(([key, value]) => actual?.[key] === value);
}

/** A rule of the prefix or pattern kind that only makes sense for the shell. */
export function isShellRule({
  commandPrefixes,
  commandExact,
  commandRegex,
  commandPattern,
}: RuleConditions): boolean {
  return Boolean(commandPrefixes ?? commandExact ?? commandRegex ?? commandPattern);
}
