/** Records model routing, fallbacks, detected loops and compressions. */
import { type AgentEventBody, shortensHistory } from '../../protocol/agent-events.js';
import type { SpanContext, TelemetryRecorder } from '../record.js';

export interface ModelEventPlace {
  recorder: TelemetryRecorder;
  within: SpanContext | undefined;
  promptId: string | undefined;
  approvalMode: string;
  authType: string | undefined;
}

export function recordModelEvent(event: AgentEventBody, place: ModelEventPlace): void {
  const { recorder, within, promptId, approvalMode, authType } = place;
  switch (event.type) {
    case 'model_routed': {
      const { model, source, reasoning, latencyMs } = event;
      recorder.event(
        'gemini_cli.model_routing',
        {
          decision_model: model,
          decision_source: source,
          routing_latency_ms: latencyMs,
          reasoning,
          failed: false,
          approval_mode: approvalMode,
        },
        within,
      );
      recorder.histogram('gemini_cli.model_routing.latency', latencyMs, {
        'routing.decision_model': model,
        'routing.decision_source': source,
        'routing.approval_mode': approvalMode,
      });
      break;
    }
    case 'chat_compressed': {
      const sizes = { tokens_before: event.originalTokens, tokens_after: event.newTokens };
      if (shortensHistory(event.status)) recorder.event('gemini_cli.chat_compression', sizes, within);
      break;
    }
    case 'warning':
      if (event.loop) {
        const { type, count } = event.loop;
        const attributes = { loop_type: type, prompt_id: promptId, count };
        recorder.event('gemini_cli.loop_detected', attributes, within);
      } else if (event.to !== undefined) {
        recorder.event('gemini_cli.flash_fallback', { auth_type: authType }, within);
      }
      break;
  }
}
