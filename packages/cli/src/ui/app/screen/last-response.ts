/**
 * Ctrl+O. The scrollback cannot change: truncated parts of the last response are written again in full.
 */
import type { HistoryItem } from '../../../history/item.js';
import { HIDDEN_HINT } from '../../history/cut.js';
import { linesOf } from '../../history/lines.js';
import type { Look } from '../../look.js';
import type { Store } from '../../store/store.js';
import { stylesOf } from '../../themes/styles.js';
import type { Toasts } from '../context/toasts.js';

export interface LastResponsePorts {
  store: Store;
  toasts: Toasts;
  look: () => Look;
  /** Lines for the scrollback. Absent: in the alternate buffer everything is drawn again. */
  print: ((lines: readonly string[]) => void) | undefined;
}

const TOAST_MS = 5_000;

export class LastResponse {
  private wasBusy = false;
  /** The newest item that was written in full. */
  private printedId = 0;

  constructor(private readonly ports: LastResponsePorts) {}

  /** Called with every new state: at the end of a response, a toast says that it was truncated. */
  update(): void {
    const { store, toasts, look } = this.ports;
    const { streaming, history, toast } = store.getState();
    // A cleared history counts from 1 again.
    if ((history.at(-1)?.id ?? 0) < this.printedId) this.printedId = 0;
    const isBusy = streaming !== 'idle';
    const hasStarted = isBusy && !this.wasBusy;
    const hasEnded = !isBusy && this.wasBusy;
    this.wasBusy = isBusy;
    // Each response is folded at first.
    if (hasStarted) store.dispatch({ type: 'switched', what: 'isExpanded', to: false });
    // What a second key would do is more urgent.
    if (hasEnded && !toast && cutItems(history, look()).some((item) => hasNote(item, look())))
      toasts.show('Press Ctrl+O to show more lines of the last response', 'info', TOAST_MS);
  }

  toggle(): void {
    const { store, look, print, toasts } = this.ports;
    const { history, isExpanded, streaming } = store.getState();
    // With the look as it was: once expanded, nothing is cut.
    const cut = isExpanded
      ? []
      : [...cutPrompt(history, look()), ...cutItems(history, look())].filter(({ id }) => id > this.printedId);
    store.dispatch({ type: 'toggled', what: 'isExpanded' });
    toasts.clear();
    if (!print || streaming !== 'idle' || cut.length === 0) return;
    this.printedId = cut.at(-1)?.id ?? this.printedId;
    print(inFull(cut, look()));
  }
}

/** The truncated items of the last response. */
function cutItems(history: readonly HistoryItem[], look: Look): HistoryItem[] {
  return history
    .slice(lastPrompt(history) + 1)
    .filter((item) => item.type === 'tool_group' && isCut(item, look));
}

/** The prompt of the last response, if it holds a folded paste. */
function cutPrompt(history: readonly HistoryItem[], look: Look): HistoryItem[] {
  const prompt = history[lastPrompt(history)];
  return prompt && isCut(prompt, look) ? [prompt] : [];
}

function lastPrompt(history: readonly HistoryItem[]): number {
  return history.findLastIndex(({ type }) => type === 'user' || type === 'user_shell');
}

/** Lists that are folded into one line say so by their summary; only cut output has a note. */
function hasNote(item: HistoryItem, look: Look): boolean {
  return linesOf(item, look).some((line) => line.includes(HIDDEN_HINT));
}

function isCut(item: HistoryItem, look: Look): boolean {
  return linesOf(item, { ...look, expanded: true }).length > linesOf(item, look).length;
}

function inFull(items: readonly HistoryItem[], look: Look): string[] {
  const full = { ...look, expanded: true };
  const title = look.paint('In full:', stylesOf(look.theme).secondary);
  return ['', title, ...items.flatMap((item) => linesOf(item, full))];
}
