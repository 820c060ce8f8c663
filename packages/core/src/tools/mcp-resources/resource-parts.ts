/** Turns the contents of a resource into parts for the model. They come from a server, so text is untrusted. */
import { cleanBase64 } from '../../base/base64.js';
import { wrapUntrusted } from '../../base/untrusted-context.js';
import type { Part } from '../../protocol/messages.js';
import type { McpResourceContent } from './host.js';

/** Of base64; larger data is named, not sent. */
const MAX_BLOB_CHARS = Math.ceil((20 * 1024 * 1024 * 4) / 3);
const READABLE = /^(?:image\/(?:png|jpeg|webp|gif|heic|heif|bmp)|application\/pdf)$/i;

/** @param binaryText what stands for data that models cannot read */
export function resourceParts(
  contents: readonly McpResourceContent[],
  binaryText: (mimeType: string, bytes: number) => string = (mimeType) => `[Binary Data (${mimeType})]`,
): Part[] {
  const texts: string[] = [];
  const data: Part[] = [];
  for (const { text, blob, mimeType = 'application/octet-stream' } of contents) {
    if (text !== undefined) texts.push(text);
    else if (blob === undefined) continue;
    else if (READABLE.test(mimeType) && blob.length <= MAX_BLOB_CHARS)
      data.push({ inlineData: { mimeType, data: cleanBase64(blob) } });
    else texts.push(binaryText(mimeType, Math.floor((blob.length * 3) / 4)));
  }
  return [...(texts.length > 0 ? [{ text: wrapUntrusted(texts.join('')) }] : []), ...data];
}
