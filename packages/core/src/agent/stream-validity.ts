/** Whether a finished model stream is an answer, and if not, what is wrong with it (models.md §7). */
import type { Part } from '../protocol/messages.js';

export type InvalidStreamType =
  | 'NO_FINISH_REASON'
  | 'MALFORMED_FUNCTION_CALL'
  | 'UNEXPECTED_TOOL_CALL'
  | 'MAX_TOKENS_EXCEEDED'
  | 'SAFETY_BLOCKED'
  | 'RECITATION_BLOCKED'
  | 'OTHER_BLOCKED'
  | 'THINKING_ONLY_RESPONSE'
  | 'NO_RESPONSE_TEXT';

export interface StreamSummary {
  parts: readonly Part[];
  finishReason?: string;
  sawThought: boolean;
  afterToolResponse: boolean;
}

export function findStreamProblem(stream: StreamSummary): InvalidStreamType | undefined {
  if (stream.parts.some((part) => part.functionCall)) return undefined;
  const { finishReason } = stream;
  if (!finishReason) return 'NO_FINISH_REASON';
  if (finishReason === 'MALFORMED_FUNCTION_CALL' || finishReason === 'UNEXPECTED_TOOL_CALL')
    return finishReason;
  if (hasVisibleContent(stream.parts)) return undefined;
  switch (finishReason) {
    case 'MAX_TOKENS':
      return 'MAX_TOKENS_EXCEEDED';
    case 'SAFETY':
    case 'PROHIBITED_CONTENT':
    case 'BLOCKLIST':
    case 'SPII':
    case 'IMAGE_SAFETY':
      return 'SAFETY_BLOCKED';
    case 'RECITATION':
      return 'RECITATION_BLOCKED';
    case 'STOP':
      if (stream.afterToolResponse) return undefined;
      return stream.sawThought ? 'THINKING_ONLY_RESPONSE' : 'NO_RESPONSE_TEXT';
    default:
      return 'OTHER_BLOCKED';
  }
}

/** Blocked answers stay blocked: they are reported, not asked for again. */
export function isWorthRetrying(problem: InvalidStreamType): boolean {
  return problem !== 'SAFETY_BLOCKED' && problem !== 'RECITATION_BLOCKED';
}

/** Asked for in the repeated request when the model gave nothing to show. */
export function correctionFor(problem: InvalidStreamType): string | undefined {
  if (problem !== 'THINKING_ONLY_RESPONSE' && problem !== 'NO_RESPONSE_TEXT') return undefined;
  return 'System: your last reply had no visible text and no tool call. Answer the request or call a tool.';
}

const EXPLANATIONS: Record<InvalidStreamType, string> = {
  NO_FINISH_REASON: 'the answer broke off without an end',
  MALFORMED_FUNCTION_CALL: 'the model wrote a tool call that cannot be read',
  UNEXPECTED_TOOL_CALL: 'the model called a tool it was not offered',
  MAX_TOKENS_EXCEEDED: 'the model used up its output limit before it answered',
  SAFETY_BLOCKED: "the answer was blocked by the provider's safety filter",
  RECITATION_BLOCKED: 'the answer was blocked because it repeated protected text',
  OTHER_BLOCKED: 'the provider ended the answer without a text',
  THINKING_ONLY_RESPONSE: 'the model thought, but did not answer',
  NO_RESPONSE_TEXT: 'the model returned an empty answer',
};

export class InvalidStreamError extends Error {
  constructor(
    readonly problem: InvalidStreamType,
    model: string,
    finishReason?: string,
  ) {
    super(`${model}: ${EXPLANATIONS[problem]}${finishReason ? ` (finish reason ${finishReason})` : ''}.`);
    this.name = 'InvalidStreamError';
  }
}

/** Once nobody asks again. */
export function adviceFor(problem: InvalidStreamType): string {
  return isWorthRetrying(problem)
    ? 'Try again, or choose another model with --model.'
    : 'Rephrase the prompt, or choose another model with --model.';
}

function hasVisibleContent(parts: readonly Part[]): boolean {
  let text = '';
  for (const part of parts) {
    if (part.text !== undefined) text += part.text;
    else if (!part.thought) return true;
  }
  return text.replace(/<!--[\s\S]*?-->/g, '').replace(/[\s\u200b-\u200d\u2060\ufeff]/g, '') !== '';
}
