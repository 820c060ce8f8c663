/** Decides whether a rule applies to a call. */
import { escapeRegex } from '../../base/escape-regex.js';
import { protectedNameIn } from '../../platform/files/protected-names.js';
import { isInside } from '../../platform/files/real-path.js';
import type { ApprovalMode } from '../../protocol/confirmation.js';
import { PolicyDecision } from '../../protocol/confirmation.js';
import type { PolicyTier, RuleConditions } from './rule.js';

/** The tool that is called, and its server. */
export interface CallIdentity {
  toolName: string;
  serverName?: string;
  /** The server's own name for the tool. */
  serverToolName?: string;
  /** The server is the calling agent's own, not one of the session. */
  isAgentServer?: boolean;
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
  rule: RuleConditions & { decision?: PolicyDecision; tier?: PolicyTier },
  call: CallIdentity,
): boolean {
  if (call.isAgentServer && isForSession(rule)) return false;
  if (rule.mcpName !== undefined) return matchesServer(rule, rule.mcpName, call);
  if (!rule.toolNames) return true;
  return rule.toolNames.some(
    (pattern) =>
      matchesName(pattern, call, rule.decision) ||
      (call.agentName !== undefined && pattern === call.agentName),
  );
}

/**
 * What the user allows servers of the session says nothing about a server that an agent file calls by the same name.
 * Built-in rules know no server: they are about modes.
 */
function isForSession({
  decision,
  subagent,
  tier,
}: RuleConditions & { decision?: PolicyDecision; tier?: PolicyTier }): boolean {
  return decision === PolicyDecision.ALLOW && subagent === undefined && tier !== 'default';
}

function matchesServer(
  { toolNames, decision }: RuleConditions & { decision?: PolicyDecision },
  mcpName: string,
  call: CallIdentity,
): boolean {
  const server = serverOf(call);
  if (server === undefined) return false;
  const own = call.serverToolName ?? ownToolName(call.toolName, mcpName === '*' ? server : mcpName);
  if (mcpName !== '*' && cleanName(mcpName) !== server && own === undefined) return false;
  if (mcpName !== '*' && call.serverName !== undefined) {
    if (cleanName(mcpName).toLowerCase() !== server.toLowerCase()) return false;
    // "a b" and "a_b" look the same in tool names; an allow rule for one must not allow the other.
    if (decision === PolicyDecision.ALLOW && bareName(mcpName) !== bareName(call.serverName)) return false;
  }
  if (!toolNames || toolNames.includes('*')) return true;
  return toolNames.some((name) => name === own || name === call.toolName || cleanName(name) === own);
}

function bareName(name: string): string {
  return name.trim().replace(/^@/, '').toLowerCase();
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

function matchesName(pattern: string, call: CallIdentity, decision?: PolicyDecision): boolean {
  const { toolName, serverName } = call;
  if (pattern === '*' || pattern === toolName) return true;
  if (pattern.includes('__') && isOtherSpelling(pattern, call, decision)) return true;
  if (!pattern.includes('*')) return false;
  const isMcp = toolName.startsWith('mcp_') || serverName !== undefined;
  if (pattern === 'mcp_*') return isMcp;
  const server = /^mcp_(.+)_\*$/.exec(pattern)?.[1];
  // `mcp_a_*` must not allow the tools of a server named `a_b`.
  if (server && server !== '*' && serverName !== undefined && decision === PolicyDecision.ALLOW) {
    return cleanName(serverName) === cleanName(server);
  }
  const body = pattern.split('*').map(escapeRegex);
  return new RegExp(`^${body.join('.*')}$`).test(toolName);
}

/** `mcp__server__tool`, `server__tool`, `mcp__tool`, and `mcp__*` for any tool of a server. */
function isOtherSpelling(
  pattern: string,
  { serverName, serverToolName }: CallIdentity,
  decision: PolicyDecision | undefined,
): boolean {
  if (serverName === undefined) return false;
  if (pattern === 'mcp__*') return true;
  if (serverToolName === undefined) return false;
  const own = cleanName(serverToolName);
  const full = `${cleanName(serverName)}__${own}`;
  const bare = pattern.replace(/^mcp__/, '');
  const isWholeServer =
    bare.endsWith('__*') && cleanName(bare.slice(0, -'__*'.length)) === cleanName(serverName);
  if (isWholeServer || cleanName(bare) === full) return true;
  // Without the server's name it can only restrict: any server could offer a tool of that name.
  return bare !== pattern && decision !== PolicyDecision.ALLOW && cleanName(bare) === own;
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
  if (rule.folder !== undefined && !isOrdinaryFileIn(rule.folder, call.path())) return false;
  return matchesCommand(rule, rule.decision === PolicyDecision.ALLOW ? call.allowTexts : call.commandTexts);
}

function isOrdinaryFileIn(folder: string, path: string | undefined): boolean {
  if (path === undefined || path === folder || !isInside(path, folder)) return false;
  return protectedNameIn(path.slice(folder.length)) === undefined;
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

export function hasAnnotations(
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
