/** What a prompt can be, and how it is sent. */
import type { Part } from '@gemini-cli/core/protocol';

export type PromptInput = string | Part | Part[];

export interface SendOptions {
  /** Aborting cancels the prompt: model, tools and their processes. */
  signal?: AbortSignal;
  /** Default `events`; `stream-json` yields the lines of `gemini --output-format stream-json` as objects. */
  format?: 'events' | 'stream-json';
  /** Model requests for this prompt. */
  maxTurns?: number;
}

export interface StreamJsonOptions extends SendOptions {
  format: 'stream-json';
}
