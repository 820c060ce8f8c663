/**
 * `text.startsWith(beginning)` for long texts. Equality of strings compares memory, `startsWith` goes character by
 * character: on a streaming answer, asked for every chunk, that is the difference between nothing and most of the work.
 */
export function beginsWith(text: string, beginning: string): boolean {
  return text.length >= beginning.length && text.slice(0, beginning.length) === beginning;
}
