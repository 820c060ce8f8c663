/** Puts the parts of the screen together and decides when they are drawn: a key at once, everything else soon. */
import type { Settings, TelemetryRecorder } from '@gemini-cli/core';
import type { HistoryItem } from '../../../history/item.js';
import type { Cursor, FrameOutput } from '../../../terminal/frame-writer.js';
import type { InputArea } from '../../composer/input-area.js';
import { ContentWindow, contentLines, shownPending } from '../../history/main-content.js';
import type { InkSurface } from '../../ink-surface.js';
import { drawerLines } from '../../layout/drawer.js';
import { footerLines } from '../../layout/footer.js';
import { statusLines } from '../../layout/status.js';
import type { Look } from '../../look.js';
import { grammarsLoaded, grammarsPending, onGrammarLoaded } from '../../markdown/highlight.js';
import type { UiState } from '../../store/state.js';
import type { Store } from '../../store/store.js';
import { Announcements } from './announcements.js';
import { linearFrame } from './linear.js';
import { phrasesAt } from './phrases.js';
import { type Block, newestLines, writtenAgain } from './written-again.js';

export interface ScreenOptions {
  store: Store;
  writer: FrameOutput;
  look: () => Look;
  settings: () => Settings;
  now: () => number;
  /** The input box with its suggestions, in so many rows at most. */
  input: (look: Look, maxRows: number) => InputArea;
  /** The pane of background tasks. */
  tasks: (look: Look, height: number) => string[];
  /** What Ink shows instead of the input; undefined: nothing is open. */
  surface: () => Pick<InkSurface, 'lines'> | undefined;
  /** The alternate buffer is used. */
  fullScreen: boolean;
  /** The terminal can only print, and echoes input itself. */
  isPlain: boolean;
  telemetry: () => TelemetryRecorder;
}

const TICK_MS = 120;
/** A frame that takes longer delays the echo of a key so much that users notice. */
const SLOW_FRAME_MS = 50;
/** The header, as a block of lines; history items have their ids. */
const HEAD = 0;
/** Lines written per turn: a resumed session has thousands. */
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
  private readonly window = new ContentWindow();
  private readonly announcements: Announcements;
  /** The frame frozen by copy mode; empty: none. */
  private frozen = '';
  private clearCount = 0;
  private wipeCount = 0;
  private withdrawCount = 0;
  private frameRows = 0;
  /** Not always the same one. */
  private readonly firstPhrase: number;

  constructor(private readonly options: ScreenOptions) {
    this.announcements = new Announcements(options.isPlain ? 'Ctrl+C' : 'Esc');
    this.firstPhrase = Math.floor(options.now() / 1000) % 1000;
    options.store.subscribe(() => this.schedule());
    onGrammarLoaded(() => this.schedule());
  }

  /** Draws in the next turn of the event loop; many changes become one frame. */
  schedule(): void {
    if (this.isScheduled || this.isStopped) return;
    this.isScheduled = true;
    setImmediate(() => {
      if (this.isScheduled) this.draw();
    });
  }

  draw(): void {
    const started = this.options.now();
    this.drawFrame();
    const ms = this.options.now() - started;
    if (ms >= SLOW_FRAME_MS) this.options.telemetry().histogram('gemini_cli.ui.slow_render.latency', ms, {});
  }

  private drawFrame(): void {
    this.isScheduled = false;
    if (this.isStopped) return;
    const { store, writer, look: makeLook, fullScreen } = this.options;
    const state = store.getState();
    const look = makeLook();
    this.keepTicking(state);
    if (this.isFrozen(state)) return;
    this.followClear(state);
    this.followWithdrawal(state);
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
      ? this.window.lines(state, look, room)
      : isBehind
        ? []
        : cutAbove(liveLines(state, this.settledId, look, state.rows), room, look);
    this.frameRows = above.length + lines.length;
    writer.draw([...above, ...lines], cursor && { row: cursor.row + above.length, column: cursor.column });
  }

  /** The header, above everything else; drawn again when the width changes. */
  setHead(draw: (look: Look) => string[]): void {
    this.head = draw;
    const lines = draw(this.options.look());
    if (this.options.fullScreen) this.window.setHead(lines);
    else this.options.writer.settle(lines, HEAD);
    this.schedule();
  }

  /**
   * A narrower window wraps what is there, frame and all, in ways that cannot be followed while the user drags its
   * edge. When that is over, what is on the screen is written again; what has left it stays as the terminal wrapped it.
   */
  reprint(): void {
    const { store, look, fullScreen } = this.options;
    if (this.isStopped) return;
    // What a screen reader has read is not repeated.
    if (!fullScreen && !look().screenReader) this.writeAgain(store.getState());
    this.draw();
  }

  /** The newest screenful on an empty screen. The old one moves into the scrollback, garbled or not. */
  refresh({ sinceLastPrompt = false } = {}): void {
    const { writer, store, look, fullScreen } = this.options;
    if (this.isStopped) return;
    if (!look().screenReader) {
      const { history, rows } = store.getState();
      writer.scrollAway();
      const asked =
        sinceLastPrompt && history.findLast(({ type }) => type === 'user' || type === 'user_shell');
      const from = asked ? asked.id : undefined;
      if (!fullScreen) this.settleBlocks(newestLines(this.blocks(history), rows - this.frameRows, from));
    }
    this.draw();
  }

  /** The position of the history window. */
  get scrollOffset(): number {
    return this.window.offsetOf(this.options.store.getState());
  }

  /** How far the history can be scrolled up. */
  get maxScroll(): number {
    return this.window.maxScroll;
  }

  /** Writes the rest of the history and removes the frame. */
  finish(): void {
    clearInterval(this.ticker);
    const state = this.options.store.getState();
    this.followClear(state);
    this.settleNew(state, this.options.look(), { isLast: true });
    this.options.writer.draw([], { row: 0, column: 0 });
    this.isStopped = true;
  }

  /** The history was cleared: its ids start again at 1. */
  private followClear({ clearCount, wipeCount }: UiState): void {
    if (clearCount === this.clearCount) return;
    this.clearCount = clearCount;
    this.settledId = 0;
    this.window.clear();
    if (wipeCount === this.wipeCount) this.options.writer.scrollAway();
    else this.options.writer.clear();
    this.wipeCount = wipeCount;
  }

  /** A prompt that returned to the input disappears from above it. */
  private followWithdrawal(state: UiState): void {
    const { fullScreen, look } = this.options;
    if (state.withdrawCount === this.withdrawCount) return;
    this.withdrawCount = state.withdrawCount;
    if (!fullScreen && !look().screenReader) this.writeAgain(state);
  }

  private writeAgain({ history }: UiState): void {
    const { writer } = this.options;
    const blocks = writtenAgain(writer.rewind(), {
      draw: (block) => this.drawBlock(history, block),
      kept: (block) => writer.keptLines(block),
    });
    this.settleBlocks(blocks);
  }

  /** What is written of the conversation, newest first. */
  private *blocks(history: readonly HistoryItem[]): Generator<Block> {
    for (const { id } of history.toReversed()) {
      const lines = id > this.settledId ? undefined : this.drawBlock(history, id);
      if (lines) yield { lines, block: id };
    }
    if ((history[0]?.id ?? 1) === 1) yield { lines: this.head(this.options.look()), block: HEAD };
  }

  private drawBlock(history: readonly HistoryItem[], block: number): string[] | undefined {
    const look = this.options.look();
    if (block === HEAD) return this.head(look);
    const index = history.findIndex(({ id }) => id === block);
    const item = history[index];
    return item && contentLines([item], history[index - 1], look);
  }

  private settleBlocks(blocks: readonly Block[]): void {
    for (const { lines, block } of blocks) this.options.writer.settle(lines, block);
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
      const lines = contentLines([item], history[index - 1], look);
      // What is in the scrollback stays as it is: code waits for its colours.
      if (grammarsPending() && !isLast) {
        void grammarsLoaded().then(() => this.schedule());
        return false;
      }
      this.options.writer.settle(lines, item.id);
      this.settledId = item.id;
      written += lines.length;
    }
    return false;
  }

  /** What is written stays; only the input line is drawn again. */
  private drawLinear(state: UiState, look: Look): void {
    const { writer } = this.options;
    const isAllWritten = (state.history.at(-1)?.id ?? 0) <= this.settledId;
    if (isAllWritten) writer.settle(this.announcements.lines(state));
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
    const now = this.options.now();
    if (surface && ui?.collapseDrawerDuringApproval !== false)
      return { lines: this.fitted(surface.lines(), state) };
    const tasks = state.showTasks ? this.options.tasks(look, Math.max(4, Math.floor(state.rows / 2))) : [];
    const drawer = [...tasks, ...drawerLines(state, look)];
    const status = statusLines(state, look, {
      now,
      tick: this.tick,
      showSpinner: ui?.showSpinner ?? true,
      showShortcutsHint: ui?.showShortcutsHint ?? true,
      showContextSummary: !ui?.hideContextSummary,
      ...(state.streaming !== 'idle' && phrasesAt(ui, now - state.startedAt, this.firstPhrase)),
    });
    const footer = ui?.hideFooter || state.isMinimal ? [] : footerLines(state, look, ui);
    // A low window loses drawer and footer first; the input stays.
    const room = state.rows - INPUT_ROWS;
    const note = isSmall(state) && state.streaming === 'idle' ? [smallNote(state, look)] : [];
    const fits = room >= drawer.length + note.length + status.length + footer.length;
    const last = note.length > 0 ? note : status.slice(-1);
    const head = fits ? [...drawer, ...note, ...status] : [...drawer.slice(-Math.max(1, room - 1)), ...last];
    const foot = fits ? footer : [];
    if (surface) {
      const lines = this.fitted(surface.lines(), state);
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

  /** What does not fit the terminal is cut; otherwise the screen would flicker. */
  private fitted(lines: readonly string[], { rows }: UiState): readonly string[] {
    if (lines.length <= rows) return lines;
    this.options.telemetry().count('gemini_cli.ui.flicker.count', 1, {});
    return lines.slice(0, rows);
  }

  /** Only while work is running: an idle screen costs nothing. */
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

/** Only a note about the size is shown. */
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

/** What still changes, below what is settled but not yet written. */
function liveLines(state: UiState, settledId: number, look: Look, height: number): string[] {
  const { history } = state;
  const waiting = history.filter(({ id }) => id > settledId);
  const before = history[history.length - waiting.length - 1];
  return contentLines([...waiting, ...shownPending(state)], before, look, height);
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
