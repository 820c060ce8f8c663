/** A part of the conversation as plain text, for models that judge it. */
import { endsOf } from '../base/cut-text.js';
import type { Message, Part } from '../protocol/messages.js';

/** Length of one part; beginning and end are kept. */
const PART_LENGTH = 2_000;

export function transcribe(messages: readonly Message[]): string {
  return messages.map(({ role, parts }) => parts.map((part) => lineOf(role, part)).join('')).join('');
}

export function shorten(text: string, length: number): string {
  if (text.length <= length) return text;
  const half = Math.floor(length / 2);
  const { head, tail } = endsOf(text, half, half);
  return `${head} […] ${tail}`;
}

function lineOf(role: Message['role'], part: Part): string {
  const { text, thought, functionCall, functionResponse, inlineData, fileData } = part;
  const who = role === 'model' ? 'AGENT' : 'USER';
  if (thought) return '';
  if (functionCall) return entry(`${who} CALLS ${functionCall.name}`, JSON.stringify(functionCall.args));
  if (functionResponse) {
    return entry(`RESULT OF ${functionResponse.name}`, JSON.stringify(functionResponse.response));
  }
  if (inlineData || fileData) return entry(who, `(${(inlineData ?? fileData)?.mimeType} attached)`);
  return text?.trim() ? entry(`${who} SAYS`, text.trim()) : '';
}

function entry(head: string, text: string): string {
  return `[${head}]\n${shorten(text, PART_LENGTH)}\n\n`;
}
