/** Recognises conversations far from any limit without an estimate, since most are and estimating takes time. */
import type { Message, Part } from '../../protocol/messages.js';

/** No text has more tokens than this many per UTF-16 unit. */
const MAX_TOKENS_PER_UNIT = 1.5;

const known = new WeakMap<Message, number>();

/** True when messages and overhead together certainly have fewer tokens than `limit`. */
export function isCertainlyShorter(
  limit: number,
  overheadTokens: number,
  history: readonly Message[],
  message: Message,
): boolean {
  const most = (limit - overheadTokens) / MAX_TOKENS_PER_UNIT;
  let units = unitsOf(message);
  for (let index = 0; index < history.length && units < most; index++) {
    units += unitsOf(history[index] as Message); // the index is in range
  }
  return units < most;
}

/** Infinite for anything but text. */
function unitsOf(message: Message): number {
  const before = known.get(message);
  if (before !== undefined) return before;
  let units = 16;
  for (const part of message.parts) units += unitsOfPart(part);
  known.set(message, units);
  return units;
}

function unitsOfPart(part: Part): number {
  if (part.text !== undefined) return part.text.length;
  if (part.functionCall) return JSON.stringify(part.functionCall).length;
  const { functionResponse } = part;
  if (!functionResponse || functionResponse.parts?.length) return Number.POSITIVE_INFINITY;
  return JSON.stringify(functionResponse.response).length + functionResponse.name.length;
}
