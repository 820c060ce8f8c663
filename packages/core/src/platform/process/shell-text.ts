/** Tells whether a command's output is text, and decodes it. */
import { isUtf8 } from 'node:buffer';
import { isOddControl } from '../files/binary-sniff.js';

export const SNIFFED_BYTES = 4096;

/**
 * Decides by the first bytes. NULs alone do not make output binary (`find -print0`, UTF-16); they do when
 * other bytes are not text either, or when there is little else.
 */
export function isBinaryOutput(head: Buffer): boolean {
  const sample = head.subarray(0, SNIFFED_BYTES);
  if (utf16Of(sample)) return false;
  let nuls = 0;
  let odd = 0;
  for (const byte of sample) {
    if (byte === 0) nuls++;
    else if (isOddControl(byte)) odd++;
  }
  if (nuls === 0) return odd > sample.length * 0.3;
  return nuls > sample.length * 0.3 || odd > 0 || !isUtf8(withoutCutEnd(sample));
}

/** Decodes UTF-8, else UTF-16, else the most likely code page. Never fails. */
export async function decodeOutput(bytes: Buffer): Promise<string> {
  const order = utf16Of(bytes);
  if (order) return new TextDecoder(order).decode(bytes);
  const text = bytes.toString('utf8');
  if (isUtf8(bytes) || isMostlyUtf8(text)) return text;
  return (await decodeByCodePage(bytes)) ?? text;
}

/** The kept end of a longer stream may begin in the middle of a character. */
export function withoutCutStart(bytes: Buffer): Buffer {
  let start = 0;
  while (start < 3 && isContinuation(bytes[start])) start++;
  return bytes.subarray(start);
}

const DETECTED_BYTES = 256 * 1024;

async function decodeByCodePage(bytes: Buffer): Promise<string | undefined> {
  const { decodeCodePage } = await import('../files/code-page.js');
  const decoded = await decodeCodePage(bytes.subarray(0, DETECTED_BYTES));
  if (!decoded || bytes.length <= DETECTED_BYTES) return decoded?.text;
  const { default: iconv } = await import('iconv-lite');
  return iconv.decode(bytes, decoded.encoding);
}

/** Text with a few broken bytes is still UTF-8. */
function isMostlyUtf8(text: string): boolean {
  let broken = 0;
  let good = 0;
  for (const character of text) {
    if (character === '\uFFFD') broken++;
    else if (character > '\x7f') good++;
  }
  return good >= broken;
}

/** Recognised by its byte order mark, or by a zero in every second byte, as in Latin text. */
function utf16Of(bytes: Buffer): 'utf-16le' | 'utf-16be' | undefined {
  if (bytes.length < 2) return undefined;
  if (bytes[0] === 0xff && bytes[1] === 0xfe) return 'utf-16le';
  if (bytes[0] === 0xfe && bytes[1] === 0xff) return 'utf-16be';
  const sample = bytes.subarray(0, SNIFFED_BYTES);
  let even = 0;
  let odd = 0;
  for (let index = 0; index < sample.length; index++) {
    if (sample[index] !== 0) continue;
    if (index % 2 === 0) even++;
    else odd++;
  }
  const half = sample.length / 2;
  if (odd > half * 0.8 && even < half * 0.05) return 'utf-16le';
  return even > half * 0.8 && odd < half * 0.05 ? 'utf-16be' : undefined;
}

function withoutCutEnd(bytes: Buffer): Buffer {
  for (let back = 1; back <= 3 && back <= bytes.length; back++) {
    const byte = bytes[bytes.length - back] ?? 0;
    if (byte < 0x80) break;
    if (byte < 0xc0) continue;
    const width = byte >= 0xf0 ? 4 : byte >= 0xe0 ? 3 : 2;
    return width > back ? bytes.subarray(0, bytes.length - back) : bytes;
  }
  return bytes;
}

function isContinuation(byte: number | undefined): boolean {
  return byte !== undefined && (byte & 0xc0) === 0x80;
}
