/** Marks untrusted text as data for the model, not instructions. */
export function wrapUntrusted(text: string): string {
  // A closing tag inside would make the rest look trusted.
  const escaped = text.replace(/<(\/\s*untrusted_context)/gi, '&lt;$1');
  return `<untrusted_context>\n${escaped}\n</untrusted_context>`;
}

const OWN_MARKS =
  /<(\/?\s*(?:system_note|session_context|hook_context|editor_context|untrusted_context|available_subagents|available_skills|activated_skill)\b)/gi;

/** Escapes marks that only the program itself may write: a report of an agent cannot pose as one of them. */
export function withoutOwnMarks(text: string): string {
  return text.includes('<') ? text.replace(OWN_MARKS, '&lt;$1') : text;
}
