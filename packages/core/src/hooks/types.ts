/** Names and shapes of hooks: configuration, the JSON on their stdin and stdout, and results. */
import type { SessionEndReason, SessionStartSource } from '../agent/hook-ports.js';
import type { DeclaredRights } from '../platform/sandbox/rights/types.js';
import type { McpToolContext } from '../protocol/tool-calls.js';
import type { LLMRequest, LLMResponse, LLMToolConfig } from './llm-types.js';

export type { McpToolContext } from '../protocol/tool-calls.js';

export enum HookEventName {
  BeforeTool = 'BeforeTool',
  AfterTool = 'AfterTool',
  BeforeAgent = 'BeforeAgent',
  AfterAgent = 'AfterAgent',
  Notification = 'Notification',
  SessionStart = 'SessionStart',
  SessionEnd = 'SessionEnd',
  PreCompress = 'PreCompress',
  BeforeModel = 'BeforeModel',
  AfterModel = 'AfterModel',
  BeforeToolSelection = 'BeforeToolSelection',
}

/** Where a hook is configured. */
export enum ConfigSource {
  /** Registered by a program. */
  Runtime = 'runtime',
  Project = 'project',
  User = 'user',
  System = 'system',
  Extensions = 'extensions',
}

export const DEFAULT_HOOK_TIMEOUT_MS = 60_000;

interface HookConfigBase {
  name?: string;
  description?: string;
  /** Milliseconds; absent: `DEFAULT_HOOK_TIMEOUT_MS`. */
  timeout?: number;
  source?: ConfigSource;
}

export interface CommandHookConfig extends HookConfigBase {
  type: 'command';
  /** Shell command. */
  command: string;
  /** Further environment variables, applied last. */
  env?: Record<string, string>;
  /** It was written for this event of Claude Code: it reads that input, and its output is read so. */
  claudeEvent?: string;
  /** Its extension declares what it may use: it runs with just that. */
  rights?: DeclaredRights;
}

/** A function of the program that uses the library. Null or undefined: no effect. */
export interface RuntimeHookConfig extends HookConfigBase {
  type: 'runtime';
  name: string;
  action(
    input: HookInput,
    context: { signal: AbortSignal },
  ): HookOutput | null | undefined | Promise<HookOutput | null | undefined>;
}

export type HookConfig = CommandHookConfig | RuntimeHookConfig;

export interface HookDefinition {
  /** Tool names as a regular expression, or an exact source, reason or trigger. Absent, empty or `*`: all. */
  matcher?: string;
  /** One after the other, each with the changes of those before it. */
  sequential?: boolean;
  /** For PreCompress: not at each check, but when the conversation is really compressed. */
  onlyWhenCompressing?: boolean;
  hooks: HookConfig[];
}

/** A hook of a program, as `ConfigParameters.runtimeHooks` takes it. */
export interface RuntimeHook extends Omit<HookDefinition, 'hooks'> {
  event: HookEventName | `${HookEventName}`;
  hook: RuntimeHookConfig;
}

/** Part of every input. */
export interface HookInput {
  session_id: string;
  /** Absolute; empty while the session is not recorded. */
  transcript_path: string;
  cwd: string;
  hook_event_name: string;
  /** ISO 8601. */
  timestamp: string;
}

export interface BeforeToolInput extends HookInput {
  tool_name: string;
  tool_input: Record<string, unknown>;
  mcp_context?: McpToolContext;
  /** For a tail call: the tool that the model called. */
  original_request_name?: string;
}

export interface AfterToolInput extends BeforeToolInput {
  tool_response: { llmContent: unknown; returnDisplay: unknown; error?: unknown };
}

export interface BeforeAgentInput extends HookInput {
  prompt: string;
}

export interface AfterAgentInput extends HookInput {
  prompt: string;
  /** All text of the model in this turn. */
  prompt_response: string;
  /** True: a hook has already made the model try again. */
  stop_hook_active: boolean;
}

export interface SessionStartInput extends HookInput {
  source: SessionStartSource;
}

export interface SessionEndInput extends HookInput {
  reason: SessionEndReason;
}

export interface PreCompressInput extends HookInput {
  trigger: 'auto' | 'manual';
}

export interface NotificationInput extends HookInput {
  notification_type: 'ToolPermission';
  message: string;
  details: Record<string, unknown>;
}

export interface BeforeModelInput extends HookInput {
  llm_request: LLMRequest;
}

export type BeforeToolSelectionInput = BeforeModelInput;

export interface AfterModelInput extends BeforeModelInput {
  /** This chunk. */
  llm_response: LLMResponse;
}

/** `block` means `deny`, `approve` means `allow`. */
export type HookDecision = 'ask' | 'block' | 'deny' | 'approve' | 'allow';

export interface HookOutput {
  /** False: the agent stops. */
  continue?: boolean;
  stopReason?: string;
  suppressOutput?: boolean;
  /** Shown to the user, never sent to the model. */
  systemMessage?: string;
  decision?: HookDecision;
  reason?: string;
  hookSpecificOutput?: Record<string, unknown>;
}

interface OutputWith<Specific> extends Omit<HookOutput, 'hookSpecificOutput'> {
  hookSpecificOutput?: Specific & { hookEventName?: string };
}

export type BeforeToolOutput = OutputWith<{ tool_input?: Record<string, unknown> }>;
export type AfterToolOutput = OutputWith<{
  additionalContext?: string;
  tailToolCallRequest?: { name: string; args: Record<string, unknown> };
}>;
export type BeforeAgentOutput = OutputWith<{ additionalContext?: string }>;
export type AfterAgentOutput = OutputWith<{ clearContext?: boolean }>;
export type SessionStartOutput = OutputWith<{ additionalContext?: string }>;
export type BeforeModelOutput = OutputWith<{
  llm_request?: Partial<LLMRequest>;
  llm_response?: LLMResponse;
}>;
export type AfterModelOutput = OutputWith<{ llm_response?: Partial<LLMResponse> }>;
export type BeforeToolSelectionOutput = OutputWith<{ toolConfig?: LLMToolConfig }>;

export interface HookExecutionResult {
  hookConfig: HookConfig;
  eventName: HookEventName;
  /** False: it failed, and its output is not used. */
  success: boolean;
  output?: HookOutput;
  stdout?: string;
  stderr?: string;
  exitCode?: number;
  /** Milliseconds. */
  duration: number;
  error?: Error;
  /** For the user, in addition to or instead of the output's `systemMessage`. */
  warning?: string;
}
