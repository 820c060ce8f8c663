/**
 * Makes any HTML harmless for a parser that builds a tree: bounded depth and size, tags balanced, no attributes
 * but link targets, no scripts or styles. One pass, so that a hostile page costs time in proportion to its length only.
 */

export interface SanitizeOptions {
  /** Link targets are kept, made absolute. */
  base?: URL;
  maxLength: number;
}

const MAX_DEPTH = 100;
/** Elements whose content is never text for a reader. */
const DROPPED = new Set('script style noscript template svg math iframe object canvas'.split(' '));
/** An unclosed one of these swallows the rest of the page; the others are simply left open. */
const RAW = new Set(['script', 'style', 'iframe']);
/** Dropped, so that the title counts as text and misplaced tags do no harm. */
const SKIPPED = new Set(['html', 'head', 'body']);
const VOID = new Set('area base br col embed hr img input link meta param source track wbr'.split(' '));

export function sanitizeHtml(html: string, options: SanitizeOptions): string {
  const out: string[] = [];
  const open: string[] = [];
  let length = 0;
  let hasCellBefore = false;
  /** Tags known to have no closing tag in the rest of the page, so that it is searched once for each. */
  const neverClosed = new Set<string>();
  const emit = (text: string) => {
    out.push(text);
    length += text.length;
  };

  let at = 0;
  while (at < html.length && length < options.maxLength) {
    const start = html.indexOf('<', at);
    if (start < 0) {
      emit(html.slice(at, at + options.maxLength - length));
      break;
    }
    if (start > at) emit(html.slice(at, Math.min(start, at + options.maxLength - length)));
    const tag = readTag(html, start);
    if (tag === undefined) break;
    at = tag.end;
    const { name } = tag;
    if (SKIPPED.has(name)) continue;
    if (name === '') {
      emit(tag.text);
    } else if (tag.closes) {
      closeThrough(name, open, emit);
    } else if (DROPPED.has(name)) {
      if ((tag.text.endsWith('/>') && !RAW.has(name)) || neverClosed.has(name)) continue;
      const end = endOf(html, at, name);
      if (end !== undefined) at = end;
      else if (RAW.has(name)) break;
      else neverClosed.add(name);
    } else {
      if (name === 'tr') hasCellBefore = false;
      if (name === 'td' || name === 'th') {
        if (hasCellBefore) emit(' | ');
        hasCellBefore = true;
      }
      if (VOID.has(name)) emit(`<${name}>`);
      else if (open.length < MAX_DEPTH) {
        open.push(name);
        emit(`<${name}${name === 'a' ? targetOf(tag.text, options.base) : ''}>`);
      }
    }
  }
  for (const name of open.reverse()) emit(`</${name}>`);
  return out.join('');
}

interface Tag {
  /** Empty when this is not a tag; then `text` replaces it. */
  name: string;
  closes: boolean;
  text: string;
  end: number;
}

/** Undefined when the tag has no end; the rest of the page is then ignored. */
function readTag(html: string, start: number): Tag | undefined {
  const nothing = (end: number): Tag => ({ name: '', closes: false, text: '', end });
  if (html.startsWith('<!--', start)) {
    const end = html.indexOf('-->', start + 4);
    return end < 0 ? undefined : nothing(end + 3);
  }
  const next = html[start + 1] ?? '';
  if (next === '!' || next === '?') {
    const end = html.indexOf('>', start);
    return end < 0 ? undefined : nothing(end + 1);
  }
  NAME.lastIndex = start + 1;
  const match = NAME.exec(html);
  if (!match) return { ...nothing(start + 1), text: '&lt;' };
  const end = endOfTag(html, NAME.lastIndex);
  if (end < 0) return undefined;
  const written = (match[2] ?? '').toLowerCase();
  const name = written === 'title' ? 'p' : written;
  return { name, closes: match[1] === '/', text: html.slice(start, end), end };
}

const NAME = /(\/?)([a-z][a-z0-9-]{0,30})/iy;

/** The offset after the `>` that is not inside quotes, or -1. */
function endOfTag(html: string, from: number): number {
  for (let at = from; at < html.length; at++) {
    const character = html[at];
    if (character === '>') return at + 1;
    if ((character === '"' || character === "'") && html[at - 1] === '=') {
      at = html.indexOf(character, at + 1);
      if (at < 0) return -1;
    }
  }
  return -1;
}

/** Everything inside is closed too, so that the parser's stack is never deeper than ours. */
function closeThrough(name: string, open: string[], emit: (text: string) => void): void {
  const index = open.lastIndexOf(name);
  if (index < 0) return;
  for (const inner of open.splice(index).reverse()) emit(`</${inner}>`);
}

/** The offset after the closing tag. */
function endOf(html: string, from: number, name: string): number | undefined {
  const closing = new RegExp(`</${name}[^>]{0,50}>`, 'gi');
  closing.lastIndex = from;
  return closing.exec(html) ? closing.lastIndex : undefined;
}

const MAX_TARGET = 2_000;

function targetOf(tag: string, base: URL | undefined): string {
  if (!base) return '';
  const match = /\shref\s*=\s*(?:"([^"]*)"|'([^']*)'|([^\s>"']+))/i.exec(tag);
  const target = (match?.[1] ?? match?.[2] ?? match?.[3] ?? '').trim().replaceAll('&amp;', '&');
  if (!target || target.startsWith('#') || target.length > MAX_TARGET || !URL.canParse(target, base.href))
    return '';
  const { href, protocol } = new URL(target, base);
  if (protocol !== 'http:' && protocol !== 'https:') return '';
  return ` href="${href.replaceAll('&', '&amp;').replaceAll('"', '%22').replaceAll('<', '%3C')}"`;
}
