/** The events of an agent, from the model to every front end: plain data. */
import type { Part, TokenUsage } from './messages.js';
import type { Question } from './questions.js';
import type { CompletedToolCall, ToolCallRequest, ToolCallStatus } from './tool-calls.js';
import type { LiveOutput } from './tool-display.js';

export interface AgentRef {
  /** Unique within the engine. */
  readonly id: string;
  readonly name: string;
  /** The agent that started this one from a tool call; absent for the main agent and for background agents. */
  readonly parentId?: string;
}

/** The main agent: the conversation with the user. Events of the engine itself carry it, too. */
export const MAIN_AGENT: AgentRef = { id: 'main', name: 'main' };

/** Why a user request ended; `blocked`: a hook refused it, and the session continues. */
export type TurnEndReason =
  | 'completed'
  | 'cancelled'
  | 'error'
  | 'max_turns'
  | 'budget'
  | 'stopped'
  | 'blocked';

/** An error as data: what the user is told and what programs can match on. */
export interface ErrorInfo {
  /** Class name, e.g. `FatalTurnLimitedError`, `ApiError`, `INVALID_STREAM`. */
  type: string;
  message: string;
  /** HTTP status or error code, if there is one. */
  code?: number | string;
  /** Set on what ends the program. */
  exitCode?: number;
  /** What the server answered, where `code` is the exit code. */
  httpStatus?: number;
  /** What the user can do; `message` says it in the words of the command line. */
  remedy?: ErrorRemedy;
  /** `message` without the remedy, for a front end with its own words. */
  reason?: string;
}

/**
 * `quota`: wait or choose another model; `later`: the service has a problem; `again`, `rephrase`: the answer was
 * unusable or blocked.
 */
export interface ErrorRemedy {
  kind: 'quota' | 'later' | 'again' | 'rephrase';
  /** When the model is available again, in ms; absent: unknown. */
  until?: number;
}

/** `request`: the server refused the call; `stream`: the answer was invalid or broke off. */
export type FailureCause = 'request' | 'stream';

export type CompressionStatus =
  | 'COMPRESSED'
  | 'CONTENT_TRUNCATED'
  | 'COMPRESSION_FAILED_INFLATED_TOKEN_COUNT'
  | 'COMPRESSION_FAILED_TOKEN_COUNT_ERROR'
  | 'COMPRESSION_FAILED_EMPTY_SUMMARY'
  | 'NOOP';

/** True: the model gets less than before. */
export function shortensHistory(status: CompressionStatus): boolean {
  return status === 'COMPRESSED' || status === 'CONTENT_TRUNCATED';
}

/** An event as front ends get it. Plain data: it survives `structuredClone` and JSON. */
export type AgentEvent = AgentEventBody & { agent: AgentRef };

/** True for events of the conversation with the user; other agents' events are shown separately. */
export function isMainAgent({ id }: AgentRef): boolean {
  return id === MAIN_AGENT.id;
}

/** What happened; the session or `EventStream` adds the agent. */
export type AgentEventBody =
  | {
      type: 'turn_started';
      sessionId: string;
      promptId: string;
      model: string;
      parts: readonly Part[];
      /** The text the user typed, without files, piped data and command output; absent: all of its text. */
      typed?: string;
    }
  /** Which model answers this prompt, and which strategy chose it (`override`, `local-rule`, `classifier`, …). */
  | { type: 'model_routed'; model: string; source: string; reasoning: string; latencyMs: number }
  /** Older turns were replaced by a summary, or should have been: see `status`. */
  | { type: 'chat_compressed'; status: CompressionStatus; originalTokens: number; newTokens: number }
  /** The message was not sent: it would not fit. */
  | {
      type: 'context_window_will_overflow';
      estimatedRequestTokenCount: number;
      remainingTokenCount: number;
    }
  /** One model request begins; `turn` counts from 1 within this prompt. */
  | { type: 'model_turn_started'; turn: number; model: string }
  | { type: 'content'; text: string }
  | { type: 'thought'; subject: string; description: string }
  | { type: 'citation'; text: string }
  /**
   * A request is made again. `discardsOutput`: content of this model turn shown so far is void; a
   * front end that can remove it does so.
   */
  | {
      type: 'retry';
      attempt: number;
      /** 0: until the model answers or the user stops. */
      maxAttempts: number;
      delayMs: number;
      message: string;
      discardsOutput: boolean;
      /** Absent when the repeated answer only differs from what was shown. */
      cause?: FailureCause;
      errorType?: string;
      /** HTTP status, or code of the failed connection. */
      code?: number | string;
      model?: string;
    }
  | { type: 'tool_requested'; request: ToolCallRequest }
  | {
      type: 'tool_status';
      callId: string;
      status: ToolCallStatus;
      description?: string;
      displayName?: string;
    }
  | { type: 'tool_output'; callId: string; output: LiveOutput }
  | { type: 'tool_finished'; call: CompletedToolCall }
  /** Tokens of one finished model call. */
  | { type: 'usage'; model: string; role: string; usage: TokenUsage; latencyMs: number }
  /** A model call that failed; another may follow. Counts as an API error in the statistics. */
  | {
      type: 'api_failure';
      model: string;
      role: string;
      latencyMs: number;
      error: ErrorInfo;
      cause: FailureCause;
      /** The problem of a bad stream, else the error's class. */
      errorType: string;
      /** From 1, over all tries of this request. */
      attempt: number;
      isFinal: boolean;
    }
  /** One model request succeeded; `reason` is the provider's finish reason. */
  | { type: 'model_turn_finished'; reason: string; model: string }
  | {
      type: 'warning';
      message: string;
      code?: string;
      /** Set when the model changes. */
      from?: string;
      to?: string;
      reason?: string;
      /** Set when the model repeats itself. */
      loop?: { type: string; count: number };
    }
  /** MCP servers have connected, failed, or offer something else than before; prompts as `server/name`. */
  | { type: 'mcp_changed'; servers: number; blocked: number; prompts: string[] }
  /** The editor was connected or lost, or other files are open in it. `isTrusted`: what it says about the workspace. */
  | {
      type: 'ide_changed';
      status: 'connected' | 'connecting' | 'disconnected';
      name?: string;
      files: { path: string; isActive?: boolean }[];
      isTrusted?: boolean;
    }
  /** A message to the user outside any request, shown at once. `isKept`: it stays in the conversation. `isOver`: what was said with these words holds no more. */
  | { type: 'notice'; message: string; isKept?: boolean; isOver?: boolean }
  /** Shown until `question_settled`; answered by `answer(id, value)`. One is open at a time. */
  | { type: 'question'; id: string; question: Question }
  | { type: 'question_settled'; id: string; status: 'answered' | 'withdrawn' | 'unanswerable' }
  /** A command or an agent in the background has ended. `inject`: the text is a new message to the model; `notify`: to the user. */
  | { type: 'background_completed'; kind: 'inject' | 'notify'; text: string; pid?: number }
  /** The run of a sub-agent begins. `callId`: the parent's call; `agentId` names its transcript, if it has one. */
  | { type: 'agent_started'; agentId?: string; callId?: string }
  /** A sub-agent at its limit got one more turn to report. */
  | { type: 'agent_recovery'; reason: string; success: boolean; durationMs: number; turnCount: number }
  /** It works on in the background; its parent's call is answered. */
  | { type: 'agent_moved' }
  | {
      type: 'agent_finished';
      terminateReason: string;
      turnCount: number;
      durationMs: number;
      isBackground: boolean;
    }
  /** Text the user typed while the agent worked was added to the conversation. */
  | { type: 'steered'; text: string }
  /** A hook runs: number `index` (from 1) of `total` for this event. `isShown`: front ends may show that it runs. */
  | {
      type: 'hook_started';
      id: string;
      name: string;
      event: string;
      index: number;
      total: number;
      isShown: boolean;
    }
  | {
      type: 'hook_finished';
      id: string;
      name: string;
      event: string;
      success: boolean;
      durationMs: number;
    }
  /** A text for the user, from a hook (`info`) or about one (`warning`, `error`). The model does not get it. */
  | {
      type: 'hook_message';
      name: string;
      event: string;
      message: string;
      level: 'info' | 'warning' | 'error';
    }
  | { type: 'error'; error: ErrorInfo }
  | {
      type: 'turn_finished';
      reason: TurnEndReason;
      error?: ErrorInfo;
      /** Text typed while the agent worked that the model did not get: the front end keeps it for the next prompt. */
      unsent?: string;
    };
