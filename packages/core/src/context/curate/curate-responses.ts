/** Makes sure that every call is followed by exactly one response. */
import type { FunctionCall, Message, Part } from '../../protocol/messages.js';

const LOST = 'The result of this call was lost; whether it ran is not known. Check before you repeat it.';

/** Repaired messages by their original, so that they stay the same objects. */
const repaired = new WeakMap<Message, Message>();
const placeholders = new WeakMap<FunctionCall, Part>();
const placeholderMessages = new WeakMap<Message, Message>();

/**
 * @param answers the messages with responses that follow the calls
 * @param isOver more messages follow, so missing responses will not come any more
 */
export function answerCalls(
  run: readonly Message[],
  answers: readonly Message[],
  isOver: boolean,
): readonly Message[] {
  if (areInOrder(run, answers)) return answers;
  const open = new OpenCalls(run);
  const kept = answers.flatMap((message) => {
    const parts = message.parts.filter((part) => {
      const { functionResponse } = part;
      return functionResponse ? open.close(functionResponse.id, functionResponse.name) : !part.functionCall;
    });
    return parts.length === 0 ? [] : [sameOrRepaired(message, parts)];
  });
  const lost = isOver || answers.length > 0 ? open.left().map(placeholderResponse) : [];
  if (lost.length === 0) return kept;
  const [first, ...rest] = kept;
  if (first) return [sameOrRepaired(first, [...first.parts, ...lost]), ...rest];
  return [placeholderMessage(run.at(-1) as Message, lost)];
}

/** The common case: one answer, followed by one message with a response for every call, by id and in order. */
function areInOrder(run: readonly Message[], answers: readonly Message[]): boolean {
  const calls = run[0]?.parts;
  const responses = answers[0]?.parts;
  if (!calls || !responses || run.length > 1 || answers.length > 1) return false;
  let count = 0;
  for (const { functionCall } of calls) {
    if (!functionCall) continue;
    const response = responses[count++]?.functionResponse;
    if (functionCall.id === undefined || response?.id !== functionCall.id) return false;
  }
  return count === responses.length;
}

class OpenCalls {
  private readonly calls: FunctionCall[];

  constructor(run: readonly Message[]) {
    this.calls = run.flatMap(({ parts }) =>
      parts.flatMap(({ functionCall }) => (functionCall ? [functionCall] : [])),
    );
  }

  /** False when no such call is open: it was answered before, or never made. */
  close(id: string | undefined, name: string): boolean {
    const index = this.calls.findIndex((call) =>
      id === undefined || call.id === undefined ? call.name === name : call.id === id,
    );
    if (index < 0) return false;
    this.calls.splice(index, 1);
    return true;
  }

  left(): readonly FunctionCall[] {
    return this.calls;
  }
}

function placeholderResponse(call: FunctionCall): Part {
  let part = placeholders.get(call);
  if (!part) {
    part = { functionResponse: { id: call.id, name: call.name, response: { error: LOST } } };
    placeholders.set(call, part);
  }
  return part;
}

function placeholderMessage(after: Message, parts: Part[]): Message {
  const known = placeholderMessages.get(after);
  if (known && isSame(known.parts, parts)) return known;
  const message: Message = { role: 'user', origin: 'tool_response', parts };
  placeholderMessages.set(after, message);
  return message;
}

function sameOrRepaired(message: Message, parts: Part[]): Message {
  if (isSame(message.parts, parts)) return message;
  const known = repaired.get(message);
  if (known && isSame(known.parts, parts)) return known;
  const result = { ...message, parts };
  repaired.set(message, result);
  return result;
}

function isSame(left: readonly Part[], right: readonly Part[]): boolean {
  return left.length === right.length && left.every((part, index) => part === right[index]);
}
