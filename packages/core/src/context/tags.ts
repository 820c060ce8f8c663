/** Our own wrapper tags inside other people's text would end the wrapper; they are written so that they do not. */

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
