/** Whether a server may start: the checks in their order, each with a reason for the user. */
import type { ResolvedServer, ServerBlock, ServerBlockKind } from '../config.js';
import { isListed, normalized } from './names.js';

export interface LoadRules {
  /** `admin.mcp.enabled`. */
  adminEnabled: boolean;
  /** `mcp.allowed` or the flag; absent: all. */
  allowed?: readonly string[];
  /** `mcp.excluded`. */
  excluded: readonly string[];
  /** Lower-case names that the user disabled, for this session and for good. */
  disabledInSession: ReadonlySet<string>;
  disabledForGood: ReadonlySet<string>;
}

export interface LoadDecision {
  allowed: boolean;
  blockType?: ServerBlockKind;
  reason?: string;
}

export function canLoadServer(
  server: Pick<ResolvedServer, 'name' | 'extension'>,
  rules: LoadRules,
): LoadDecision {
  const block = blockOf(server, rules);
  return block ? { allowed: false, blockType: block.kind, reason: block.reason } : { allowed: true };
}

export function blockOf(
  server: Pick<ResolvedServer, 'name' | 'extension'>,
  { adminEnabled, allowed, excluded, disabledInSession, disabledForGood }: LoadRules,
): ServerBlock | undefined {
  const { name } = server;
  if (!adminEnabled) return { kind: 'admin', reason: 'MCP servers are disabled by your organisation.' };
  if (allowed && !isListed(server, allowed)) {
    return {
      kind: 'allowlist',
      reason: `"${name}" is not in mcp.allowed or --allowed-mcp-server-names. Add it there to use the server.`,
    };
  }
  if (isListed(server, excluded)) {
    return {
      kind: 'excludelist',
      reason: `"${name}" is in mcp.excluded. Remove it there to use the server.`,
    };
  }
  if (disabledInSession.has(normalized(name))) {
    return {
      kind: 'session',
      reason: `"${name}" is disabled for this session. Run /mcp enable ${name} --session.`,
    };
  }
  if (disabledForGood.has(normalized(name))) {
    return { kind: 'enablement', reason: `"${name}" is disabled. Run gemini mcp enable ${name}.` };
  }
  return undefined;
}
