/** The external store that all parts of the screen read; only the reducer changes it. */
import { reduce, type UiEvent } from './reduce.js';
import type { UiState } from './state.js';

export class Store {
  private readonly listeners = new Set<() => void>();

  constructor(
    private state: UiState,
    private readonly now: () => number = Date.now,
  ) {}

  readonly getState = (): UiState => this.state;

  readonly subscribe = (listener: () => void): (() => void) => {
    this.listeners.add(listener);
    return () => this.listeners.delete(listener);
  };

  dispatch(event: UiEvent): void {
    const next = reduce(this.state, event, this.now());
    if (next === this.state) return;
    this.state = next;
    for (const listener of [...this.listeners]) listener();
  }
}
