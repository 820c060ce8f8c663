/** Marks untrusted text as data for the model, not instructions. */
export function wrapUntrusted(text: string): string {
  // A closing tag inside would make the rest look trusted.
  const escaped = text.replace(/<(\/\s*untrusted_context)/gi, '&lt;$1');
  return `<untrusted_context>\n${escaped}\n</untrusted_context>`;
}
