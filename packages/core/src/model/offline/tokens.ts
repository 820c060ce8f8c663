/** A guess at tokens, by the same rule as for other models: a quarter per ASCII character, 1.5 otherwise. */
import type { GenerateRequest } from '../content-generator.js';

export function estimateTokens(text: string): number {
  if (text.length > 100_000) return Math.ceil(text.length / 4);
  let ascii = 0;
  let other = 0;
  for (const char of text) {
    if (char.charCodeAt(0) < 128) ascii++;
    else other++;
  }
  return Math.ceil(ascii / 4 + other * 1.5);
}

export function estimateRequest(request: GenerateRequest): number {
  let total = estimateTokens(request.systemInstruction ?? '');
  if (request.tools?.length) total += estimateTokens(JSON.stringify(request.tools));
  for (const message of request.messages) {
    for (const part of message.parts) {
      if (part.inlineData) total += part.inlineData.mimeType === 'application/pdf' ? 25_800 : 3000;
      else total += estimateTokens(part.text ?? JSON.stringify(part));
    }
  }
  return total;
}
