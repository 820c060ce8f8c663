/** Decides which recorded messages are counted, shown, and sent to the model again. */
import { textOf, toParts } from '../../protocol/messages.js';
import type { MessageRecord } from '../../protocol/session-record.js';

/** Never sent again: commands, `?`, and context that each start adds anew. */
const NOT_SENT_AGAIN = ['/', '?', '<session_context>', '<hook_context>'];
/** Never shown nor counted. */
const HIDDEN = ['<session_context>', '<hook_context>'];

export function textOfRecord({ content }: Pick<MessageRecord, 'content'>): string {
  return typeof content === 'string' ? content : textOf(toParts(content));
}

/** What the user typed. */
export function shownTextOf({ content, displayContent }: MessageRecord): string {
  return textOfRecord({ content: displayContent ?? content });
}

export function isSentAgain(record: MessageRecord): boolean {
  if (record.notSent) return false;
  if (record.type === 'gemini') return true;
  if (record.type !== 'user' || record.origin === 'context') return false;
  const text = textOfRecord(record).trimStart();
  return !NOT_SENT_AGAIN.some((start) => text.startsWith(start));
}

/** Written by the engine in the user's role, or context by its text. */
export function isHidden({ origin }: Pick<MessageRecord, 'origin'>, text: string): boolean {
  if (origin !== undefined && origin !== 'prompt' && origin !== 'model') return true;
  return HIDDEN.some((start) => text.trimStart().startsWith(start));
}

/** A prompt of the user, commands included. */
export function isUserMessage(record: MessageRecord): boolean {
  return record.type === 'user' && !isHidden(record, textOfRecord(record));
}

/** Context messages, which each start adds anew, do not count. */
export function isCounted({ type, isUser }: { type: string; isUser: boolean }): boolean {
  return type !== 'user' || isUser;
}

/** A real prompt, answer or tool call: without one a session is empty. */
export function isSubstance(record: MessageRecord): boolean {
  if (record.type === 'gemini') return (record.toolCalls?.length ?? 0) > 0 || textOfRecord(record) !== '';
  return isUserMessage(record) && isRealPrompt(textOfRecord(record), record.content);
}

function isRealPrompt(text: string, content: MessageRecord['content']): boolean {
  const trimmed = text.trimStart();
  if (trimmed.startsWith('/') || trimmed.startsWith('?')) return false;
  return trimmed !== '' || (typeof content !== 'string' && toParts(content).some((part) => !part.text));
}
