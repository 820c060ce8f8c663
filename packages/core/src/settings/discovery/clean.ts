/** Makes text from an untrusted folder safe to show. */

/** C0, C1, DEL; directional marks and overrides; invisible characters; language tags. Only these are removed. */
const INVISIBLE =
  /[\u0000-\u001f\u007f-\u009f\u061c\u200b-\u200f\u2028-\u202e\u2060-\u206f\ufeff\u{e0000}-\u{e007f}]/gu;

const LONGEST = 2_000;

/** One line. A cut is marked, so that a long command cannot hide its end. */
export function cleanLabel(text: string): string {
  const line = text
    .slice(0, 2 * LONGEST)
    .replace(/[\t\n\v\f\r\u0085\u2028\u2029]+/g, ' ')
    .replace(INVISIBLE, '')
    .trim();
  const shown = line.slice(0, LONGEST);
  const hidden = text.length - Math.min(text.length, 2 * LONGEST) + line.length - shown.length;
  return hidden > 0 ? `${shown}... (${hidden} more characters)` : shown;
}
