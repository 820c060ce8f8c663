/** For each hook event, what the action gets and what it may return. */
import type { LLMRequest, LLMResponse, McpToolContext } from '@gemini-cli/core';

/** Part of every payload. */
export interface HookPayload {
  readonly sessionId: string;
  /** Absolute; empty while the session is not recorded. */
  readonly transcriptPath: string;
  readonly cwd: string;
  readonly hookEventName: string;
  /** ISO 8601. */
  readonly timestamp: string;
  /** The original, with the names that command hooks get. */
  readonly raw: Readonly<Record<string, unknown>>;
}

/** Nothing: no effect. `Specific`: what this event can change. */
// biome-ignore lint/suspicious/noConfusingVoidType: an action without a return statement is a valid hook
export type HookResult<Specific> = void | null | undefined | HookOutputOf<Specific>;

export interface HookOutputOf<Specific> {
  /** False: the agent stops. */
  continue?: boolean;
  stopReason?: string;
  suppressOutput?: boolean;
  /** Shown to the user, never sent to the model. */
  systemMessage?: string;
  /** `block` means `deny`, `approve` means `allow`. */
  decision?: 'ask' | 'block' | 'deny' | 'approve' | 'allow';
  reason?: string;
  hookSpecificOutput?: Specific & { hookEventName?: string };
}

/** These events only observe. */
// biome-ignore lint/suspicious/noConfusingVoidType: an action without a return statement is a valid hook
export type MessageOnly = void | null | undefined | { systemMessage?: string; suppressOutput?: boolean };

/** Arguments of a tool call. Of file tools `path` reads `file_path`. */
export type HookToolInput = Readonly<Record<string, ToolInputValue>> & {
  readonly path: string;
  readonly file_path: string;
  readonly command: string;
};

/** Arguments are JSON; what a tool takes is in its schema. */
export type ToolInputValue =
  | string
  | number
  | boolean
  | null
  | ToolInputValue[]
  | { [key: string]: ToolInputValue };

interface ToolPayload extends HookPayload {
  readonly toolName: string;
  readonly toolInput: HookToolInput;
  /** For a tool of an MCP server. */
  readonly mcpContext?: McpToolContext;
  /** For a tail call: the tool that the model called. */
  readonly originalRequestName?: string;
}

export interface HookEventMap {
  BeforeTool: {
    in: ToolPayload;
    out: HookResult<{ toolInput?: Record<string, unknown>; tool_input?: Record<string, unknown> }>;
  };
  AfterTool: {
    in: ToolPayload & {
      readonly toolResponse: {
        readonly llmContent: unknown;
        readonly returnDisplay: unknown;
        readonly error?: { readonly message: string; readonly type?: string };
      };
    };
    out: HookResult<{
      additionalContext?: string;
      tailToolCallRequest?: { name: string; args: Record<string, unknown> };
    }>;
  };
  BeforeAgent: {
    in: HookPayload & { readonly prompt: string };
    out: HookResult<{ additionalContext?: string }>;
  };
  AfterAgent: {
    in: HookPayload & {
      readonly prompt: string;
      readonly promptResponse: string;
      /** True: a hook has already made the model try again. */
      readonly stopHookActive: boolean;
    };
    out: HookResult<{ clearContext?: boolean }>;
  };
  BeforeModel: {
    in: HookPayload & { readonly llmRequest: LLMRequest };
    out: HookResult<{
      llmRequest?: Partial<LLMRequest>;
      llm_request?: Partial<LLMRequest>;
      llmResponse?: LLMResponse;
      llm_response?: LLMResponse;
    }>;
  };
  AfterModel: {
    in: HookPayload & { readonly llmRequest: LLMRequest; readonly llmResponse: LLMResponse };
    out: HookResult<{ llmResponse?: Partial<LLMResponse>; llm_response?: Partial<LLMResponse> }>;
  };
  BeforeToolSelection: {
    in: HookPayload & { readonly llmRequest: LLMRequest };
    out: HookResult<{ toolConfig?: { mode?: 'AUTO' | 'ANY' | 'NONE'; allowedFunctionNames?: string[] } }>;
  };
  SessionStart: {
    in: HookPayload & { readonly source: 'startup' | 'resume' | 'clear' };
    out: HookResult<{ additionalContext?: string }>;
  };
  SessionEnd: {
    in: HookPayload & { readonly reason: 'exit' | 'clear' | 'logout' | 'prompt_input_exit' | 'other' };
    out: MessageOnly;
  };
  PreCompress: { in: HookPayload & { readonly trigger: 'auto' | 'manual' }; out: MessageOnly };
  Notification: {
    in: HookPayload & {
      readonly notificationType: string;
      readonly message: string;
      readonly details: Readonly<Record<string, unknown>>;
    };
    out: MessageOnly;
  };
}

export type HookEvent = keyof HookEventMap;
