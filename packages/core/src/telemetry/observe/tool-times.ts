/** Measures how many tool calls wait and how long each phase of a call takes. */
import type { CompletedToolCall, ToolCallRequest, ToolCallStatus } from '../../protocol/tool-calls.js';
import type { TelemetryRecorder } from '../record.js';

export class ToolTimes {
  private readonly waiting = new Map<string, { name: string; scheduledMs?: number }>();

  constructor(
    private readonly recorder: TelemetryRecorder,
    private readonly now: () => number,
  ) {}

  requested({ callId, name }: ToolCallRequest): void {
    this.waiting.set(callId, { name });
    this.recorder.histogram('gemini_cli.tool.queue.depth', this.waiting.size, {});
  }

  /** The time until the user approves belongs to no phase. */
  moved(callId: string, status: ToolCallStatus): void {
    const call = this.waiting.get(callId);
    if (!call) return;
    if (status === 'scheduled') call.scheduledMs = this.now();
    if (status !== 'executing' || call.scheduledMs === undefined) return;
    this.recorder.histogram('gemini_cli.tool.execution.breakdown', this.now() - call.scheduledMs, {
      function_name: call.name,
      phase: 'preparation',
    });
  }

  finished({ request, durationMs }: CompletedToolCall): void {
    this.waiting.delete(request.callId);
    this.recorder.histogram('gemini_cli.tool.execution.breakdown', durationMs, {
      function_name: request.name,
      phase: 'execution',
    });
  }
}
