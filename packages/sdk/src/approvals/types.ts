/** Approvals and policies, as programs write them. */
import type { ApprovalMode, ConfirmationView } from '@gemini-cli/core/protocol';
import type { SessionContext } from '../context/types.js';

/** What the user would be asked: an edit with its diff, a command, an MCP tool, a web request, a plan. */
export type ConfirmationDetails = ConfirmationView;

export interface ApprovalRequest {
  callId: string;
  toolName: string;
  args: Readonly<Record<string, unknown>>;
  /** `edit`, `exec`, `mcp`, `info`, `exit_plan_mode`, `sandbox_expansion`. */
  kind: ConfirmationDetails['type'];
  title: string;
  details: ConfirmationDetails;
  /** Path of the sub-agent that calls, `parent/child`. */
  subagent?: string;
}

/**
 * `allow_session`: this call and those like it until the session ends. `allow_tool`, `allow_server`: the whole MCP tool
 * or server. `allow_and_save`: in later sessions, too, where the settings permit that.
 */
export type ApprovalOutcome =
  | 'allow'
  | 'deny'
  | 'allow_session'
  | 'allow_tool'
  | 'allow_server'
  | 'allow_and_save'
  /** With other arguments, or other content of an edit. They are validated and judged by policy again. */
  | { outcome: 'allow'; args?: Record<string, unknown>; newContent?: string }
  /** The model is told the reason and continues. */
  | { outcome: 'deny'; reason?: string };

export type ApprovalHandler = (
  request: ApprovalRequest,
  ctx: SessionContext,
) => ApprovalOutcome | Promise<ApprovalOutcome>;

/** One rule, with the fields of a `[[rule]]` in a policy file. */
export interface PolicyRuleInput {
  /** Tools, or names of sub-agents; `*` stands for all. */
  toolName?: string | string[];
  mcpName?: string;
  /** Only calls of this sub-agent. */
  subagent?: string;
  commandPrefix?: string | string[];
  commandRegex?: string;
  /** Matched against the arguments as JSON. */
  argsPattern?: string;
  decision: 'allow' | 'deny' | 'ask_user';
  /** From 0 to 999, default 500; of equal rules the earlier counts. */
  priority?: number;
  modes?: `${ApprovalMode}`[];
  /** Told to the model. */
  denyMessage?: string;
}
