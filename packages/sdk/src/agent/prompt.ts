/** What a prompt can be, and how it is sent. */
import type { Part } from '@gemini-cli/core/protocol';
import { GeminiCliError } from '../errors.js';

export type { Part };

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

/** @throws GeminiCliError for what is no prompt, or an empty one: a model would refuse it, and it would stay in the history */
export function partsOf(prompt: PromptInput): Part[] {
  const parts = typeof prompt === 'string' ? [{ text: prompt }] : Array.isArray(prompt) ? prompt : [prompt];
  if (!parts.every(isPart)) throw invalid('A prompt is a text, a part like { text }, or a list of parts.');
  if (parts.every(({ text, ...more }) => !text && Object.keys(more).length === 0))
    throw invalid('The prompt is empty.');
  return parts;
}

const PART_FIELDS = ['text', 'inlineData', 'fileData', 'functionCall', 'functionResponse'] as const;

function isPart(value: unknown): value is Part {
  if (typeof value !== 'object' || value === null) return false;
  const { text }: { text?: unknown } = value;
  return PART_FIELDS.some((field) => field in value) && (text === undefined || typeof text === 'string');
}

function invalid(message: string): GeminiCliError {
  return new GeminiCliError(message, { code: 'INVALID_PROMPT' });
}
