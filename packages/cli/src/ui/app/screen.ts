/** Puts the parts of the screen together and decides when they are drawn: a key at once, everything else soon. */
import type { Settings } from '@gemini-cli/core';
import type { HistoryItemWithoutId } from '../../history/item.js';
import type { Cursor, FrameOutput } from '../../terminal/frame-writer.js';
import { gapBefore, linesOf } from '../history/lines.js';
import type { InkSurface } from '../ink-surface.js';
import { drawerLines } from '../layout/drawer.js';
import { footerLines } from '../layout/footer.js';
import { statusLines } from '../layout/status.js';
import type { Look } from '../look.js';
import { grammarsLoaded, grammarsPending, onGrammarLoaded } from '../markdown/highlight.js';
import type { UiState } from '../store/state.js';
import type { Store } from '../store/store.js';
import { HistoryView } from './history-view.js';
import { linearFrame } from './linear.js';
import type { Phrases } from './phrases.js';
import { Spoken } from './spoken.js';

export interface InputArea {
  lines: string[];
  cursor: Cursor;
}

export interface ScreenOptions {
  store: Store;
  writer: FrameOutput;
  look: () => Look;
  settings: () => Settings;
  now: () => number;
  /** The input box with its suggestions, in so many rows at most. */
  input: (look: Look, maxRows: number) => InputArea;
  shortcuts: (look: Look) => string[];
  /** The pane of background tasks. */
  tasks: (look: Look, height: number) => string[];
  phrases: () => Phrases;
  /** What Ink shows in place of the input; undefined: nothing is open. */
  surface: () => Pick<InkSurface, 'lines'> | undefined;
  /** The screen is ours alone. */
  fullScreen: boolean;
  /** The terminal can only print: it shows by itself what is typed. */
  isPlain: boolean;
}

const TICK_MS = 120;
const REPRINTED_ITEMS = 200;
/** Lines. An earlier session has thousands of them. */
const SETTLED_AT_ONCE = 100;
/** A line to type in with its edges, and some of the history. */
const INPUT_ROWS = 6;
const TOO_SMALL = { columns: 20, rows: 5 };
const COMFORTABLE = { columns: 40, rows: 10 };

export class Screen {
  private settledId = 0;
  private head: (look: Look) => string[] = () => [];
  private isScheduled = false;
  private ticker: NodeJS.Timeout | undefined;
  private tick = 0;
  private isStopped = false;
  private readonly view = new HistoryView();
  private readonly spoken: Spoken;
  /** What copy mode has frozen; empty: nothing. */
  private frozen = '';

  constructor(private readonly options: ScreenOptions) {
    this.spoken = new Spoken(options.isPlain ? 'Ctrl+C' : 'Esc');
    options.store.subscribe(() => this.schedule());
    onGrammarLoaded(() => this.schedule());
  }

  /** In the next turn of the event loop; many changes become one frame. */
  schedule(): void {
    if (this.isScheduled || this.isStopped) return;
    this.isScheduled = true;
    setImmediate(() => {
      if (this.isScheduled) this.draw();
    });
  }

  draw(): void {
    this.isScheduled = false;
    if (this.isStopped) return;
    const { store, writer, look: makeLook, fullScreen } = this.options;
    const state = store.getState();
    const look = makeLook();
    this.keepTicking(state);
    if (this.isFrozen(state)) return;
    const isBehind = !fullScreen && this.settleNew(state, look);
    if (look.screenReader) {
      this.drawLinear(state, look);
      return;
    }
    if (isTooSmall(state)) {
      writer.draw([`too small: ${state.columns}x${state.rows}`.slice(0, state.columns)]);
      return;
    }
    const { lines, cursor } = this.bottom(state, look);
    const room = Math.max(0, state.rows - lines.length - (fullScreen ? 0 : 1));
    const above = fullScreen
      ? this.view.lines(state, look, room)
      : isBehind
        ? []
        : cutAbove(liveLines(state, this.settledId, look, state.rows), room, look);
    writer.draw([...above, ...lines], cursor && { row: cursor.row + above.length, column: cursor.column });
  }

  /** The header: above everything else, drawn anew when the width changes. */
  setHead(draw: (look: Look) => string[]): void {
    this.head = draw;
    const lines = draw(this.options.look());
    if (this.options.fullScreen) this.view.setHead(lines);
    else this.options.writer.settle(lines);
    this.schedule();
  }

  /**
   * A narrower window wraps what is there, frame and all, in ways that cannot be followed while the user drags its
   * edge. Once that is over, the newest part of the history is written anew.
   */
  reprint(): void {
    const { writer, store, look, fullScreen } = this.options;
    if (fullScreen || this.isStopped) return;
    // What was heard is not said again.
    if (look().screenReader) {
      this.draw();
      return;
    }
    writer.clear();
    const { history } = store.getState();
    const isAll = history.length <= REPRINTED_ITEMS && (history[0]?.id ?? 1) === 1;
    if (isAll) writer.settle(this.head(look()));
    this.settledId = history[Math.max(0, history.length - REPRINTED_ITEMS) - 1]?.id ?? 0;
    this.draw();
  }

  /** After `/clear`: numbers begin anew. */
  forgetSettled(): void {
    this.settledId = 0;
    this.view.clear();
  }

  /** Where the window of the history stands. */
  get scrollOffset(): number {
    return this.view.offsetOf(this.options.store.getState());
  }

  /** How far the history can be scrolled up. */
  get maxScroll(): number {
    return this.view.maxScroll;
  }

  /** The last of the history is written; the frame goes away. */
  finish(): void {
    clearInterval(this.ticker);
    this.settleNew(this.options.store.getState(), this.options.look(), { isLast: true });
    this.options.writer.draw([], { row: 0, column: 0 });
    this.isStopped = true;
  }

  /** @returns true: there is more to write; it waits, so that keys are echoed in between */
  private settleNew({ history }: UiState, look: Look, { isLast = false } = {}): boolean {
    const first = history.findIndex(({ id }) => id > this.settledId);
    if (first < 0) return false;
    let written = 0;
    for (let index = first; index < history.length; index++) {
      const item = history[index];
      if (!item) break;
      if (written > SETTLED_AT_ONCE && !isLast) {
        this.schedule();
        return true;
      }
      const lines = withGap(history[index - 1], item, look);
      // What is in the scrollback stays as it is: code waits for its colours.
      if (grammarsPending() && !isLast) {
        void grammarsLoaded().then(() => this.schedule());
        return false;
      }
      this.options.writer.settle(lines);
      this.settledId = item.id;
      written += lines.length;
    }
    return false;
  }

  /** Nothing that was written changes; only what one types in is drawn anew. */
  private drawLinear(state: UiState, look: Look): void {
    const { writer } = this.options;
    const isAllWritten = (state.history.at(-1)?.id ?? 0) <= this.settledId;
    if (isAllWritten) writer.settle(this.spoken.lines(state));
    const { lines, cursor } = linearFrame(state, look, this.options);
    writer.draw(lines, cursor);
  }

  /** In copy mode the screen holds still, so that something can be selected; scrolling moves it. */
  private isFrozen({ isCopyMode, scrollOffset, columns, rows }: UiState): boolean {
    const before = this.frozen;
    this.frozen = isCopyMode ? `${scrollOffset} ${columns} ${rows}` : '';
    return this.frozen !== '' && this.frozen === before;
  }

  private bottom(state: UiState, look: Look): { lines: readonly string[]; cursor?: Cursor } {
    const surface = this.options.surface();
    const { ui } = this.options.settings();
    if (surface && ui?.collapseDrawerDuringApproval !== false)
      return { lines: surface.lines().slice(0, state.rows) };
    const tasks = state.showTasks ? this.options.tasks(look, Math.max(4, Math.floor(state.rows / 2))) : [];
    const drawer = [...tasks, ...drawerLines(state, look, () => this.options.shortcuts(look))];
    const status = statusLines(state, look, {
      now: this.options.now(),
      tick: this.tick,
      showSpinner: ui?.showSpinner ?? true,
      showShortcutsHint: ui?.showShortcutsHint ?? true,
      showContextSummary: !ui?.hideContextSummary,
      ...this.options.phrases(),
    });
    const footer = ui?.hideFooter || state.isMinimal ? [] : footerLines(state, look, ui?.footer);
    // A low window loses the frills first; the input stays.
    const room = state.rows - INPUT_ROWS;
    const note = isSmall(state) && state.streaming === 'idle' ? [smallNote(state, look)] : [];
    const fits = room >= drawer.length + note.length + status.length + footer.length;
    const last = note.length > 0 ? note : status.slice(-1);
    const head = fits ? [...drawer, ...note, ...status] : [...drawer.slice(-Math.max(1, room - 1)), ...last];
    const foot = fits ? footer : [];
    if (surface) {
      const lines = surface.lines().slice(0, state.rows);
      const hasRoom = lines.length + head.length + foot.length <= state.rows;
      return { lines: hasRoom ? [...head, ...lines, ...foot] : lines };
    }
    const maxRows = Math.max(3, state.rows - head.length - foot.length - 1);
    const input = this.options.input(look, maxRows);
    return {
      lines: [...head, ...input.lines, ...foot],
      cursor: { row: head.length + input.cursor.row, column: input.cursor.column },
    };
  }

  /** Only while something is going on: an idle screen costs nothing. */
  private keepTicking({ streaming, showTasks, isCopyMode }: UiState): void {
    const isMoving = (streaming === 'responding' || showTasks) && !isCopyMode;
    const isLively = isMoving && !this.options.look().screenReader;
    if (!isLively) {
      clearInterval(this.ticker);
      this.ticker = undefined;
      return;
    }
    this.ticker ??= setInterval(() => {
      this.tick++;
      this.draw();
    }, TICK_MS);
  }
}

/** Nothing but this fact is shown. */
export function isTooSmall({ columns, rows }: Pick<UiState, 'columns' | 'rows'>): boolean {
  return columns < TOO_SMALL.columns || rows < TOO_SMALL.rows;
}

function isSmall({ columns, rows }: UiState): boolean {
  return columns < COMFORTABLE.columns || rows < COMFORTABLE.rows;
}

function smallNote({ columns, rows }: UiState, look: Look): string {
  const text = `Small: ${columns}x${rows}, better 40x10`;
  return look.paint(text.slice(0, look.width), { color: look.theme.status.warning });
}

/** What is live, below what is settled but not yet written. */
function liveLines({ history, pending }: UiState, settledId: number, look: Look, height: number): string[] {
  const waiting = history.filter(({ id }) => id > settledId);
  const items: HistoryItemWithoutId[] = [...waiting, ...pending];
  const before = history[history.length - waiting.length - 1];
  return items.flatMap((item, index) => withGap(items[index - 1] ?? before, item, look, height));
}

function withGap(
  before: HistoryItemWithoutId | undefined,
  item: HistoryItemWithoutId,
  look: Look,
  height?: number,
): readonly string[] {
  const lines = linesOf(item, look, height === undefined ? {} : { height });
  return lines.length > 0 && gapBefore(before, item, look) === 1 ? ['', ...lines] : lines;
}

/** The end is what changes; what does not fit is counted. */
function cutAbove(lines: string[], room: number, look: Look): string[] {
  if (lines.length <= room) return lines;
  if (room === 0) return [];
  const hidden = lines.length - room + 1;
  const note = look.paint(`  … ${hidden} lines above, shown when finished`, {
    color: look.theme.text.secondary,
  });
  return [note, ...lines.slice(hidden)];
}
