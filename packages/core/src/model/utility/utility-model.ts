/** Small calls beside the conversation: summaries, judgements, searches. Contract; `utility-client.ts` makes them. */
import type { Message } from '../../protocol/messages.js';
import type { GenerateResponse } from '../content-generator.js';

export interface UtilityRequest {
  /** Preset of `model-configs.ts` (`classifier`, `web-search`, …): which model, with which settings. */
  alias: string;
  /** Who pays: `utility_compressor`, `utility_router`, … */
  role: string;
  promptId: string;
  messages: readonly Message[];
  systemInstruction?: string;
  /** The model of the main conversation now; another provider's stands in for the preset's. */
  mainModel?: string;
  /** Nothing to say is an answer, too; otherwise it is asked for again. */
  mayBeEmpty?: boolean;
}

export interface UtilityAnswer {
  /** Visible text, trimmed; empty only where that was allowed. */
  text: string;
  response: GenerateResponse;
  /** Who answered. */
  model: string;
}

export interface UtilityModel {
  /** @throws when no usable answer came: the last error, or one that says what was wrong */
  generateText(request: UtilityRequest, signal: AbortSignal): Promise<UtilityAnswer>;
  /** An object that fits `schema`: asked for as JSON, fences stripped, checked, tried again up to 5 times. */
  generateJson(
    request: UtilityRequest & { schema: Record<string, unknown> },
    signal: AbortSignal,
  ): Promise<Record<string, unknown>>;
}
