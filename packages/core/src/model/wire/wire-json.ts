/**
 * JSON for the body of a request. Half of a surrogate pair, which a file, a tool or a cut text may bring into the
 * conversation, becomes U+FFFD: providers refuse the whole request, and so all later ones of the conversation.
 */
export function wireJson(value: object | string): string {
  const text = JSON.stringify(value);
  // JSON writes such a half as an escape. A backslash of the text itself comes in pairs, which are passed over.
  if (!text.includes('\\ud')) return text;
  return text.replace(/\\\\|\\ud[89a-f][0-9a-f]{2}/g, (found) => (found === '\\\\' ? found : '\ufffd'));
}
