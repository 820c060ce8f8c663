/** Cuts long texts and never splits a surrogate pair: half of one is not valid text, and providers refuse it. */

/** The beginning, of `length` at most. */
export function headOf(text: string, length: number): string {
  return text.slice(0, endBefore(text, length));
}

/** Beginning and end. */
export function endsOf(text: string, headLength: number, tailLength: number): { head: string; tail: string } {
  return {
    head: headOf(text, headLength),
    tail: text.slice(startAfter(text, text.length - tailLength)),
  };
}

function endBefore(text: string, index: number): number {
  return splitsPair(text, index) ? index - 1 : index;
}

function startAfter(text: string, index: number): number {
  return splitsPair(text, index) ? index + 1 : index;
}

function splitsPair(text: string, index: number): boolean {
  const unit = text.charCodeAt(index);
  return index > 0 && unit >= 0xdc00 && unit <= 0xdfff;
}
