/**
 * Proofs of thinking (`thoughtSignature`) travel through the history, and only who gave one accepts it. Those of
 * the Google service one is signed in to are plain Base64; all others say whose they are: `owner:…`.
 */
import { type GenerateResponse, partsOf } from '../content-generator.js';

/** Marks what the service `owner` gave. The chunk is new and nobody else's yet. */
export function markSignatures(chunk: GenerateResponse, owner: string): void {
  for (const part of partsOf(chunk)) {
    if (part.thoughtSignature !== undefined) part.thoughtSignature = markOf(owner) + part.thoughtSignature;
  }
}

/** As the service gave it; undefined: somebody else did. */
export function ownSignature(marked: string, owner: string | undefined): string | undefined {
  if (owner === undefined) return marked.includes(':') ? undefined : marked;
  const mark = markOf(owner);
  return marked.startsWith(mark) ? marked.slice(mark.length) : undefined;
}

function markOf(owner: string): string {
  return `gemini@${owner}:`;
}
