/** Moves items from live to settled: an item gets its number and never changes again. */
import type { HistoryItem, HistoryItemWithoutId } from '../../history/item.js';
import type { UiState } from './state.js';

/** Older items are in the scrollback and in the session file. */
const WINDOW = 1000;

export function settle(state: UiState, items: readonly HistoryItemWithoutId[]): UiState {
  if (items.length === 0) return state;
  const first = state.lastId + 1;
  const added = items.map((item, index): HistoryItem => ({ ...item, id: first + index }));
  const all = [...state.history, ...added];
  return {
    ...state,
    lastId: state.lastId + items.length,
    history: all.length > WINDOW ? all.slice(all.length - WINDOW) : all,
  };
}
