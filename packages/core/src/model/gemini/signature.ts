/**
 * Thought signatures (`thoughtSignature`) stay in the history, and only the service that gave one accepts it. Those
 * of the signed-in Google service are plain Base64; all others name their owner: `owner:…`.
 */
import { type GenerateResponse, partsOf } from '../content-generator.js';

/** Marks signatures of the service `owner`, in place: the chunk is not shared yet. */
export function markSignatures(chunk: GenerateResponse, owner: string): void {
  for (const part of partsOf(chunk)) {
    if (part.thoughtSignature !== undefined) part.thoughtSignature = markOf(owner) + part.thoughtSignature;
  }
}

/** The signature as the service gave it; undefined: another service gave it. */
export function ownSignature(marked: string, owner: string | undefined): string | undefined {
  if (owner === undefined) return marked.includes(':') ? undefined : marked;
  const mark = markOf(owner);
  return marked.startsWith(mark) ? marked.slice(mark.length) : undefined;
}

function markOf(owner: string): string {
  return `gemini@${owner}:`;
}
