/** Turns the answer to `prompts/get` into the parts that are submitted: all messages, their texts joined by blank lines. */
import { cleanBase64 } from '../../base/base64.js';
import { UserError } from '../../base/errors.js';
import { isObject, objectOf } from '../../base/objects.js';
import type { Part } from '../../protocol/messages.js';
import { resourceParts } from '../../tools/mcp-resources/resource-parts.js';
import { readContents } from './read-contents.js';

class EmptyPromptError extends UserError {
  override readonly name = 'EmptyPromptError';
}

const MAX_MESSAGES = 200;
const MAX_CHARS = 2_000_000;

/** @throws when nothing of it can be sent */
export function promptParts(result: unknown): Part[] {
  const messages = isObject(result) && Array.isArray(result['messages']) ? result['messages'] : [];
  const blocks = messages.slice(0, MAX_MESSAGES).flatMap((message) => {
    const content = isObject(message) ? message['content'] : undefined;
    return Array.isArray(content) ? content : [content];
  });
  const parts = joinTexts(blocks.flatMap(blockParts));
  if (parts.length === 0)
    throw new EmptyPromptError('The server answered with an empty prompt. Nothing was sent.');
  return parts;
}

function blockParts(block: unknown): Part[] {
  const { type, text, data, mimeType, resource } = objectOf(block);
  if (type === 'text') return typeof text === 'string' && text.trim() !== '' ? [{ text }] : [];
  if ((type === 'image' || type === 'audio') && typeof data === 'string' && typeof mimeType === 'string')
    return cleanBase64(data) === '' ? [] : [{ inlineData: { mimeType, data: cleanBase64(data) } }];
  if (type === 'resource') return resourceParts(readContents({ contents: [resource] }));
  return [];
}

function joinTexts(parts: readonly Part[]): Part[] {
  const joined: Part[] = [];
  let chars = 0;
  for (const part of parts) {
    chars += part.text?.length ?? 0;
    if (chars > MAX_CHARS)
      throw new EmptyPromptError('The prompt of the server is too long. Nothing was sent.');
    const last = joined.at(-1);
    if (last?.text !== undefined && part.text !== undefined)
      joined[joined.length - 1] = { text: `${last.text}\n\n${part.text}` };
    else joined.push(part);
  }
  return joined;
}
