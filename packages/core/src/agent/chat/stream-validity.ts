/** Whether a finished model stream is a valid answer, and if not, what is wrong with it. */
import { INVALID_STREAM, UserError } from '../../base/errors.js';
import type { ErrorRemedy } from '../../protocol/agent-events.js';
import type { Part } from '../../protocol/messages.js';

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

/** No tool needs more levels; thousands would overflow the stack of recursive code. */
const DEEPEST_ARGUMENTS = 200;

export function findStreamProblem(stream: StreamSummary): InvalidStreamType | undefined {
  const calls = stream.parts.flatMap(({ functionCall }) => functionCall ?? []);
  if (calls.some(({ args }) => isDeeperThan(DEEPEST_ARGUMENTS, args))) return 'MALFORMED_FUNCTION_CALL';
  if (calls.length > 0) return undefined;
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

/** The same prompt would be blocked again, so it is reported instead. */
export function isWorthRetrying(problem: InvalidStreamType): boolean {
  return problem !== 'SAFETY_BLOCKED' && problem !== 'RECITATION_BLOCKED';
}

/** Added to the next try when the answer had nothing to show. */
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

export class InvalidStreamError extends UserError {
  override readonly name = 'InvalidStreamError';
  override readonly reportedType = INVALID_STREAM;
  constructor(
    readonly problem: InvalidStreamType,
    model: string,
    finishReason?: string,
  ) {
    super(`${model}: ${EXPLANATIONS[problem]}${finishReason ? ` (finish reason ${finishReason})` : ''}.`);
  }
}

/** The provider refused the prompt itself. */
export class PromptBlockedError extends UserError {
  override readonly name = 'PromptBlockedError';
  override readonly reportedType = INVALID_STREAM;
  constructor(reason: string, model: string) {
    super(`${model}: the prompt was blocked by the provider (${reason}). Rephrase it and try again.`);
  }
}

/** When no further try follows. */
export function remedyFor(problem: InvalidStreamType): ErrorRemedy {
  return { kind: isWorthRetrying(problem) ? 'again' : 'rephrase' };
}

function hasVisibleContent(parts: readonly Part[]): boolean {
  let text = '';
  for (const part of parts) {
    if (part.text !== undefined) text += part.text;
    else if (part.inlineData ?? part.fileData ?? part.executableCode ?? part.codeExecutionResult) return true;
  }
  return /[^\s\u200b-\u200d\u2060\ufeff]/.test(withoutComments(text));
}

/** By hand: a regular expression would scan to the end again for each of a million unclosed comments. */
function withoutComments(text: string): string {
  const kept: string[] = [];
  let from = 0;
  for (;;) {
    const start = text.indexOf('<!--', from);
    const end = start < 0 ? -1 : text.indexOf('-->', start + 4);
    if (end < 0) return kept.join('') + text.slice(from);
    kept.push(text.slice(from, start));
    from = end + 3;
  }
}

function isDeeperThan(levels: number, value: unknown): boolean {
  if (typeof value !== 'object' || value === null) return false;
  return levels === 0 || Object.values(value).some((item) => isDeeperThan(levels - 1, item));
}
