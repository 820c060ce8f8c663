/** What a fetched page is, and its text: content type, character set, HTML. */
import { looksBinary } from '../../platform/files/binary-sniff.js';
import { decodeCodePage } from '../../platform/files/code-page.js';
import type { WebPage } from '../../platform/net/guarded-http.js';
import { htmlToText } from './html-text.js';

/** Lower case, without parameters; empty where the server names none, or writes something else there. */
export function mimeTypeOf({ headers }: Pick<WebPage, 'headers'>): string {
  const name = (headers['content-type'] ?? '').replace(/;.*$/s, '').trim().toLowerCase();
  return /^[\w.+-]{1,40}\/[\w.+-]{1,80}$/.test(name) ? name : '';
}

/** Undefined: the page is not text. `keepLinks`: targets of links are shown. */
export async function pageText(page: WebPage, keepLinks: boolean): Promise<string | undefined> {
  const mimeType = mimeTypeOf(page);
  if (!mayBeText(mimeType, page.bytes)) return undefined;
  const text = await decodePage(page);
  if (!isHtml(mimeType, text)) return text.trim();
  return htmlToText(text, keepLinks ? { linksFrom: page.url } : {});
}

const TEXT_TYPES =
  /^text\/|[/+](json|xml|yaml)$|^application\/(x-)?(javascript|ecmascript|typescript|ndjson|jsonlines|yaml|toml|sh|httpd-php|www-form-urlencoded|sql|graphql|tex|latex)$/;
/** Servers send these for files they do not know. */
const UNTOLD = new Set(['', 'application/octet-stream', 'binary/octet-stream', 'application/unknown']);

function mayBeText(mimeType: string, bytes: Buffer): boolean {
  if (TEXT_TYPES.test(mimeType)) return true;
  return UNTOLD.has(mimeType) && (byteOrderMark(bytes) !== undefined || !looksBinary(bytes));
}

function isHtml(mimeType: string, text: string): boolean {
  if (mimeType === 'text/html' || mimeType === 'application/xhtml+xml') return true;
  return UNTOLD.has(mimeType) && /^\s*(<!doctype html|<html[\s>])/i.test(text.slice(0, 1000));
}

/** In the order of browsers: byte order mark, HTTP header, the page's own declaration; else guessed from the bytes. */
async function decodePage({ headers, bytes }: WebPage): Promise<string> {
  const named =
    byteOrderMark(bytes) ??
    /charset\s*=\s*["']?([\w.:-]+)/i.exec(headers['content-type'] ?? '')?.[1] ??
    charsetInPage(bytes);
  const { default: iconv } = await import('iconv-lite');
  const label = named === undefined ? undefined : iconvLabel(named);
  if (label !== undefined && iconv.encodingExists(label)) return iconv.decode(bytes, label);
  const utf8 = iconv.decode(bytes, 'utf8');
  // A cut may leave half a character at the end, which does not mean another encoding.
  if (!utf8.slice(0, -1).includes('\uFFFD')) return utf8;
  return (await decodeCodePage(bytes))?.text ?? utf8;
}

function byteOrderMark(bytes: Buffer): string | undefined {
  if (bytes[0] === 0xef && bytes[1] === 0xbb && bytes[2] === 0xbf) return 'utf-8';
  if (bytes[0] === 0xff && bytes[1] === 0xfe) return 'utf-16le';
  return bytes[0] === 0xfe && bytes[1] === 0xff ? 'utf-16be' : undefined;
}

const META_BYTES = 4096;

/** `<meta charset=…>`, `<meta … content="text/html; charset=…">` or `<?xml … encoding="…"?>`. */
function charsetInPage(bytes: Buffer): string | undefined {
  const head = bytes.subarray(0, META_BYTES).toString('latin1');
  const found =
    /<meta\s[^>]{0,200}?charset\s*=\s*["']?\s*([\w.:-]+)/i.exec(head) ??
    /^\s*<\?xml\s[^>]{0,200}?encoding\s*=\s*["']([\w.:-]+)/i.exec(head);
  // The declaration was readable as single bytes, so the page is not UTF-16.
  return found?.[1] && /^utf-?16/i.test(found[1]) ? 'utf-8' : found?.[1];
}

/** Pages that claim Latin-1 mean its superset by Microsoft; GB 2312 is a part of GBK. */
function iconvLabel(name: string): string {
  const label = name.toLowerCase();
  if (/^(iso-?8859-?1|latin-?1|l1|us-ascii|ascii)$/.test(label)) return 'windows-1252';
  return /^gb_?2312/.test(label) ? 'gbk' : label;
}
