/** Histories in the format of the API, as files hold them, and the same as messages of the engine. */
import { isObject } from '../../base/objects.js';
import type { Content, Message, Part } from '../../protocol/messages.js';
import { messageFrom } from '../reading/record-lines.js';

/** Undefined when it is no history; entries that are none are left out. */
export function contentsFrom(value: unknown): Content[] | undefined {
  if (!Array.isArray(value)) return undefined;
  return value.flatMap((item: unknown): Content[] => {
    if (!isObject(item) || !Array.isArray(item['parts'])) return [];
    const role = item['role'] === 'model' ? 'model' : item['role'] === 'user' ? 'user' : undefined;
    const parts = partsOf(item['parts']);
    return role && parts.length > 0 ? [{ role, parts }] : [];
  });
}

/** For the engine: without the surroundings, which every session tells itself. */
export function messagesFrom(contents: readonly Content[]): Message[] {
  return contents.flatMap(({ role, parts }): Message[] => {
    if (role === 'model') return [{ role, origin: 'model', parts }];
    if (parts.some(({ functionResponse }) => functionResponse))
      return [{ role, origin: 'tool_response', parts }];
    const own = parts.flatMap(withoutSurroundings);
    return own.length > 0 ? [{ role, origin: 'prompt', parts: own }] : [];
  });
}

const SURROUNDINGS = /^\s*<session_context>[\s\S]*?(?:<\/session_context>\s*|$)/;

/** They may be one message with the first prompt. */
function withoutSurroundings(part: Part): Part[] {
  if (part.text === undefined || !SURROUNDINGS.test(part.text)) return [part];
  const text = part.text.replace(SURROUNDINGS, '');
  return text === '' ? [] : [{ ...part, text }];
}

/** Without what the engine tells of its surroundings. */
export function toContents(history: readonly Message[]): Content[] {
  return history.filter(({ origin }) => origin !== 'context').map(({ role, parts }) => ({ role, parts }));
}

/** The same rules as for recorded messages. */
function partsOf(list: readonly unknown[]): Part[] {
  const record = messageFrom({ type: 'user', id: '-', content: list }, '-', '');
  return Array.isArray(record?.content) ? record.content : [];
}
