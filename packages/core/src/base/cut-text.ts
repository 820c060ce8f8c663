/** Cuts long texts and never splits a surrogate pair: half of one is not valid text, and providers refuse it. */

/** The beginning, of `length` at most. */
export function headOf(text: string, length: number): string {
  return text.slice(0, length - halfAt(text, length));
}

/** Beginning and end. */
export function endsOf(text: string, headLength: number, tailLength: number): { head: string; tail: string } {
  const start = text.length - tailLength;
  return { head: headOf(text, headLength), tail: text.slice(start + halfAt(text, start)) };
}

/** 1 where a cut would split a pair, else 0. */
function halfAt(text: string, index: number): number {
  const unit = text.charCodeAt(index);
  return index > 0 && unit >= 0xdc00 && unit <= 0xdfff ? 1 : 0;
}
