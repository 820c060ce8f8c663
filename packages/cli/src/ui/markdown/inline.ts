/** Emphasis, code and links inside a paragraph, as styled runs. */
import type { Token, Tokens } from 'marked';
import { type Span, span } from '../text/spans.js';
import type { Style } from '../themes/style.js';
import { mergeStyles, type Styles } from '../themes/styles.js';
import { deceivingHost, linkView } from './links.js';
import { withFormulas } from './math.js';

const BOLD: Style = { bold: true };
const ITALIC: Style = { italic: true };
const STRIKE: Style = { strike: true };

export function inlineSpans(tokens: readonly Token[] | undefined, base: Style, styles: Styles): Span[] {
  const spans: Span[] = [];
  addTokens(spans, tokens ?? [], base, styles, 0);
  return spans;
}

/** Deeper nesting is never intended. */
const MAX_DEPTH = 20;

function addTokens(
  spans: Span[],
  tokens: readonly Token[],
  style: Style,
  styles: Styles,
  depth: number,
): void {
  for (const token of tokens) addToken(spans, token, style, styles, depth);
}

function addToken(spans: Span[], token: Token, style: Style, styles: Styles, depth: number): void {
  if (depth > MAX_DEPTH) {
    spans.push(span(token.raw, style));
    return;
  }
  const within = (over: Style) => {
    const inner = 'tokens' in token ? token.tokens : undefined;
    if (inner) addTokens(spans, inner, mergeStyles(style, over), styles, depth + 1);
    else spans.push(span('text' in token ? String(token['text']) : token.raw, mergeStyles(style, over)));
  };
  switch (token.type) {
    case 'strong':
      within(BOLD);
      break;
    case 'em':
      within(ITALIC);
      break;
    case 'del':
      within(STRIKE);
      break;
    case 'codespan':
      spans.push(span((token as Tokens.Codespan).text, mergeStyles(style, styles.accent)));
      break;
    case 'br':
      spans.push(span('\n', style));
      break;
    case 'link':
      addLink(spans, token as Tokens.Link, style, styles);
      break;
    case 'image':
      addImage(spans, token as Tokens.Image, style, styles);
      break;
    case 'text':
      if ('tokens' in token && token.tokens) addTokens(spans, token.tokens, style, styles, depth + 1);
      else addText(spans, withFormulas(unescapeEntities(String(token['text']))), style, styles);
      break;
    case 'escape':
      spans.push(span(String(token['text']), style));
      break;
    case 'html':
      spans.push(span(/^<br\s*\/?>$/i.test(token.raw) ? '\n' : token.raw, style));
      break;
    default:
      spans.push(span(token.raw, style));
  }
}

/** The lexer does not see addresses in other scripts as links; terminals do. */
function addText(spans: Span[], text: string, style: Style, styles: Styles): void {
  if (!text.includes('://')) {
    spans.push(span(text, style));
    return;
  }
  let end = 0;
  for (const match of text.matchAll(/\bhttps?:\/\/[^\s<>"'`)\]]+/giu)) {
    const warning = deceivingHost(match[0], match[0]);
    if (warning === undefined) continue;
    const after = match.index + match[0].length;
    spans.push(
      span(text.slice(end, after), style),
      span(` ⚠ host: ${warning}`, mergeStyles(style, styles.warning)),
    );
    end = after;
  }
  if (end < text.length) spans.push(span(text.slice(end), style));
}

function addLink(spans: Span[], token: Tokens.Link, style: Style, styles: Styles): void {
  const text = unescapeEntities(token.text);
  const { address, warning } = linkView(text, token.href);
  spans.push(span(text || token.href, mergeStyles(style, styles.link)));
  if (address !== '' && text !== '') spans.push(span(` (${address})`, mergeStyles(style, styles.secondary)));
  if (warning !== undefined) spans.push(span(` ⚠ host: ${warning}`, mergeStyles(style, styles.warning)));
}

function addImage(spans: Span[], token: Tokens.Image, style: Style, styles: Styles): void {
  spans.push(
    span(
      `[image${token.text ? `: ${unescapeEntities(token.text)}` : ''}]`,
      mergeStyles(style, styles.accent),
    ),
  );
  spans.push(span(` (${token.href})`, mergeStyles(style, styles.secondary)));
}

const NAMED: Readonly<Record<string, string>> = {
  amp: '&',
  lt: '<',
  gt: '>',
  quot: '"',
  apos: "'",
  nbsp: '\u00a0',
};

/** Common entities in prose; others stay as written. */
function unescapeEntities(text: string): string {
  return text.includes('&')
    ? text.replace(/&(amp|lt|gt|quot|apos|nbsp|#39);/g, (all, name: string) =>
        name === '#39' ? "'" : (NAMED[name] ?? all),
      )
    : text;
}
