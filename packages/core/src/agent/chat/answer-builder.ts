/** Collects the chunks of one streamed answer into a message for the history. */
import type { GenerateResponse } from '../../model/content-generator.js';
import { partsOf } from '../../model/content-generator.js';
import { toUsage } from '../../model/usage.js';
import type { Message, Part, TokenUsage } from '../../protocol/messages.js';

export class AnswerBuilder {
  readonly parts: Part[] = [];
  finishReason: string | undefined;
  usage: TokenUsage | undefined;
  modelVersion: string | undefined;
  blockReason: string | undefined;
  sawThought = false;
  receivedAny = false;
  /** Pieces of the text part that is growing; joined once, so that 50 MB of small chunks stay linear. */
  private pendingText: string[] = [];

  add(chunk: GenerateResponse): void {
    this.receivedAny = true;
    const candidate = chunk.candidates?.[0];
    if (candidate?.finishReason) this.finishReason = candidate.finishReason;
    if (chunk.modelVersion) this.modelVersion = chunk.modelVersion;
    if (chunk.usageMetadata) this.usage = toUsage(chunk.usageMetadata);
    if (!chunk.candidates?.length && chunk.promptFeedback?.blockReason) {
      this.blockReason = chunk.promptFeedback.blockReason;
    }
    for (const part of partsOf(chunk)) this.addPart(part);
  }

  /** Ends the growing text part; call before reading `parts`. */
  finish(): Message {
    this.flushText();
    return { role: 'model', origin: 'model', parts: this.parts };
  }

  private addPart(part: Part): void {
    if (part.thought) {
      this.sawThought = true;
      return;
    }
    if (part.text !== undefined && !part.thoughtSignature) {
      if (part.text) this.pendingText.push(part.text);
      return;
    }
    this.flushText();
    this.parts.push(part);
  }

  private flushText(): void {
    if (this.pendingText.length === 0) return;
    this.parts.push({ text: this.pendingText.join('') });
    this.pendingText = [];
  }
}
