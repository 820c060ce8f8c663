/** Direct mode: the pages themselves, without a model in between. */
import { headOf } from '../../base/cut-text.js';
import { wrapUntrusted } from '../../base/untrusted-context.js';
import type { WebPage } from '../../platform/net/guarded-http.js';
import type { Part } from '../../protocol/messages.js';
import { ToolErrorType } from '../tool-error.js';
import { type ToolResult, toolFailure } from '../tools.js';
import { MAX_PAGE_TEXT } from './answer-from-pages.js';
import { cutFairly } from './fair-share.js';
import { type LeftOut, notesOn, summaryOf } from './left-out.js';
import type { PageFetcher } from './page-loader.js';
import { mimeTypeOf, pageText } from './page-text.js';

const MAX_ERROR_BODY = 10_000;

type Shown = { url: URL; head: string; text: string } | { url: URL; media: Part } | LeftOut;

export async function showPages(
  urls: readonly URL[],
  leftOut: readonly LeftOut[],
  loader: PageFetcher,
  signal: AbortSignal,
): Promise<ToolResult> {
  const loaded = await loader.load(urls, signal);
  const shown = await Promise.all(
    loaded.map((item): Promise<Shown> | Shown =>
      'page' in item ? show(item.url, item.page) : { url: item.url, reason: item.problem },
    ),
  );
  const missing = [...leftOut, ...shown.filter((item) => 'reason' in item)];
  const texts = shown.filter((item) => 'text' in item);
  const media = shown.filter((item) => 'media' in item);
  if (texts.length + media.length === 0) {
    return toolFailure(`No page could be read.${notesOn(missing)}`, ToolErrorType.WEB_FETCH_FALLBACK_FAILED);
  }
  const cut = cutFairly(
    texts.map(({ text }) => text),
    MAX_PAGE_TEXT,
  );
  const parts = [
    ...texts.map(({ head }, index) => `${head}\n${wrapUntrusted(cut[index] ?? '')}`),
    ...media.map(({ url }) => `The content of ${url.href} is attached.`),
  ];
  const text = parts.join('\n\n') + notesOn(missing);
  return {
    llmContent: media.length === 0 ? text : [{ text }, ...media.map((item) => item.media)],
    returnDisplay: summaryOf(texts.length + media.length, missing),
  };
}

async function show(url: URL, page: WebPage): Promise<Shown> {
  const mimeType = mimeTypeOf(page);
  const text = await pageText(page, true);
  if (page.status >= 400) return errorPage(url, page, text);
  if (text !== undefined) {
    const size = page.truncated ? ' (only the first 10 MB)' : '';
    return { url, head: `Content of ${url.href}${size}:`, text: redirectOf(url, page) + (text || '(empty)') };
  }
  if (!/^(image|video)\/|^application\/pdf$/.test(mimeType)) {
    return { url, reason: `neither text, image, video nor PDF but ${mimeType || 'binary data'}` };
  }
  if (page.truncated) return { url, reason: `larger than 10 MB (${mimeType})` };
  return { url, media: { inlineData: { mimeType, data: page.bytes.toString('base64') } } };
}

function errorPage(url: URL, page: WebPage, body = '(not text)'): Shown {
  const cut = body.length > MAX_ERROR_BODY ? `${headOf(body, MAX_ERROR_BODY)}\n[... cut]` : body;
  return {
    url,
    head: `${url.href} answered with an error, HTTP ${page.status}:`,
    text: `Status: ${page.status} ${page.statusText}\nHeaders: ${JSON.stringify(page.headers)}\n\n${cut}`,
  };
}

/** Inside the text marked as untrusted, because the server chose the address of the redirect. */
function redirectOf(url: URL, page: WebPage): string {
  return page.url.href === url.href ? '' : `(redirected to ${page.url.href})\n\n`;
}
