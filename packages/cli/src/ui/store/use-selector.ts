/** Reads the store from components. */
import { useSyncExternalStore } from 'react';
import type { UiState } from './state.js';
import type { Store } from './store.js';

/** Renders again only when the selected part has changed. */
export function useSelector<T>(store: Store, select: (state: UiState) => T): T {
  return useSyncExternalStore(store.subscribe, () => select(store.getState()));
}
