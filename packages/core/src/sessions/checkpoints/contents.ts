/** Converts between the API's history format, which files hold, and the engine's messages. */
import { isObject } from '../../base/objects.js';
import type { Content, Message, Part } from '../../protocol/messages.js';
import { messageFrom } from '../reading/record-lines.js';

/** Undefined when the value is not a list; invalid entries are dropped. */
export function contentsFrom(value: unknown): Content[] | undefined {
  if (!Array.isArray(value)) return undefined;
  return value.flatMap((item: unknown): Content[] => {
    if (!isObject(item) || !Array.isArray(item['parts'])) return [];
    const role = item['role'] === 'model' ? 'model' : item['role'] === 'user' ? 'user' : undefined;
    const parts = partsOf(item['parts']);
    return role && parts.length > 0 ? [{ role, parts }] : [];
  });
}

/** For the engine: without the session context, which every session adds itself. */
export function messagesFrom(contents: readonly Content[]): Message[] {
  return contents.flatMap(({ role, parts }): Message[] => {
    if (role === 'model') return [{ role, origin: 'model', parts }];
    if (parts.some(({ functionResponse }) => functionResponse))
      return [{ role, origin: 'tool_response', parts }];
    const own = parts.flatMap(withoutSessionContext);
    return own.length > 0 ? [{ role, origin: 'prompt', parts: own }] : [];
  });
}

const SESSION_CONTEXT = /^\s*<session_context>[\s\S]*?(?:<\/session_context>\s*|$)/;

/** The session context may be in one message with the first prompt. */
function withoutSessionContext(part: Part): Part[] {
  if (part.text === undefined || !SESSION_CONTEXT.test(part.text)) return [part];
  const text = part.text.replace(SESSION_CONTEXT, '');
  return text === '' ? [] : [{ ...part, text }];
}

/** Without the messages that hold the session context. */
export function toContents(history: readonly Message[]): Content[] {
  return history.filter(({ origin }) => origin !== 'context').map(({ role, parts }) => ({ role, parts }));
}

/** Checks parts by the same rules as recorded messages. */
function partsOf(list: readonly unknown[]): Part[] {
  const record = messageFrom({ type: 'user', id: '-', content: list }, '-', '');
  return Array.isArray(record?.content) ? record.content : [];
}
