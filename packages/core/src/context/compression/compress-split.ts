/** Where the conversation is cut in two: the older part is summarised, the newer stays word for word. */
import type { Message } from '../../protocol/messages.js';

const KEPT_SHARE = 0.3;

/** Index of the first message that stays; 0: there is no place to cut. */
export function findSplit(messages: readonly Message[]): number {
  const lengths = messages.map((message) => JSON.stringify(message.parts).length);
  const total = lengths.reduce((sum, length) => sum + length, 0);
  const limit = total * (1 - KEPT_SHARE);
  const atPrompt = lastPlace(messages, lengths, limit, isUserTurn);
  if (atPrompt.isFarEnough) return atPrompt.index;
  const last = messages.at(-1);
  if (last?.role === 'model' && !hasCalls(last)) return messages.length;
  // One prompt, hundreds of tool calls: cut between two steps of the work. The prompt itself is repeated afterwards.
  const betweenSteps = lastPlace(messages, lengths, limit, isNextStep);
  return betweenSteps.isFarEnough ? betweenSteps.index : Math.max(atPrompt.index, betweenSteps.index);
}

/** Whether the conversation can go on from here without what lies before. */
export function isCutPlace(messages: readonly Message[], index: number): boolean {
  return index === messages.length || isUserTurn(messages, index) || isNextStep(messages, index);
}

type PlaceTest = (messages: readonly Message[], index: number) => boolean;

/** The first place after the limit, else the last one before it. */
function lastPlace(
  messages: readonly Message[],
  lengths: readonly number[],
  limit: number,
  isPlace: PlaceTest,
): { index: number; isFarEnough: boolean } {
  let before = 0;
  let found = 0;
  for (let index = 0; index < messages.length; index++) {
    if (isPlace(messages, index)) {
      found = index;
      if (before >= limit) return { index, isFarEnough: true };
    }
    before += lengths[index] ?? 0;
  }
  return { index: found, isFarEnough: false };
}

function isUserTurn(messages: readonly Message[], index: number): boolean {
  const message = messages[index] as Message;
  const isSpoken = message.origin === 'prompt' || message.origin === 'correction';
  return message.role === 'user' && isSpoken && !hasResponses(message);
}

function isNextStep(messages: readonly Message[], index: number): boolean {
  const previous = messages[index - 1];
  return messages[index]?.role === 'model' && previous !== undefined && hasResponses(previous);
}

function hasCalls({ parts }: Message): boolean {
  return parts.some(({ functionCall }) => functionCall !== undefined);
}

function hasResponses({ role, parts }: Message): boolean {
  return role === 'user' && parts.some(({ functionResponse }) => functionResponse !== undefined);
}
