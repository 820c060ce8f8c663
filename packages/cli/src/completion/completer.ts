/** The list of suggestions for the text that is being typed. Never makes a key wait; late answers are dropped. */
import type { Accepted, CompletionSource, Suggestions, SuggestionsView } from './types.js';

export interface Completer {
  /** After every change of the text or the cursor. `asked`: by Tab. */
  update(text: string, cursor: number, options?: { asked?: boolean }): void;
  subscribe(listener: () => void): () => void;
  /** The same object until something changes. */
  getState(): SuggestionsView;
  /** Undefined: there is nothing to take; Enter sends the line as it is. */
  accept(by?: 'tab' | 'enter'): Accepted | undefined;
  /** Up or down, around the ends. */
  move(steps: number): void;
  /** Esc: gone until the text changes. */
  close(): void;
}

export interface CompleterOptions {
  /** A wait shorter than this is not shown. */
  loadingAfterMs?: number;
}

const CLOSED: SuggestionsView = { items: [], selected: -1, isLoading: false, total: 0 };

export function createCompleter(
  sources: readonly CompletionSource[],
  { loadingAfterMs = 200 }: CompleterOptions = {},
): Completer {
  const listeners = new Set<() => void>();
  let view = CLOSED;
  /** What `view` shows, and for which text. */
  let shown: (Suggestions & { text: string }) | undefined;
  let current: { text: string; cursor: number } | undefined;
  let running: AbortController | undefined;
  let timer: NodeJS.Timeout | undefined;
  let openSource: CompletionSource | undefined;
  let isAsked = false;

  const set = (next: SuggestionsView) => {
    if (next === view) return;
    view = next;
    for (const listener of [...listeners]) listener();
  };
  const stop = () => {
    running?.abort();
    running = undefined;
    clearTimeout(timer);
  };
  const reset = () => {
    stop();
    shown = undefined;
    openSource = undefined;
    isAsked = false;
    set(CLOSED);
  };
  const show = (suggestions: Suggestions | undefined, text: string, isLoading: boolean) => {
    if (!suggestions || (suggestions.items.length === 0 && !isLoading)) {
      shown = undefined;
      set(CLOSED);
      return;
    }
    const { items, preselect = true } = suggestions;
    // More of the same list: what the user has chosen stays chosen.
    const kept = shown?.text === text && view.selected > 0 ? view.items[view.selected]?.value : undefined;
    const index = kept === undefined ? -1 : items.findIndex(({ value }) => value === kept);
    const first = items.length > 0 && preselect ? 0 : -1;
    shown = { ...suggestions, text };
    set({ items, selected: index >= 0 ? index : first, isLoading, total: items.length });
  };

  return {
    update(text, cursor, { asked = false } = {}) {
      if (!asked && current?.text === text && current.cursor === cursor) return;
      current = { text, cursor };
      stop();
      const controller = new AbortController();
      for (const source of sources) {
        const wasAsked = asked || (isAsked && openSource === source);
        const answer = source.complete({
          text,
          cursor,
          asked: wasAsked,
          signal: controller.signal,
          onPartial: (suggestions) => {
            if (!controller.signal.aborted) show(suggestions, text, true);
          },
        });
        if (answer === undefined) continue;
        openSource = source;
        isAsked = wasAsked;
        if (!(answer instanceof Promise)) return show(answer, text, false);
        running = controller;
        timer = setTimeout(() => set({ ...view, isLoading: true }), loadingAfterMs);
        timer.unref();
        const finish = (suggestions: Suggestions | undefined) => {
          if (running !== controller) return;
          stop();
          show(suggestions, text, false);
        };
        answer.then(finish, () => finish(undefined));
        return;
      }
      reset();
    },
    subscribe(listener) {
      listeners.add(listener);
      return () => void listeners.delete(listener);
    },
    getState: () => view,
    accept(by = 'tab') {
      if (!shown || shown.text !== current?.text) return undefined;
      const { text, start, end, items } = shown;
      const chosen = items[view.selected < 0 && by === 'tab' ? 0 : view.selected];
      if (!chosen) return undefined;
      const changed = text.slice(0, start) + chosen.value + text.slice(end);
      const isSame = changed.trimEnd() === text.trimEnd();
      return {
        text: changed,
        cursor: start + chosen.value.length,
        submit: by === 'enter' && (chosen.runs === true || isSame),
      };
    },
    move(steps) {
      const count = view.items.length;
      if (count === 0) return;
      const from = view.selected < 0 && steps < 0 ? 0 : view.selected;
      set({ ...view, selected: (((from + steps) % count) + count) % count });
    },
    close: reset,
  };
}
