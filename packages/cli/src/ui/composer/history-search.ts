/** Ctrl+R search: the input holds the query and the matches are listed; Esc restores the text from before. */
import type { SuggestionsView } from '../../completion/types.js';
import type { TextBuffer } from './text-buffer.js';

export interface HistorySearch {
  /** Oldest first. */
  entries: readonly string[];
  original: TextBuffer;
  query: string;
  /** Newest first. */
  matches: readonly string[];
  selected: number;
}

const LISTED = 100;
/** A prompt may be a whole file; its first characters identify it. */
const LABEL = 300;

export function startSearch(entries: readonly string[], original: TextBuffer): HistorySearch {
  return searchFor({ entries, original, query: '', matches: [], selected: 0 }, '');
}

export function searchFor(search: HistorySearch, query: string): HistorySearch {
  const wanted = query.toLowerCase();
  const matches: string[] = [];
  for (let index = search.entries.length - 1; index >= 0 && matches.length < LISTED; index--) {
    const entry = search.entries[index] ?? '';
    if (entry.toLowerCase().includes(wanted)) matches.push(entry);
  }
  return { ...search, query, matches, selected: 0 };
}

export function moveInSearch(search: HistorySearch, step: number): HistorySearch {
  const count = search.matches.length;
  return count === 0 ? search : { ...search, selected: (search.selected + step + count) % count };
}

export function foundText(search: HistorySearch): string | undefined {
  return search.matches[search.selected];
}

export function searchView(search: HistorySearch): SuggestionsView {
  return {
    items: search.matches.map((text) => ({
      label: text.slice(0, LABEL).replace(/\s+/g, ' ').trim(),
      value: text,
    })),
    selected: search.selected,
    isLoading: false,
    total: search.matches.length,
  };
}
