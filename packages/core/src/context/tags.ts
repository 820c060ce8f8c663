/** Escapes the program's wrapper tags inside quoted text, so that the text cannot end its wrapper. */

const OWN_TAGS = [
  'conversation_history',
  'turn',
  'state_snapshot',
  'tool_output_masked',
  'draft_snapshot',
  'text_to_shorten',
];
const PATTERN = new RegExp(`<(/?\\s*(?:${OWN_TAGS.join('|')})\\b)`, 'gi');

export function escapeOwnTags(text: string): string {
  return text.includes('<') ? text.replace(PATTERN, '&lt;$1') : text;
}
