/** Checks a message before a task sees it. */
import type { Message } from '@a2a-js/sdk';
import { TaskError } from '../task-error.js';
import { settingsOf } from '../tasks/new-task.js';

const MAX_ID_CHARS = 256;
const MAX_PARTS = 1_000;

/** @throws TaskError `invalid`, which names the field */
export function checkedMessage(message: Message | undefined): Message {
  if (!message) throw invalid('message is missing');
  requireId(message.messageId, 'message.messageId');
  if (message.messageId === '') throw invalid('message.messageId is missing');
  requireId(message.taskId, 'message.taskId');
  requireId(message.contextId, 'message.contextId');
  if (message.parts.length === 0) throw invalid('message.parts is empty');
  if (message.parts.length > MAX_PARTS) throw invalid(`message.parts has more than ${MAX_PARTS} parts`);
  message.parts.forEach((part, index) => {
    const { content } = part;
    const field = `message.parts[${index}]`;
    if (content === undefined) throw invalid(`${field} is neither text, file nor data`);
    if (content.$case === 'text' && typeof content.value !== 'string')
      throw invalid(`${field}.text is not a text`);
    if (content.$case === 'url' && typeof content.value !== 'string')
      throw invalid(`the address of the file ${field} is not a text`);
    // The library does not check them in version 0.3; the model's adapter would fail at every later request.
    const names: unknown[] = [part.mediaType, part.filename];
    if (names.some((name) => name !== undefined && name !== null && typeof name !== 'string'))
      throw invalid(`the name or type of the file ${field} is not a text`);
  });
  settingsOf(message);
  return message;
}

/** Reads a request with the library, which takes the types of its fields for granted. @throws TaskError */
export function readAs<T>(read: () => T): T {
  try {
    return read();
  } catch {
    throw new TaskError('invalid', 'The body does not have the right types.');
  }
}

export function invalid(problem: string): TaskError {
  return new TaskError('invalid', `The message is not valid: ${problem}.`);
}

function requireId(id: string, field: string): void {
  if (typeof id !== 'string') throw invalid(`${field} is not a text`);
  if (id.length > MAX_ID_CHARS) throw invalid(`${field} is longer than ${MAX_ID_CHARS} characters`);
  // Not every store can keep them.
  if (/[\p{Cc}\p{Cs}]/u.test(id)) throw invalid(`${field} has control characters`);
}
