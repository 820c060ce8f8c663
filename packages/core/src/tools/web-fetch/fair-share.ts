/** The start of each text, all together no longer than `total`. */
import { headOf } from '../../base/cut-text.js';

export function cutFairly(texts: readonly string[], total: number): string[] {
  const shares = shareFairly(
    texts.map((text) => text.length),
    total,
  );
  return texts.map((text, index) => {
    const share = shares[index] ?? 0;
    if (text.length <= share) return text;
    const head = headOf(text, share);
    return `${head}\n[... ${text.length - head.length} more characters left out]`;
  });
}

/** Divides room among texts: short ones keep all they need, long ones get equal parts of the rest. */
function shareFairly(lengths: readonly number[], total: number): number[] {
  const shares = new Array<number>(lengths.length).fill(0);
  const shortestFirst = lengths
    .map((length, index) => ({ length, index }))
    .sort((a, b) => a.length - b.length);
  let left = total;
  shortestFirst.forEach(({ length, index }, position) => {
    const share = Math.min(length, Math.floor(left / (shortestFirst.length - position)));
    shares[index] = share;
    left -= share;
  });
  return shares;
}
