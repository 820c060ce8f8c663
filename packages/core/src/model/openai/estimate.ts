/** Estimates the tokens of a request if the server cannot count them; rather too many than too few. */
import type { Part } from '../../protocol/messages.js';
import type { GenerateRequest } from '../content-generator.js';

const ASCII = 0.25;
/** Other scripts take more than a token per character. */
const OTHER = 1.5;
const IMAGE = 1000;
/** Role and separators of a message. */
const PER_MESSAGE = 4;

export function estimateTokens({ messages, systemInstruction = '', tools = [] }: GenerateRequest): number {
  let total = ofText(systemInstruction) + (tools.length > 0 ? ofText(JSON.stringify(tools)) : 0);
  for (const { parts } of messages) {
    total += PER_MESSAGE;
    for (const part of parts) if (!part.thought) total += ofPart(part);
  }
  return Math.ceil(total);
}

function ofPart(part: Part): number {
  if (part.text !== undefined) return ofText(part.text);
  if (part.inlineData || part.fileData) return IMAGE;
  const { parts = [], ...response } = part.functionResponse ?? { name: '', response: {} };
  const bare = part.functionResponse ? response : (part.functionCall ?? part);
  return ofText(JSON.stringify(bare)) + parts.reduce((sum, media) => sum + ofPart(media), 0);
}

function ofText(text: string): number {
  let other = 0;
  for (let index = 0; index < text.length; index++) if (text.charCodeAt(index) > 127) other++;
  return (text.length - other) * ASCII + other * OTHER;
}
