/** Records what the models' layer notes about itself. */
import type { ModelNote } from '../../model/model-note.js';
import type { TelemetryRecorder } from '../record.js';

export function recordModelNote(recorder: TelemetryRecorder, note: ModelNote): void {
  switch (note.type) {
    case 'malformed_json':
      recorder.event('gemini_cli.malformed_json_response', { model: note.model });
      break;
    case 'routing_failed':
      recordRoutingFailure(recorder, note);
      break;
    case 'onboarding_started':
      recorder.event('gemini_cli.onboarding.start', {});
      break;
    case 'onboarding_finished': {
      const attributes = { user_tier: note.tier, duration_ms: note.durationMs };
      recorder.event('gemini_cli.onboarding.success', attributes);
      break;
    }
    case 'credits_used': {
      const { balance, strategy } = note;
      recorder.event('gemini_cli.credits_used', { credit_balance: balance, overage_strategy: strategy });
      break;
    }
    case 'secrets_opened': {
      const { place: type, isForced: forced, isKeychainAvailable: available } = note;
      if (available !== undefined) recorder.event('gemini_cli.keychain.availability', { available });
      recorder.event('gemini_cli.token_storage.initialization', { type, forced });
      break;
    }
  }
}

function recordRoutingFailure(
  recorder: TelemetryRecorder,
  { model, source, message, latencyMs, approvalMode }: Extract<ModelNote, { type: 'routing_failed' }>,
): void {
  recorder.event('gemini_cli.model_routing', {
    decision_model: model,
    decision_source: source,
    routing_latency_ms: latencyMs,
    failed: true,
    error_message: message,
    approval_mode: approvalMode,
  });
  recorder.count('gemini_cli.model_routing.failure.count', 1, {
    'routing.decision_source': source,
    'routing.error_message': message,
    'routing.approval_mode': approvalMode,
  });
}
