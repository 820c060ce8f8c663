/** Renders a conversation as one text for the summarising model: data between tags, with turn ids. */
import { endsOf } from '../../base/cut-text.js';
import type { Message, Part } from '../../protocol/messages.js';
import { textOfResponse } from '../masking/tool-response-text.js';
import { escapeOwnTags } from '../tags.js';

export interface Turn {
  id: string;
  message: Message;
}

export function renderTranscript(turns: readonly Turn[]): string {
  const body = turns.map(({ id, message }) => renderTurn(id, message)).join('\n');
  return `<conversation_history>\n${body}\n</conversation_history>`;
}

/** Removes the middle of a transcript that is too long: the goals are at the start, the current state at the end. */
export function fitTranscript(transcript: string, share: number): string {
  if (share >= 1) return transcript;
  const length = Math.max(0, Math.floor(transcript.length * share));
  const headLength = Math.floor(length * 0.2);
  const { head, tail } = endsOf(transcript, headLength, length - headLength);
  return `${head}\n... [${transcript.length - length} characters in the middle left out for lack of room] ...\n${tail}`;
}

/** One turn as plain text, without thoughts. */
export function textOfTurn({ parts }: Message): string {
  return parts.flatMap(renderPart).join('\n');
}

function renderTurn(id: string, message: Message): string {
  return `<turn id="${id}" role="${message.role}" kind="${message.origin}">\n${escapeOwnTags(textOfTurn(message))}\n</turn>`;
}

function renderPart(part: Part): string[] {
  if (part.thought) return [];
  if (part.text !== undefined) return [part.text];
  if (part.functionCall) {
    return [`[call ${part.functionCall.name}] ${JSON.stringify(part.functionCall.args)}`];
  }
  if (part.functionResponse) {
    const { name, parts = [] } = part.functionResponse;
    return [`[result of ${name}] ${textOfResponse(part.functionResponse)}`, ...parts.flatMap(renderPart)];
  }
  if (part.inlineData) return [`[${part.inlineData.mimeType}]`];
  if (part.fileData) return [`[${part.fileData.mimeType}: ${part.fileData.fileUri}]`];
  if (part.executableCode) return [`[code] ${part.executableCode.code}`];
  if (part.codeExecutionResult) return [`[result of code] ${part.codeExecutionResult.output ?? ''}`];
  return [];
}
