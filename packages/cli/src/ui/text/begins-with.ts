/**
 * `text.startsWith(beginning)` for long texts. String equality compares memory, `startsWith` compares character by
 * character; for a streaming answer, checked at every chunk, that would be most of the work.
 */
export function beginsWith(text: string, beginning: string): boolean {
  return text.length >= beginning.length && text.slice(0, beginning.length) === beginning;
}
