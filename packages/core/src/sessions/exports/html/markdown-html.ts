/** Renders the model's Markdown as HTML: HTML in it is shown as text, nothing is loaded from the network. */
import type { Marked, Tokens } from 'marked';
import { escapeHtml } from './escape-html.js';

export type RenderMarkdown = (text: string) => string;

/** Longer texts are data rather than prose and are shown unrendered. */
const MAX_CHARS = 400_000;
/** The page's own headings rank above those of an answer. */
const HEADING_SHIFT = 2;

export async function loadMarkdown(): Promise<RenderMarkdown> {
  const library = await import('marked');
  const marked = new library.Marked({ gfm: true, async: false });
  marked.use({ renderer: rendererFor() });
  return (text) => render(marked, text);
}

function render(marked: Marked, text: string): string {
  if (text.length > MAX_CHARS) return asWritten(text);
  try {
    return marked.parse(text, { async: false });
  } catch {
    return asWritten(text); // nested deeper than the library can follow
  }
}

function asWritten(text: string): string {
  return `<pre class="plain">${escapeHtml(text)}</pre>\n`;
}

/** The library itself escapes all tokens not named here. */
function rendererFor(): Parameters<Marked['use']>[0]['renderer'] {
  return {
    html: ({ text }) => escapeHtml(text),
    code: ({ text, lang }) => codeBlock(text, lang),
    heading({ tokens, depth }) {
      const level = Math.min(6, depth + HEADING_SHIFT);
      return `<h${level}>${this.parser.parseInline(tokens)}</h${level}>\n`;
    },
    link({ href, tokens }) {
      return link(href, this.parser.parseInline(tokens));
    },
    image: ({ href, text }) => link(href, escapeHtml(text || href)),
    table(token) {
      const cells = (row: Tokens.TableCell[]) => row.map((cell) => this.tablecell(cell)).join('');
      const rows = token.rows.map((row) => `<tr>${cells(row)}</tr>\n`).join('');
      const table = `<table>\n<thead><tr>${cells(token.header)}</tr></thead>\n<tbody>${rows}</tbody></table>`;
      return `<div class="wide">${table}</div>\n`;
    },
    tablecell({ tokens, header, align }) {
      const tag = header ? 'th' : 'td';
      const side = align === 'right' || align === 'center' ? ` class="${align}"` : '';
      return `<${tag}${side}>${this.parser.parseInline(tokens)}</${tag}>`;
    },
  };
}

function codeBlock(text: string, language = ''): string {
  const name = firstWord(language);
  const label = name ? ` data-language="${escapeHtml(name)}"` : '';
  return `<pre${label}><code>${escapeHtml(text.replace(/\n$/, ''))}</code></pre>\n`;
}

function firstWord(text: string): string {
  return /^[^\s{,]{1,24}/.exec(text.trim())?.[0] ?? '';
}

/** Web and mail addresses become links; any other address is shown as text. */
function link(href: string, label: string): string {
  const address = webAddress(href);
  if (address === undefined) return `<span class="address" title="${escapeHtml(href)}">${label}</span>`;
  return `<a href="${escapeHtml(address)}" rel="noopener noreferrer nofollow" target="_blank">${label}</a>`;
}

/** Parsed like in a browser, so that the address checked is the address opened. */
function webAddress(href: string): string | undefined {
  if (!URL.canParse(href)) return undefined;
  const url = new URL(href);
  return ['http:', 'https:', 'mailto:'].includes(url.protocol) ? url.href : undefined;
}
