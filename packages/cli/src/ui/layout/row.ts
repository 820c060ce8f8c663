/** Draws one row with text at its left and right end. */
import type { Look } from '../look.js';
import { fitSpans, PLAIN_STYLE, paintSpans, type Span, spansWidth } from '../text/spans.js';

/** If both do not fit, the right is dropped, then the left is cut. */
export function row(left: readonly Span[], right: readonly Span[], { width, paint }: Look): string {
  const leftWidth = spansWidth(left);
  const rightWidth = spansWidth(right);
  if (rightWidth === 0 || leftWidth + rightWidth + 2 > width) return paintSpans(fitSpans(left, width), paint);
  const gap: Span = { text: ' '.repeat(width - leftWidth - rightWidth), style: PLAIN_STYLE };
  return paintSpans([...left, gap, ...right], paint);
}
