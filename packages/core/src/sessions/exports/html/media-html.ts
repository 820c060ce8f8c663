/** Embeds pictures in the page; other media are only named. */
import type { Part } from '../../../protocol/messages.js';
import { escapeHtml } from './escape-html.js';

/** Image types that cannot contain scripts. */
const PICTURES = new Set(['image/png', 'image/jpeg', 'image/gif', 'image/webp', 'image/avif']);
const BASE64 = /^[A-Za-z0-9+/]+={0,2}$/;

/** Media among the parts, including those inside tool responses. */
export function mediaHtml(parts: readonly Part[]): string {
  const media = parts.flatMap((part) => [part, ...(part?.functionResponse?.parts ?? [])]).flatMap(itemHtml);
  return media.length > 0 ? `<div class="media">\n${media.join('\n')}\n</div>\n` : '';
}

function itemHtml(part: Part): string[] {
  const { inlineData, fileData } = part ?? {};
  if (inlineData) {
    const { mimeType, data } = inlineData;
    if (PICTURES.has(mimeType) && typeof data === 'string' && BASE64.test(data))
      return [`<img alt="${escapeHtml(mimeType)}" loading="lazy" src="data:${mimeType};base64,${data}">`];
    return [attachment(mimeType, `${sizeOf(data)} attached`)];
  }
  return fileData ? [attachment(fileData.mimeType, `attached: ${fileData.fileUri}`)] : [];
}

function attachment(mimeType: unknown, what: string): string {
  return `<span class="attachment">${escapeHtml(`${mimeType || 'file'}, ${what}`)}</span>`;
}

function sizeOf(data: unknown): string {
  const bytes = typeof data === 'string' ? Math.floor((data.length * 3) / 4) : 0;
  return bytes < 1024 ? `${bytes} bytes` : `${Math.round(bytes / 1024)} KB`;
}
