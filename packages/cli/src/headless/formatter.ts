/** What a run tells its formatter. One file per output format implements this. */
import type { AgentEventBody, ErrorInfo, SessionMetrics } from '@gemini-cli/core';

export type OutputFormat = 'text' | 'json' | 'stream-json';

export interface RunIdentity {
  sessionId: string;
  /** The model or alias asked for. */
  model: string;
}

export interface RunResult {
  /** Present when the run failed. */
  error?: ErrorInfo;
  metrics: SessionMetrics;
  durationMs: number;
}

export interface Formatter {
  /** Once, before any event: who runs, and the prompt as the user gave it. */
  begin(identity: RunIdentity, prompt: string): void;
  /** Text of `content` events is already free of control sequences, unless raw output was asked for. */
  handle(event: AgentEventBody): void;
  /** Once, at the very end, also when the run failed before `begin`. */
  end(identity: RunIdentity, result: RunResult): void;
}
