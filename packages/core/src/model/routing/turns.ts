/** The part of a conversation that a classifier sees: short plain text that every model can read. */
import { type Message, type Part, textOf } from '../../protocol/messages.js';

const RECENT = 20;
const LONGEST_TURN_CHARS = 4_000;

/** The last `count` turns without tools, out of the last 20. */
export function plainTurns(history: readonly Message[], count: number): Message[] {
  return history
    .slice(-RECENT)
    .filter((message) => !isToolTurn(message))
    .flatMap(asText)
    .slice(-count);
}

/** The last `count` turns without leading tool turns, whose cause is cut off. */
export function lastTurns(history: readonly Message[], count: number): Message[] {
  const turns = history.slice(-count);
  const start = turns.findIndex((message) => !isToolTurn(message));
  return start < 0 ? [] : turns.slice(start).flatMap(asText);
}

export function promptTurn(parts: readonly Part[]): Message {
  const text = shorten(textOf(parts)) || '(no text; attached files only)';
  return { role: 'user', origin: 'prompt', parts: [{ text }] };
}

/** The request carries tool results instead of a user's message. */
export function isToolResponse(parts: readonly Part[]): boolean {
  return parts.some((part) => part.functionResponse);
}

/** One text with the roles named. */
export function flatten(turns: readonly Message[]): string {
  return turns
    .map(({ role, parts }) => `${role === 'user' ? 'User' : 'Assistant'}: ${textOf(parts)}`)
    .join('\n\n');
}

function isToolTurn({ parts }: Message): boolean {
  return parts.some((part) => part.functionCall || part.functionResponse);
}

function asText(message: Message): Message[] {
  const lines = [
    shorten(textOf(message.parts)),
    ...message.parts.flatMap(({ functionCall, functionResponse }) => [
      ...(functionCall ? [`[calls the tool ${functionCall.name}]`] : []),
      ...(functionResponse ? [`[result of the tool ${functionResponse.name}]`] : []),
    ]),
  ].filter((line) => line !== '');
  return lines.length > 0 ? [{ ...message, parts: [{ text: lines.join('\n') }] }] : [];
}

function shorten(text: string): string {
  const trimmed = text.trim();
  if (trimmed.length <= LONGEST_TURN_CHARS) return trimmed;
  const half = LONGEST_TURN_CHARS / 2;
  return `${trimmed.slice(0, half)}\n[…]\n${trimmed.slice(-half)}`;
}
