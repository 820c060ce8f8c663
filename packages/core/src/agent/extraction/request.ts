/** The request for one run of the extraction agent; the engine creates the agent. */
import type { GenerationSettings } from '../../model/content-generator.js';
import type { ExtractionHost } from './host.js';
import type { SessionShelf } from './read-session.js';

export interface ExtractionModel {
  model: string;
  /** Fallback models, in order. */
  standIns: readonly string[];
  settings: GenerationSettings;
}

export interface ExtractionRequest {
  host: ExtractionHost;
  shelf: SessionShelf;
  model: ExtractionModel;
  systemInstruction: string;
  /** The index of sessions. */
  prompt: string;
  /** Problems of the suggestions so far; the agent may correct them. */
  review(): Promise<string | undefined>;
}

/** @throws what ended it: the signal's reason, or the model's failure */
export type RunExtraction = (
  request: ExtractionRequest,
  signal: AbortSignal,
) => Promise<'completed' | 'max_turns' | 'timeout'>;
