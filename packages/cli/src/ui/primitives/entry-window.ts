/** Entries of a list, of one or more rows each, as many as fit around the chosen one, with marks for the rest. */
import type { Look } from '../look.js';

/** Lists may be long: only what is shown is drawn. */
export interface Entries {
  count: number;
  draw(index: number): readonly string[];
}

export function entryWindow(look: Look, entries: Entries, index: number, rows: number): string[] {
  const { count } = entries;
  if (count === 0) return [];
  const chosen = [...entries.draw(index)];
  // Too low for marks: the chosen entry alone.
  if (rows < 3 && count > 1) {
    const all = count <= rows ? drawAll(entries) : chosen;
    return (all.length <= rows ? all : chosen).slice(0, Math.max(1, rows));
  }
  const { first, last, lines } = around(entries, index, rows, chosen);
  const above = first > 0 ? [mark(look, '▲', first)] : [];
  const below = last < count - 1 ? [mark(look, '▼', count - 1 - last)] : [];
  return [...above, ...lines.slice(0, Math.max(1, rows - above.length - below.length)), ...below];
}

function drawAll({ count, draw }: Entries): string[] {
  return Array.from({ length: count }, (_, index) => draw(index)).flat();
}

/** Grows from the chosen entry to both sides, as long as it and the marks fit. */
function around({ count, draw }: Entries, index: number, rows: number, chosen: readonly string[]) {
  let [first, last] = [index, index];
  let lines = [...chosen];
  const fits = (from: number, to: number, size: number) =>
    size + (from > 0 ? 1 : 0) + (to < count - 1 ? 1 : 0) <= rows;
  for (;;) {
    const above = first > 0 && lines.length < rows ? draw(first - 1) : undefined;
    const below = last < count - 1 && lines.length < rows ? draw(last + 1) : undefined;
    const canRise = above && fits(first - 1, last, lines.length + above.length);
    const canSink = below && fits(first, last + 1, lines.length + below.length);
    // The chosen one stays near the middle.
    if (canSink && (!canRise || last - index <= index - first)) {
      last++;
      lines = [...lines, ...below];
    } else if (canRise) {
      first--;
      lines = [...above, ...lines];
    } else return { first, last, lines };
  }
}

function mark({ paint, theme, screenReader }: Look, symbol: '▲' | '▼', hidden: number): string {
  const side = symbol === '▲' ? 'above' : 'below';
  const text = screenReader ? `${hidden} more ${side}` : `${symbol} ${hidden} more`;
  return paint(text, { color: theme.text.secondary });
}
