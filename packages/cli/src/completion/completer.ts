/** The list of suggestions for the typed text. It never delays a key and drops late answers. */
import type { Accepted, CompletionSource, Suggestions, SuggestionsView } from './types.js';

export interface Completer {
  /** Called after every change of text or cursor. `asked`: the user pressed Tab. */
  update(text: string, cursor: number, options?: { asked?: boolean }): void;
  subscribe(listener: () => void): () => void;
  /** Returns the same object until something changes. */
  getState(): SuggestionsView;
  /** @returns undefined when there is nothing to accept: Enter sends the line as typed */
  accept(by?: 'tab' | 'enter'): Accepted | undefined;
  /** Moves the selection up or down and wraps at the ends. */
  move(steps: number): void;
  /** Closes the list until the text changes (Esc). */
  close(): void;
}

export interface CompleterOptions {
  /** A shorter wait is not shown. */
  loadingAfterMs?: number;
}

const CLOSED: SuggestionsView = { items: [], selected: -1, isLoading: false, total: 0 };

export function createCompleter(
  sources: readonly CompletionSource[],
  { loadingAfterMs = 200 }: CompleterOptions = {},
): Completer {
  const listeners = new Set<() => void>();
  let view = CLOSED;
  /** The suggestions in `view`, and the text they belong to. */
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
    // More of the same list: keep the user's selection.
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
