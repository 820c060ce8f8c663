/** The interface of output formats; each has its own file. */
import type { AgentEvent, AgentEventBody, ErrorInfo, SessionMetrics } from '@gemini-cli/core';

export type OutputFormat = 'text' | 'json' | 'stream-json';

export interface RunIdentity {
  sessionId: string;
  /** The requested model or alias. */
  model: string;
}

export interface RunResult {
  /** Present when the run failed. */
  error?: ErrorInfo;
  metrics: SessionMetrics;
  durationMs: number;
}

export interface Formatter {
  /** Called once, before any event, with the prompt as the user gave it. */
  begin(identity: RunIdentity, prompt: string): void;
  /** Text of `content` events has no control sequences any more, unless raw output was requested. */
  handle(event: AgentEventBody): void;
  /** Events of sub-agents; absent: their work is not shown. */
  handleAgent?(event: AgentEvent): void;
  /** Called once at the end, also when the run failed before `begin`. */
  end(identity: RunIdentity, result: RunResult): void;
}
