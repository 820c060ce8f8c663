/** Answers a prompt about pages without the provider's help: we fetch them, and a small model reads their text. */
import { STATUS_CODES } from 'node:http';
import { messageOf } from '../../base/errors.js';
import { wrapUntrusted } from '../../base/untrusted-context.js';
import { ToolErrorType } from '../tool-error.js';
import { type ToolResult, toolFailure } from '../tools.js';
import type { WebHost } from '../web-host.js';
import { citeAnswer, sourceLine, withSources } from '../web-search/citations.js';
import { cutFairly } from './fair-share.js';
import instruction from './fallback-instruction.md';
import { type LeftOut, notesOn, summaryOf } from './left-out.js';
import type { LoadedPage, PageFetcher } from './page-loader.js';
import { mimeTypeOf, pageText } from './page-text.js';

/** In characters, for all pages together. */
export const MAX_PAGE_TEXT = 250_000;

export async function answerFromPages(
  host: WebHost,
  prompt: string,
  urls: readonly URL[],
  leftOut: readonly LeftOut[],
  loader: PageFetcher,
  signal: AbortSignal,
): Promise<ToolResult> {
  const pages: { url: URL; text: string }[] = [];
  const missing = [...leftOut];
  for (const loaded of await loader.load(urls, signal)) {
    const content = await contentOf(loaded);
    if ('reason' in content) missing.push(content);
    else pages.push(content);
  }
  if (pages.length === 0) {
    return toolFailure(`No page could be read.${notesOn(missing)}`, ToolErrorType.WEB_FETCH_FALLBACK_FAILED);
  }
  const texts = cutFairly(
    pages.map(({ text }) => text),
    MAX_PAGE_TEXT,
  );
  const data = pages.map(({ url }, index) => pageElement(index + 1, url, texts[index] ?? ''));
  try {
    const answer = await host.getUtilityModel().generateText(
      {
        alias: 'web-fetch-fallback',
        role: 'utility_tool',
        promptId: `${host.getSessionId()}########web_fetch`,
        systemInstruction: instruction.trim(),
        messages: [
          {
            role: 'user',
            origin: 'prompt',
            parts: [{ text: `<request>\n${escapeXml(prompt)}\n</request>\n\n${data.join('\n\n')}` }],
          },
        ],
        mainModel: host.getModel(),
      },
      signal,
    );
    const { text } = citeAnswer(answer);
    const sources = pages.map(({ url }, index) => sourceLine(index + 1, '', url.href));
    return {
      llmContent: wrapUntrusted(withSources({ text, sources })) + notesOn(missing),
      returnDisplay: summaryOf(pages.length, missing),
    };
  } catch (error) {
    signal.throwIfAborted();
    const message = `The pages were fetched, but no model could read them: ${messageOf(error)}`;
    return toolFailure(message + notesOn(missing), ToolErrorType.WEB_FETCH_FALLBACK_FAILED);
  }
}

async function contentOf(loaded: LoadedPage): Promise<{ url: URL; text: string } | LeftOut> {
  const { url } = loaded;
  if ('problem' in loaded) return { url, reason: loaded.problem };
  const { page } = loaded;
  // Our words, not the server's: this text is outside the part marked as untrusted.
  if (page.status >= 400)
    return { url, reason: `HTTP ${page.status} ${STATUS_CODES[page.status] ?? ''}`.trim() };
  const text = await pageText(page, false);
  if (text === undefined) return { url, reason: `not text but ${mimeTypeOf(page) || 'binary data'}` };
  return text ? { url, text } : { url, reason: 'the page has no text' };
}

function pageElement(number: number, url: URL, text: string): string {
  return `<page number="${number}" url="${escapeXml(url.href)}">\n${escapeXml(text)}\n</page>`;
}

/** Nothing in a page can end its element or begin another. */
function escapeXml(text: string): string {
  return text
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('"', '&quot;');
}
