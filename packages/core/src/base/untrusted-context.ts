/** Marks text that comes from outside as data for the model, never as instructions. */

export function wrapUntrusted(text: string): string {
  // A closing tag inside would let what follows it pose as ours.
  const escaped = text.replace(/<(\/\s*untrusted_context)/gi, '&lt;$1');
  return `<untrusted_context>\n${escaped}\n</untrusted_context>`;
}
