/** The output format `stream-json`: one event per line, as it happens. */
import {
  type AgentEvent,
  type AgentEventBody,
  type StreamJsonBody,
  streamItem,
  streamJsonEnd,
  streamJsonOf,
  streamJsonOfAgent,
  toStreamStats,
} from '@gemini-cli/core';
import { escapeControls } from '../output/json-text.js';
import { hookNotice, notice, type Output } from '../output/output.js';
import type { Formatter, RunIdentity, RunResult } from './formatter.js';

export class StreamJsonFormatter implements Formatter {
  private begun = false;

  constructor(private readonly output: Output) {}

  begin(identity: RunIdentity, prompt: string): void {
    this.init(identity);
    this.emit({ type: 'message', role: 'user', content: prompt });
  }

  handle(event: AgentEventBody): void {
    // `init` is the first line, and a message of a hook is not a problem to report.
    if (event.type === 'hook_message' && (event.level === 'info' || !this.begun)) {
      hookNotice(this.output, event);
      return;
    }
    if (event.type === 'retry') notice(this.output, 'WARNING', event.message);
    this.emit(streamJsonOf(event));
  }

  handleAgent(event: AgentEvent): void {
    this.emit(streamJsonOfAgent(event));
  }

  end(identity: RunIdentity, { error, metrics, durationMs }: RunResult): void {
    this.init(identity);
    for (const item of streamJsonEnd(error, toStreamStats(metrics, durationMs))) this.emit(item);
  }

  /** Always the first line, even if the run fails before `begin`. */
  private init({ sessionId, model }: RunIdentity): void {
    if (this.begun) return;
    this.begun = true;
    this.emit({ type: 'init', session_id: sessionId, model });
  }

  private emit(body: StreamJsonBody | undefined): void {
    if (body) this.output.stdout(`${escapeControls(JSON.stringify(streamItem(body)))}\n`);
  }
}
