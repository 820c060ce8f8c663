/** Escapes control characters in JSON, so that a terminal can show it safely; the value stays the same. */

const UNSAFE = /[\u007f-\u009f\u200b\u200e\u200f\u2028-\u202e\u2066-\u2069\ufeff]/g;

/** `JSON.stringify` escapes only C0; the others can occur only inside strings, where an escape is valid. */
export function escapeControls(json: string): string {
  return json.replace(UNSAFE, (char) => `\\u${char.charCodeAt(0).toString(16).padStart(4, '0')}`);
}
