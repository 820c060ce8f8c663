/** What happens beside the answers of models, for telemetry. */
import type { OpenedStorage } from '../platform/secrets/secret-store.js';

export type ModelNote =
  /** A utility model did not answer with the JSON it was asked for. */
  | { type: 'malformed_json'; model: string }
  /** A strategy could not choose a model; the next one decides. */
  | {
      type: 'routing_failed';
      model: string;
      source: string;
      message: string;
      latencyMs: number;
      approvalMode: string;
    }
  /** A Google account is set up for the first time. */
  | { type: 'onboarding_started' }
  | { type: 'onboarding_finished'; tier: string; durationMs: number }
  /** Credits of a Google account have paid for a request; `balance` is left. */
  | { type: 'credits_used'; balance: number; strategy: string }
  | ({ type: 'secrets_opened' } & OpenedStorage);

export type OnModelNote = (note: ModelNote) => void;
