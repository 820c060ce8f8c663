/** Ranks a short list of texts by how well they match the typed text. */
import { Fzf } from 'fzf';

/** Best match first, equal ones in their order. An empty query matches all. */
export function rankBy<Item>(
  query: string,
  items: readonly Item[],
  textsOf: (item: Item) => readonly string[],
): Item[] {
  if (query === '') return [...items];
  const entries = items.flatMap((item, index) => textsOf(item).map((text) => ({ item, index, text })));
  const finder = new Fzf(entries, {
    selector: (entry: { text: string }) => entry.text,
    casing: 'case-insensitive',
  });
  const found: { item: (typeof entries)[number]; score: number }[] = finder.find(query);
  const best = new Map<Item, { score: number; index: number }>();
  for (const { item: entry, score } of found) {
    const rated = score + bonus(query, entry.text);
    const known = best.get(entry.item);
    if (!known || known.score < rated) best.set(entry.item, { score: rated, index: entry.index });
  }
  return [...best].sort(([, a], [, b]) => b.score - a.score || a.index - b.index).map(([item]) => item);
}

/** An exact match comes first, then texts that start with the query. */
function bonus(query: string, text: string): number {
  const [typed, whole] = [query.toLowerCase(), text.toLowerCase()];
  if (typed === whole) return 2_000_000;
  return whole.startsWith(typed) ? 1_000_000 - whole.length : 0;
}
