/** Escapes untrusted text for an HTML page. */
import { cleanTerminalText } from '../../../base/ansi.js';
import { headOf } from '../../../base/cut-text.js';

const SPECIAL = /[&<>"']/g;
const ENTITIES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};
/** Bidirectional controls: the text after them would be displayed in another order. */
const REORDERING = /[\u202a-\u202e\u2066-\u2069]/g;

/** For content and for quoted attributes. */
export function escapeHtml(text: string): string {
  return text.replace(SPECIAL, (character) => ENTITIES[character] ?? '');
}

/** Without terminal controls; bidirectional controls are shown as code points. */
export function readableText(text: string): string {
  return cleanTerminalText(text).replace(
    REORDERING,
    (character) => `\\u{${character.charCodeAt(0).toString(16).toUpperCase()}}`,
  );
}

/** The beginning of a text as one line. */
export function firstWords(text: string, maxChars: number): string {
  const line = text
    .slice(0, maxChars * 4)
    .replace(/\s+/g, ' ')
    .trim();
  if (line.length <= maxChars) return line;
  return `${headOf(line, maxChars - 1)}…`;
}
