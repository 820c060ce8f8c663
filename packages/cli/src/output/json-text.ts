/** JSON that a terminal can show safely: the same value, with every control character escaped. */

const UNSAFE = /[\u007f-\u009f\u200b\u200e\u200f\u2028-\u202e\u2066-\u2069\ufeff]/g;

/** `JSON.stringify` escapes C0 only; the rest occurs inside strings, so an escape is always right. */
export function escapeControls(json: string): string {
  return json.replace(UNSAFE, (char) => `\\u${char.charCodeAt(0).toString(16).padStart(4, '0')}`);
}
