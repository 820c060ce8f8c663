/** Estimates the tokens of messages, corrected by the server's counts. */
import type { Message, Part } from '../../protocol/messages.js';
import { estimateTextTokens } from './text-tokens.js';

const IMAGE_TOKENS = 3_000;
const PDF_TOKENS = 25_800;
/** Base64 characters per token, for unknown media. */
const CHARACTERS_PER_TOKEN = 4;
const MAX_DEPTH = 3;

const MIN_RATIO = 0.5;
const MAX_RATIO = 2;
/** How far one answer moves the ratio. */
const LEARNING_RATE = 0.5;
/** The count of a smaller request depends more on fixed costs than on text. */
const MIN_TOKENS_TO_LEARN = 200;

/** Tokens of one part before correction. Thoughts are never sent back, so they count as nothing. */
export function estimatePart(part: Part): number {
  if (part.thought) return 0;
  if (part.text !== undefined) return estimateTextTokens(part.text);
  if (part.functionCall) {
    return estimateTextTokens(part.functionCall.name) + estimateValue(part.functionCall.args, 0);
  }
  if (part.functionResponse) {
    const { name, response, parts = [] } = part.functionResponse;
    const media = parts.reduce((sum, item) => sum + estimatePart(item), 0);
    return estimateTextTokens(name) + estimateValue(response, 0) + media;
  }
  const media = part.inlineData ?? part.fileData;
  if (media) return mediaTokens(media.mimeType, part.inlineData?.data.length ?? 0);
  return estimateValue(part, 0);
}

function mediaTokens(mimeType: string, length: number): number {
  if (mimeType.startsWith('image/')) return IMAGE_TOKENS;
  if (mimeType === 'application/pdf') return PDF_TOKENS;
  return Math.max(IMAGE_TOKENS, length / CHARACTERS_PER_TOKEN);
}

/** Estimates JSON without writing it: keys, values, and one token for the punctuation between them. */
function estimateValue(value: unknown, depth: number): number {
  if (typeof value === 'string') return estimateTextTokens(value);
  if (typeof value !== 'object' || value === null) return value === undefined ? 0 : 1;
  if (depth >= MAX_DEPTH) return lengthAsJson(value) / CHARACTERS_PER_TOKEN;
  let tokens = 1;
  for (const [key, item] of Object.entries(value)) {
    tokens += 1 + (Array.isArray(value) ? 0 : estimateTextTokens(key)) + estimateValue(item, depth + 1);
  }
  return tokens;
}

function lengthAsJson(value: object): number {
  try {
    return JSON.stringify(value).length;
  } catch {
    // A cycle cannot be sent either; the request reports the error.
    return 0;
  }
}

export function hasMedia(message: Message): boolean {
  return message.parts.some(
    ({ inlineData, fileData, functionResponse }) =>
      inlineData ?? fileData ?? (functionResponse?.parts?.length ? functionResponse : undefined),
  );
}

/** Caches the estimate of each message and applies the ratio to the server's counts. */
export class TokenEstimator {
  private readonly known = new WeakMap<Message, number>();
  private readonly knownParts = new WeakMap<Part, number>();
  private ratio = 1;

  message(message: Message): number {
    return this.rawMessage(message) * this.ratio;
  }

  messages(messages: readonly Message[]): number {
    let tokens = 0;
    for (const message of messages) tokens += this.rawMessage(message);
    return tokens * this.ratio;
  }

  part(part: Part): number {
    return this.rawPart(part) * this.ratio;
  }

  text(text: string): number {
    return estimateTextTokens(text) * this.ratio;
  }

  /** Before correction, so that sums stay valid when the ratio changes. */
  rawMessage(message: Message): number {
    const known = this.known.get(message);
    if (known !== undefined) return known;
    let tokens = 0;
    for (const part of message.parts) tokens += estimatePart(part);
    this.known.set(message, tokens);
    return tokens;
  }

  rawPart(part: Part): number {
    const known = this.knownParts.get(part);
    if (known !== undefined) return known;
    const tokens = estimatePart(part);
    this.knownParts.set(part, tokens);
    return tokens;
  }

  get correction(): number {
    return this.ratio;
  }

  /** @param estimated the corrected estimate; @param actual the server's count */
  learn(estimated: number, actual: number): void {
    if (!(estimated >= MIN_TOKENS_TO_LEARN) || !(actual > 0) || !Number.isFinite(actual)) return;
    const target = Math.min(MAX_RATIO, Math.max(MIN_RATIO, (this.ratio * actual) / estimated));
    this.ratio += (target - this.ratio) * LEARNING_RATE;
  }
}
