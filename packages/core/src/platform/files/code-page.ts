/**
 * Decodes and encodes text in older code pages. A code page is accepted only if it encodes the text back to the
 * same bytes, so a wrong guess changes nothing outside an edit.
 */
import { isOddControl } from './binary-sniff.js';
import { scoreCodePages } from './code-page-score.js';

const SAMPLE_BYTES = 64 * 1024;

/** Undefined when no known code page fits. */
export async function decodeCodePage(bytes: Buffer): Promise<{ text: string; encoding: string } | undefined> {
  // Binary data contains these sooner or later; old text files do not.
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
