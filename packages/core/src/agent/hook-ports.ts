/**
 * The call sites of hooks: one optional function per event. An absent function costs nothing; a present one is awaited
 * where the event happens and can see, add, change, refuse, ask and stop, as its effect type says. Texts in `context`
 * are escaped and marked here, so that the model can tell a hook's output from ours.
 */
import type { GenerateRequest, GenerateResponse, ToolChoice } from '../model/content-generator.js';
import { createLog } from '../platform/log.js';
import type { AgentRef } from '../protocol/agent-events.js';
import type { Part } from '../protocol/messages.js';
import type { ConfirmationView } from '../protocol/questions.js';
import type { McpToolContext, ToolCallRequest } from '../protocol/tool-calls.js';
import type { ToolResult } from '../tools/tools.js';

const log = createLog('hooks');

/** Part of every input. */
export interface HookScene {
  agent: AgentRef;
  signal: AbortSignal;
}

/** Ends the whole request with this reason; the session stays. */
export interface StopEffect {
  stop?: string;
}

/** Refuses the action, or its result, with this reason. */
export interface DenyEffect {
  deny?: string;
}

/** `deniedBy`: the hooks that refuse, for the user; the model gets only the reason. */
export interface ToolDenyEffect extends DenyEffect {
  deniedBy?: string;
}

/** Text added for the model. */
export interface ContextEffect {
  context?: string;
}

export type SessionStartSource = 'startup' | 'resume' | 'clear';
export type SessionEndReason = 'exit' | 'clear' | 'logout' | 'prompt_input_exit' | 'other';

/** What the user sent. `deny`: the prompt is dropped; `stop`: it stays in the history. */
export type BeforeAgentEffect = StopEffect & DenyEffect & ContextEffect;

export interface AfterAgentEffect extends StopEffect {
  /** Sent as a new message: the model tries again. */
  retry?: string;
  /** Clears the conversation before the retry, or after the stop. */
  clearContext?: boolean;
}

export interface BeforeModelEffect extends StopEffect, DenyEffect {
  request?: GenerateRequest;
  /** Used as the answer; no request is made. */
  response?: GenerateResponse;
}

export interface AfterModelEffect extends StopEffect, DenyEffect {
  chunk?: GenerateResponse;
}

export interface BeforeToolEffect extends StopEffect, ToolDenyEffect {
  /** The user is asked even where policy allows; the text is shown with the question. */
  ask?: string;
  /** Merged over the arguments, which are then validated and approved again. */
  args?: Readonly<Record<string, unknown>>;
}

export interface AfterToolEffect extends StopEffect, ToolDenyEffect, ContextEffect {
  /** Runs next under the same call id; its result replaces this one. */
  tail?: { name: string; args: Record<string, unknown> };
}

export interface ToolScene extends HookScene {
  call: ToolCallRequest;
  /** The name in the request that led to this tail call. */
  originalName?: string;
  /** Set for a tool of an MCP server. */
  mcpContext?: McpToolContext;
}

export interface HookPorts {
  sessionStart?(input: HookScene & { source: SessionStartSource }): Promise<ContextEffect | undefined>;
  sessionEnd?(input: HookScene & { reason: SessionEndReason }): Promise<void>;
  beforeAgent?(input: HookScene & { prompt: readonly Part[] }): Promise<BeforeAgentEffect | undefined>;
  afterAgent?(
    input: HookScene & { prompt: readonly Part[]; response: string; isRetry: boolean },
  ): Promise<AfterAgentEffect | undefined>;
  beforeModel?(input: HookScene & { request: GenerateRequest }): Promise<BeforeModelEffect | undefined>;
  beforeToolSelection?(input: HookScene & { request: GenerateRequest }): Promise<ToolChoice | undefined>;
  afterModel?(
    input: HookScene & { request: GenerateRequest; chunk: GenerateResponse },
  ): Promise<AfterModelEffect | undefined>;
  beforeTool?(input: ToolScene): Promise<BeforeToolEffect | undefined>;
  afterTool?(input: ToolScene & { result: ToolResult }): Promise<AfterToolEffect | undefined>;
  /** At each check whether the conversation must be compressed; `isCompressing`: it will be. Cannot change anything. */
  preCompress?(input: HookScene & { trigger: 'auto' | 'manual'; isCompressing: boolean }): Promise<void>;
  /** Just before a confirmation is shown. Cannot change anything. */
  notification?(input: HookScene & { message: string; details: ConfirmationView }): Promise<void>;
}

/** A hook's text for the model, escaped so that it cannot close its own mark or open another. */
export function hookContext(text: string): string {
  const escaped = text.replaceAll('<', '&lt;').replaceAll('>', '&gt;');
  return `<hook_context>${escaped}</hook_context>`;
}

/** For hooks that can only observe: a failure is ignored. */
export async function watched(port: Promise<void> | undefined): Promise<void> {
  try {
    await port;
  } catch (error) {
    log.error('A hook that only watches failed.', error);
  }
}
