/** What one run of the extraction agent needs; the engine makes the agent. */
import type { GenerationSettings } from '../../model/content-generator.js';
import type { ExtractionHost } from './host.js';
import type { SessionShelf } from './read-session.js';

export interface ExtractionModel {
  model: string;
  /** Asked one after the other when it cannot be had. */
  standIns: readonly string[];
  settings: GenerationSettings;
}

export interface ExtractionRequest {
  host: ExtractionHost;
  shelf: SessionShelf;
  model: ExtractionModel;
  systemInstruction: string;
  /** The index. */
  prompt: string;
  /** What is wrong with the suggestions so far; the agent may mend it. */
  review(): Promise<string | undefined>;
}

/** @throws what ended it: the signal's reason, or the model's failure */
export type RunExtraction = (
  request: ExtractionRequest,
  signal: AbortSignal,
) => Promise<'completed' | 'max_turns'>;
