/** The text of a web page. */
import { sanitizeHtml } from './sanitize-html.js';

export interface HtmlTextOptions {
  /** Link targets are shown, relative ones from here. */
  linksFrom?: URL;
}

/** Far more text than is ever used of one page. */
const MAX_HTML = 1_000_000;

export async function htmlToText(html: string, { linksFrom }: HtmlTextOptions = {}): Promise<string> {
  const { convert } = await import('html-to-text');
  const heading = { format: 'heading', options: { uppercase: false } };
  const text = convert(sanitizeHtml(html, { base: linksFrom, maxLength: MAX_HTML }), {
    wordwrap: false,
    selectors: [
      {
        selector: 'a',
        format: 'anchor',
        options: { ignoreHref: !linksFrom, hideLinkHrefIfSameAsText: true },
      },
      { selector: 'img', format: 'skip' },
      { selector: 'table', format: 'block' },
      { selector: 'tr', format: 'block', options: { leadingLineBreaks: 1, trailingLineBreaks: 1 } },
      ...['h1', 'h2', 'h3', 'h4', 'h5', 'h6'].map((selector) => ({ selector, ...heading })),
    ],
  });
  return text.replace(/\n{3,}/g, '\n\n').trim();
}
