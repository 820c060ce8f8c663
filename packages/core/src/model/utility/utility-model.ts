/** Contract of utility calls: summaries, judgements, searches beside the conversation. `utility-client.ts` makes them. */
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
  /** The current model of the conversation; if it has another provider, its model replaces the preset's. */
  mainModel?: string;
  /** True: an empty answer is valid; otherwise the call is repeated. */
  mayBeEmpty?: boolean;
}

export interface UtilityAnswer {
  /** Visible text, trimmed; empty only where that was allowed. */
  text: string;
  response: GenerateResponse;
  model: string;
}

export interface UtilityModel {
  /** @throws when no usable answer came: the last error, or one that describes the problem */
  generateText(request: UtilityRequest, signal: AbortSignal): Promise<UtilityAnswer>;
  /** An object that fits `schema`: requested as JSON, fences stripped, checked, tried up to 5 times. */
  generateJson(
    request: UtilityRequest & { schema: Record<string, unknown> },
    signal: AbortSignal,
  ): Promise<Record<string, unknown>>;
}
