/** Draws one block of Markdown from the lexer's tokens. */
import type { Token, Tokens } from 'marked';
import type { Look } from '../look.js';
import { paintSpans, type Span, span, wrapSpans } from '../text/spans.js';
import { textWidth } from '../text/width.js';
import { stylesOf } from '../themes/styles.js';
import type { Drawn } from './block-cache.js';
import { codeLines } from './code.js';
import { inlineSpans } from './inline.js';
import { lexMarkdown } from './lexer.js';
import { tableLines } from './table.js';

/** The lexer is slow on unusual text: beyond these limits the text is shown as written. */
const MAX_BLOCK = 16_000;
const MAX_WORD = 1_000;
/** Lines that start with a letter and contain no Markdown character. */
const PLAIN_WORDS = /^(?:\p{L}[^\n\\`*_~<>[\]!&|#:@$]*(?:\n|$))+$/u;
/** Least columns that nesting keeps. */
const NARROWEST = 8;
const DEEP_NESTING = /^(?: {0,3}(?:>|[-*+](?= )|\d{1,9}[.)](?= )) ?){12}|^ {60}/m;

export function blockLines(source: string, look: Look, nextNumber?: number): Drawn {
  // Most text is plain words and needs no lexer.
  if (PLAIN_WORDS.test(source) && !source.includes('www.')) return { lines: rawLines(source, look) };
  const tokens = isPlainlyLexed(source) ? lex(source) : undefined;
  if (!tokens) return { lines: rawLines(source, look) };
  const numbered = nextNumber === undefined ? undefined : { next: nextNumber };
  const lines = tokensLines(tokens, look, 0, numbered);
  return numbered ? { lines, lastNumber: numbered.next - 1 } : { lines, ...lastNumberOf(tokens) };
}

/** As written, in the answer's colour. */
export function rawLines(source: string, look: Look): string[] {
  const { response } = stylesOf(look.theme);
  return source
    .replace(/\n+$/, '')
    .split('\n')
    .flatMap((line) =>
      wrapSpans([span(line, response)], look.width).map((part) => paintSpans(part, look.paint)),
    );
}

function isPlainlyLexed(source: string): boolean {
  if (source.length > MAX_BLOCK || DEEP_NESTING.test(source)) return false;
  if (source.length <= MAX_WORD) return true;
  for (let start = 0; start < source.length; ) {
    const gap = source.slice(start, start + MAX_WORD + 1).search(/\s/);
    if (gap < 0) return source.length - start <= MAX_WORD;
    start += gap + 1;
  }
  return true;
}

function lex(source: string): Token[] | undefined {
  try {
    return lexMarkdown(source);
  } catch {
    return undefined;
  }
}

function lastNumberOf(tokens: readonly Token[]): { lastNumber?: number } {
  const last = tokens.at(-1);
  if (last?.type !== 'list') return {};
  const list = last as Tokens.List;
  return list.ordered ? { lastNumber: (Number(list.start) || 0) + list.items.length - 1 } : {};
}

interface Numbering {
  next: number;
}

function tokensLines(tokens: readonly Token[], look: Look, depth: number, numbered?: Numbering): string[] {
  const lines: string[] = [];
  let isApart = false;
  for (const token of tokens) {
    if (token.type === 'space') {
      isApart = lines.length > 0;
      continue;
    }
    const drawn = tokenLines(token, look, depth, numbered);
    if (drawn.length === 0) continue;
    if (isApart || (token.type === 'heading' && lines.length > 0)) lines.push('');
    lines.push(...drawn);
    isApart = /\n[ \t]*\n$/.test(token.raw);
  }
  return lines;
}

function tokenLines(token: Token, look: Look, depth: number, numbered?: Numbering): string[] {
  const styles = stylesOf(look.theme);
  switch (token.type) {
    case 'heading':
      return headingLines(token as Tokens.Heading, look);
    case 'paragraph':
    case 'text':
      return wrapped(inlineSpans(token.tokens ?? [token], styles.response, styles), look);
    case 'list':
      if (look.width < NARROWEST) return rawLines(token.raw, look);
      return listLines(token as Tokens.List, look, depth, numbered);
    case 'blockquote':
      if (look.width < NARROWEST) return rawLines(token.raw, look);
      return quoteLines(token as Tokens.Blockquote, look, depth);
    case 'code':
      return fencedLines(token as Tokens.Code, look);
    case 'table':
      return tableLines(token as Tokens.Table, look);
    case 'hr':
      return look.screenReader ? [] : [look.paint('─'.repeat(look.width), styles.border)];
    default:
      return rawLines(token.raw, look);
  }
}

function headingLines(token: Tokens.Heading, look: Look): string[] {
  const styles = stylesOf(look.theme);
  const style = styles.heading[Math.min(token.depth, styles.heading.length) - 1] ?? styles.bold;
  const spans = inlineSpans(token.tokens, style, styles);
  return wrapped(look.screenReader ? [span(`Heading ${token.depth}: `), ...spans] : spans, look);
}

function listLines(list: Tokens.List, look: Look, depth: number, numbered?: Numbering): string[] {
  const styles = stylesOf(look.theme);
  const lines: string[] = [];
  let number = numbered?.next ?? (Number(list.start) || (list.start === 0 ? 0 : 1));
  const digits = list.ordered ? String(number + list.items.length - 1).length : 0;
  for (const item of list.items) {
    const bullet = list.ordered
      ? `${String(number).padStart(digits)}.`
      : look.screenReader
        ? '-'
        : BULLETS[depth % BULLETS.length];
    const mark = `${bullet} ${taskMark(item, look)}`;
    const indent = Math.min(textWidth(mark), Math.max(1, look.width - 8));
    const inner = { ...look, width: Math.max(1, look.width - indent) };
    const content = tokensLines(
      item.tokens.filter((token) => token.type !== 'checkbox'),
      inner,
      depth + 1,
    );
    if (content.length === 0) content.push('');
    for (const [index, line] of content.entries()) {
      if (index === 0) lines.push(look.paint(mark, item.checked ? styles.success : styles.accent) + line);
      else lines.push(line === '' ? '' : ' '.repeat(indent) + line);
    }
    number++;
  }
  if (numbered) numbered.next = number;
  return lines;
}

const BULLETS = ['•', '◦', '▪'];

function taskMark(item: Tokens.ListItem, look: Look): string {
  if (!item.task) return '';
  if (look.screenReader) return item.checked ? 'done: ' : 'to do: ';
  return item.checked ? '☑ ' : '☐ ';
}

function quoteLines(token: Tokens.Blockquote, look: Look, depth: number): string[] {
  const styles = stylesOf(look.theme);
  if (look.screenReader) {
    const inner = tokensLines(token.tokens, look, depth + 1);
    return inner.map((line, index) => (index === 0 ? `Quote: ${line}` : line));
  }
  const bar = look.paint('│', styles.border);
  const inner = tokensLines(token.tokens, { ...look, width: Math.max(1, look.width - 2) }, depth + 1);
  return inner.map((line) => `${bar} ${line}`);
}

function fencedLines(token: Tokens.Code, look: Look): string[] {
  const language = languageName(token.lang ?? '');
  const lines = codeLines(token.text, look, { language });
  return look.screenReader ? [language ? `Code, ${language}:` : 'Code:', ...lines, 'End of code.'] : lines;
}

/** `ts title="a.ts"`, `ts {1,3}` and `{.ts}` start with the language. */
export function languageName(info: string): string {
  return /[\p{L}\p{N}+#.-]+/u.exec(info)?.[0]?.replace(/^\./, '') ?? '';
}

function wrapped(spans: readonly Span[], look: Look): string[] {
  return wrapSpans(spans, look.width).map((line) => paintSpans(line, look.paint));
}
