/** The output format `stream-json`: one event per line, as it happens. */
import {
  type AgentEvent,
  type AgentEventBody,
  type CompletedToolCall,
  FatalTurnLimitedError,
  INVALID_STREAM,
  toStreamStats,
} from '@gemini-cli/core';
import { escapeControls } from '../output/json-text.js';
import { hookNotice, notice, type Output } from '../output/output.js';
import type { Formatter, RunIdentity, RunResult } from './formatter.js';

/** Failures that are also reported as an `error` event before the result. */
const REPORTED_ERRORS: ReadonlySet<string> = new Set([FatalTurnLimitedError.type, INVALID_STREAM]);

export class StreamJsonFormatter implements Formatter {
  private begun = false;

  constructor(private readonly output: Output) {}

  begin(identity: RunIdentity, prompt: string): void {
    this.init(identity);
    this.emit('message', { role: 'user', content: prompt });
  }

  handle(event: AgentEventBody): void {
    switch (event.type) {
      case 'content':
        this.emit('message', { role: 'assistant', content: event.text, delta: true });
        break;
      case 'tool_requested': {
        const { name, callId, args } = event.request;
        this.emit('tool_use', { tool_name: name, tool_id: callId, parameters: args });
        break;
      }
      case 'tool_finished':
        this.emit('tool_result', toolResult(event.call));
        break;
      case 'hook_message':
        // `init` is the first line, and a message of a hook is no problem to report.
        if (event.level === 'info' || !this.begun) hookNotice(this.output, event);
        else this.emit('error', { severity: event.level, message: `${event.name}: ${event.message}` });
        break;
      case 'warning': {
        const { message, from, to, reason } = event;
        this.emit('error', { severity: 'warning', message, from, to, reason });
        break;
      }
      case 'retry':
        notice(this.output, 'WARNING', event.message);
        if (event.discardsOutput) {
          const message = `${event.message} The text of this model turn so far is void.`;
          this.emit('error', { severity: 'warning', message });
        }
        break;
    }
  }

  /** Lines of a type of their own: readers that know only the conversation skip them. */
  handleAgent({ agent: { id, name, parentId }, ...event }: AgentEvent): void {
    const agent = { id, name, ...(parentId !== undefined && { parent_id: parentId }) };
    const say = (what: string, fields: Record<string, unknown>) =>
      this.emit('agent', { agent, event: what, ...fields });
    switch (event.type) {
      case 'agent_started':
        say('started', { transcript: event.agentId, tool_id: event.callId });
        break;
      case 'tool_requested': {
        const { name: tool_name, callId: tool_id, args: parameters } = event.request;
        say('tool_use', { tool_name, tool_id, parameters });
        break;
      }
      case 'tool_finished':
        say('tool_result', toolResult(event.call));
        break;
      case 'warning':
        say('error', { severity: 'warning', message: event.message });
        break;
      case 'error':
        say('error', { severity: 'error', message: event.error.message });
        break;
      case 'agent_finished': {
        const { terminateReason, turnCount, durationMs } = event;
        say('finished', {
          terminate_reason: terminateReason,
          turn_count: turnCount,
          duration_ms: durationMs,
        });
        break;
      }
    }
  }

  end(identity: RunIdentity, { error, metrics, durationMs }: RunResult): void {
    this.init(identity);
    if (error && REPORTED_ERRORS.has(error.type)) {
      this.emit('error', { severity: 'error', message: error.message });
    }
    this.emit('result', {
      status: error ? 'error' : 'success',
      error: error && { type: error.type, message: error.message },
      stats: toStreamStats(metrics, durationMs),
    });
  }

  /** Always the first line, even if the run fails before `begin`. */
  private init({ sessionId, model }: RunIdentity): void {
    if (this.begun) return;
    this.begun = true;
    this.emit('init', { session_id: sessionId, model });
  }

  private emit(type: string, fields: Record<string, unknown>): void {
    const line = JSON.stringify({ type, timestamp: new Date().toISOString(), ...fields });
    this.output.stdout(`${escapeControls(line)}\n`);
  }
}

function toolResult({ status, response }: CompletedToolCall): Record<string, unknown> {
  const { callId, resultDisplay, error } = response;
  const failed = status !== 'success';
  const message = error?.message ?? (status === 'cancelled' ? 'The call was cancelled.' : 'The call failed.');
  return {
    tool_id: callId,
    status: failed ? 'error' : 'success',
    output: outputOf(resultDisplay),
    error: failed ? { type: error?.type ?? 'TOOL_EXECUTION_ERROR', message } : undefined,
  };
}

function outputOf(display: CompletedToolCall['response']['resultDisplay']): string | undefined {
  if (typeof display === 'string') return display;
  return typeof display === 'object' && 'isSubagentProgress' in display ? display.result : undefined;
}
