/**
 * Text in an older code page. The guess only decides how the text reads: a code page is accepted when
 * it gives back the very same bytes, so a wrong guess damages nothing outside an edit.
 */
import { isOddControl } from './binary-sniff.js';
import { scoreCodePages } from './code-page-score.js';

const SAMPLE_BYTES = 64 * 1024;

/** Undefined when the bytes are text in none of the known code pages. */
export async function decodeCodePage(bytes: Buffer): Promise<{ text: string; encoding: string } | undefined> {
  // Data that is not text has these sooner or later; legitimate old text files do not.
  if (bytes.some((byte) => byte === 0 || isOddControl(byte))) return undefined;
  const iconv = await loadIconv();
  for (const encoding of scoreCodePages(bytes.subarray(0, SAMPLE_BYTES))) {
    const text = iconv.decode(bytes, encoding, { stripBOM: false });
    if (text.includes('\uFFFD')) continue;
    if (iconv.encode(text, encoding).equals(bytes)) return { text, encoding };
  }
  return undefined;
}

/** `missing`: up to ten characters that the code page lacks. */
export async function encodeCodePage(
  text: string,
  encoding: string,
): Promise<{ bytes: Buffer; missing: string[] }> {
  const iconv = await loadIconv();
  const bytes = iconv.encode(text, encoding);
  if (iconv.decode(bytes, encoding, { stripBOM: false }) === text) return { bytes, missing: [] };
  const missing = [...new Set(text)].filter(
    (character) =>
      iconv.decode(iconv.encode(character, encoding), encoding, { stripBOM: false }) !== character,
  );
  return { bytes, missing: missing.slice(0, 10) };
}

async function loadIconv() {
  const { default: iconv } = await import('iconv-lite');
  return iconv;
}
