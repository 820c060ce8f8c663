/**
 * Draws a frame of lines at the bottom of the terminal and writes only the lines that changed. Settled lines are
 * written above the frame once and then belong to the scrollback.
 *
 * The only part of the program that moves the cursor. It does not know what the lines mean. What is in the scrollback
 * belongs to the user: only `clear` erases it.
 */
import { type SettledLine, SettledLines } from './settled-lines.js';

export interface FrameSize {
  columns: number;
  rows: number;
}

export interface Cursor {
  row: number;
  column: number;
}

export interface FrameWriterOptions {
  write: (data: string) => void;
  size: () => FrameSize;
  /** Columns of a line, without its escape sequences. */
  widthOf: (line: string) => number;
  /** For xterm.js (VS Code): on a resize its cursor also moves down by rows that are rewrapped below it. */
  sinksOnReflow?: boolean;
  /** False for terminals that cut lines in a narrower window instead of wrapping them. */
  rewraps?: boolean;
}

const BEGIN = '\x1b[?2026h';
const END = '\x1b[?2026l';
const ERASE_LINE = '\x1b[2K';
/** From the second column on: erasing from the top left corner makes tmux keep a copy of the screen in its scrollback. */
const ERASE_BELOW = `${ERASE_LINE}\x1b[C\x1b[J\r`;
const CLEAR_SCREEN = '\x1b[2J\x1b[H';
const CLEAR_ALL = '\x1b[2J\x1b[3J\x1b[H';
/** The terminal cuts a line that is too long, so that it does not push the others down. */
const NO_WRAP = '\x1b[?7l';
const WRAP = '\x1b[?7h';
const HIDE = '\x1b[?25l';
const SHOW = '\x1b[?25h';
const RESET = '\x1b[0m';

/** The public members, which `PlainWriter` implements as well. */
export type FrameOutput = Pick<FrameWriter, keyof FrameWriter>;

export class FrameWriter {
  private shown: readonly string[] = [];
  /** Row of the terminal's cursor in the frame. */
  private row = 0;
  /** Column of the cursor; undefined when unknown. */
  private column: number | undefined;
  private isCursorShown = true;
  /** Written together with the next frame, so that nothing is missing from the screen in between. */
  private erasing = '';
  /** Not written yet. */
  private settled: SettledLine[] = [];
  private readonly written = new SettledLines();
  /** Empty rows below the frame, left by a taller one. */
  private spare = 0;
  private columns: number;
  private isSuspended = false;
  private isFullScreen = false;
  private widthOf: (line: string) => number;

  constructor(private readonly options: FrameWriterOptions) {
    this.columns = options.size().columns;
    this.widthOf = options.widthOf;
  }

  /** Replaces the simple width function of the first paint by an exact one. */
  measureWith(widthOf: (line: string) => number): void {
    this.widthOf = widthOf;
  }

  /** Adds lines to the scrollback; they are written with the next frame. */
  settle(lines: readonly string[], block?: number): void {
    for (const text of lines) this.settled.push({ text, block });
  }

  /** @param cursor absent: the cursor is hidden */
  draw(lines: readonly string[], cursor?: Cursor): void {
    if (this.isSuspended) return;
    const { rows } = this.options.size();
    const cut = Math.max(0, lines.length - rows);
    const frame = cut > 0 ? lines.slice(cut) : lines;
    const place = cursor && { row: cursor.row - cut, column: cursor.column };
    this.spare = Math.max(0, this.spare + this.shown.length - frame.length - this.settled.length);
    const body = this.settled.length > 0 ? this.redraw(frame) : this.change(frame);
    const tail = this.placeCursor(frame, place, body !== '');
    this.shown = frame;
    const all = this.erasing + body + tail;
    this.erasing = '';
    if (all !== '') this.options.write(`${BEGIN}${all}${END}`);
  }

  /** After a resize: erases the frame, which the terminal may have rewrapped; the next `draw` draws all of it. */
  resized(): void {
    const { columns } = this.options.size();
    if (this.isFullScreen) {
      this.forget(CLEAR_SCREEN);
      return;
    }
    // Terminals rewrap the lines of the frame when the window gets narrower.
    const added = (from: number, to?: number) =>
      this.shown.slice(from, to).reduce((sum, line) => sum + this.rowsOf(line, columns) - 1, 0);
    const below = this.options.sinksOnReflow ? added(this.row + 1) : 0;
    // xterm.js does not rewrap the line with the cursor, and mistakes the line it moved down to for that one.
    const own = below > 0 ? added(this.row, this.row + 1) : 0;
    const rowsAbove = this.row + added(0, this.row) + own + below;
    this.spare += this.shown.length;
    this.columns = columns;
    this.forget(`${up(rowsAbove)}\r${ERASE_BELOW}`);
  }

  /**
   * Erases, with the next frame, this one and our lines above it as far as they are on the screen.
   * @returns these lines and those not written yet, to be settled again in their new form
   */
  rewind(): SettledLine[] {
    const { columns, rows } = this.options.size();
    const room = Math.max(0, rows - this.shown.length - this.spare);
    const taken = this.written.takeNewest(room, (line) => this.wrappedRows(line, columns));
    const lines = [...taken.lines, ...this.settled];
    this.settled = [];
    this.spare += this.shown.length + taken.rows;
    this.erasing += `${up(this.row + taken.rows)}\r${ERASE_BELOW}`;
    this.forget('');
    return lines;
  }

  /** The lines of a block that `rewind` left in the scrollback. */
  keptLines(block: number): string[] {
    return this.written.linesOf(block);
  }

  /** Moves everything visible into the scrollback; the next lines begin at the top of an empty screen. */
  scrollAway(): void {
    if (this.isFullScreen) {
      this.forget(CLEAR_SCREEN);
      return;
    }
    const { rows } = this.options.size();
    const pushed = '\n'.repeat(Math.max(0, rows - 1 - this.row));
    this.written.clear();
    this.spare = 0;
    this.forget(`${up(this.row)}\r${ERASE_BELOW}\x1b[${rows};1H${pushed}\x1b[H`);
  }

  /** Erases screen and scrollback, at the user's wish. */
  clear(): void {
    this.settled = [];
    this.written.clear();
    this.spare = 0;
    this.forget(this.isFullScreen ? CLEAR_SCREEN : CLEAR_ALL);
  }

  /** Switches to the alternate screen. */
  enterFullScreen(): void {
    this.isFullScreen = true;
    this.forget('\x1b[?1049h\x1b[2J\x1b[H');
  }

  /** Safe to call twice: outside the alternate screen the sequence would move the cursor. */
  leaveFullScreen(): void {
    if (!this.isFullScreen) return;
    this.isFullScreen = false;
    this.forget('\x1b[?1049l');
  }

  /** Erases the frame so that another program, e.g. an editor, can use the terminal. */
  suspend(): void {
    this.draw([]);
    this.isSuspended = true;
    this.written.clear();
    this.spare = 0;
    this.options.write(`${RESET}${SHOW}`);
    this.isCursorShown = true;
  }

  resume(): void {
    this.isSuspended = false;
    this.written.clear();
    this.shown = [];
    this.row = 0;
    this.column = undefined;
  }

  private forget(data: string): void {
    if (!this.isSuspended && data !== '') {
      this.options.write(`${this.erasing}${data}`);
      this.erasing = '';
    }
    this.shown = [];
    this.row = 0;
    this.column = undefined;
  }

  private rowsOf(line: string, columns: number): number {
    return columns >= this.columns ? 1 : this.wrappedRows(line, columns);
  }

  private wrappedRows(line: string, columns: number): number {
    if (this.options.rewraps === false) return 1;
    return Math.max(1, Math.ceil(this.widthOf(line) / Math.max(1, columns)));
  }

  private redraw(frame: readonly string[]): string {
    const settled = this.settled.map(({ text }) => `${text}${RESET}\r\n`).join('');
    this.written.add(this.settled);
    this.settled = [];
    const start = `${up(this.row)}\r${ERASE_BELOW}`;
    this.row = Math.max(0, frame.length - 1);
    return `${start}${settled}${NO_WRAP}${frame.join(`${RESET}\r\n`)}${RESET}${WRAP}`;
  }

  private change(frame: readonly string[]): string {
    const before = this.shown;
    let body = '';
    const shared = Math.min(before.length, frame.length);
    for (let index = 0; index < shared; index++) {
      if (before[index] === frame[index]) continue;
      body += `${this.moveTo(index)}\r${ERASE_LINE}${frame[index]}${RESET}`;
    }
    if (frame.length > before.length) {
      const added = frame.slice(before.length).join(`${RESET}\r\n`);
      body += before.length === 0 ? added : `${this.moveTo(before.length - 1)}\r\n${added}`;
      body += RESET;
      this.row = frame.length - 1;
    } else if (frame.length < before.length) {
      body += `${this.moveTo(frame.length)}\r${ERASE_BELOW}`;
    }
    return body === '' ? '' : `${NO_WRAP}${body}${WRAP}`;
  }

  private placeCursor(frame: readonly string[], cursor: Cursor | undefined, hasMoved: boolean): string {
    if (!cursor || cursor.row < 0) {
      const tail = this.isCursorShown ? HIDE : '';
      this.isCursorShown = false;
      this.column = undefined;
      // The cursor stays inside the frame, so that rows can be counted from it.
      return `${this.moveTo(Math.max(0, Math.min(this.row, frame.length - 1)))}${tail}`;
    }
    const show = this.isCursorShown ? '' : SHOW;
    this.isCursorShown = true;
    const row = Math.min(cursor.row, Math.max(0, frame.length - 1));
    const isInPlace = !hasMoved && row === this.row && cursor.column === this.column;
    this.column = cursor.column;
    if (isInPlace) return show;
    return `${this.moveTo(row)}\r${cursor.column > 0 ? `\x1b[${cursor.column}C` : ''}${show}`;
  }

  private moveTo(row: number): string {
    const distance = row - this.row;
    this.row = row;
    return distance < 0 ? up(-distance) : distance > 0 ? `\x1b[${distance}B` : '';
  }
}

function up(rows: number): string {
  return rows > 0 ? `\x1b[${rows}A` : '';
}
