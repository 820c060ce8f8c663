/** Tracks the parent of each span: one trace per user prompt. */
import { randomHex } from '../../platform/random.js';
import type { SpanContext } from '../record.js';

export class Traces {
  private readonly prompts = new Map<string, SpanContext>();
  private readonly tools = new Map<string, string>();
  private systemPrompt: string | undefined;

  /** Starts the span of a user prompt; model calls with the same prompt id find it by `of`. */
  open(promptId: string, parent?: SpanContext): SpanContext {
    const context = newSpan(parent);
    this.prompts.set(promptId, context);
    return context;
  }

  of(promptId: string): SpanContext | undefined {
    return this.prompts.get(promptId);
  }

  close(promptId: string): void {
    this.prompts.delete(promptId);
  }

  /** True when the text differs from that of the last call. */
  isNewSystemPrompt(text: string): boolean {
    const isNew = text !== this.systemPrompt;
    this.systemPrompt = text;
    return isNew;
  }

  /** Remembers the tool declarations, which describe later tool calls. */
  learnTools(tools: readonly { name: string; description: string }[]): void {
    for (const { name, description } of tools) this.tools.set(name, description);
  }

  descriptionOf(tool: string): string | undefined {
    return this.tools.get(tool);
  }
}

export function newSpan(parent?: SpanContext): SpanContext {
  return { traceId: parent?.traceId ?? randomHex(16), spanId: randomHex(8) };
}
