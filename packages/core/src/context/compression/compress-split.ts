/** Finds where to cut the conversation: the older part is summarised, the newer stays unchanged. */
import type { Message } from '../../protocol/messages.js';

const KEPT_SHARE = 0.3;

/** Index of the first message that stays; 0: the conversation cannot be cut. */
export function findSplit(messages: readonly Message[]): number {
  const lengths = messages.map((message) => JSON.stringify(message.parts).length);
  const total = lengths.reduce((sum, length) => sum + length, 0);
  const limit = total * (1 - KEPT_SHARE);
  const atPrompt = lastCut(messages, lengths, limit, isUserTurn);
  if (atPrompt.isFarEnough) return atPrompt.index;
  const last = messages.at(-1);
  if (last?.role === 'model' && !hasCalls(last)) return messages.length;
  // One prompt with hundreds of tool calls: cut between two steps. The prompt itself is repeated afterwards.
  const betweenSteps = lastCut(messages, lengths, limit, isNextStep);
  return betweenSteps.isFarEnough ? betweenSteps.index : Math.max(atPrompt.index, betweenSteps.index);
}

/** Whether the conversation is still valid without the messages before this index. */
export function isCutPoint(messages: readonly Message[], index: number): boolean {
  return index === messages.length || isUserTurn(messages, index) || isNextStep(messages, index);
}

type CutTest = (messages: readonly Message[], index: number) => boolean;

/** The first cut point after the limit, otherwise the last before it. */
function lastCut(
  messages: readonly Message[],
  lengths: readonly number[],
  limit: number,
  isCut: CutTest,
): { index: number; isFarEnough: boolean } {
  let before = 0;
  let found = 0;
  for (let index = 0; index < messages.length; index++) {
    if (isCut(messages, index)) {
      found = index;
      if (before >= limit) return { index, isFarEnough: true };
    }
    before += lengths[index] ?? 0;
  }
  return { index: found, isFarEnough: false };
}

function isUserTurn(messages: readonly Message[], index: number): boolean {
  const message = messages[index] as Message;
  const isFromUser = message.origin === 'prompt' || message.origin === 'correction';
  return message.role === 'user' && isFromUser && !hasResponses(message);
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
