/**
 * A screen model for commands that move the cursor: what a user would see, as text and as styled cells. Lines
 * that scroll out of the model are kept as text, because a line of cells takes about a kilobyte.
 */
import type { IBuffer, IBufferCell, IMarker, Terminal } from '@xterm/headless';
import type { AnsiLine, AnsiOutput, AnsiToken } from '../../protocol/tool-display.js';
import type { TerminalSize } from '../process/command-process.js';
import { TailBuffer } from '../process/tail-buffer.js';
import { cutMarker, KEPT_BYTES } from '../process/text-sink.js';

export interface ScreenOptions {
  size: TerminalSize;
  showColor: boolean;
  onReply: (data: string) => void;
}

const MODEL_LINES = 10_000;
/** Bytes parsed at a time; at most this many lines can scroll out before we save them. */
const SLICE_BYTES = 4096;
/** Lines of styled output kept when the command has ended. */
export const DISPLAYED_LINES = 1000;

export async function openXtermScreen(options: ScreenOptions): Promise<XtermScreen> {
  const module = await import('@xterm/headless');
  // Node loads it as a CommonJS module, a bundler sees named exports.
  const { Terminal: TerminalClass } = 'Terminal' in module ? module : namedExports(module);
  const terminal = new TerminalClass({
    cols: options.size.columns,
    rows: options.size.rows,
    scrollback: MODEL_LINES,
    allowProposedApi: true,
    logLevel: 'off',
  });
  return new XtermScreen(terminal, options);
}

function namedExports(module: object): typeof import('@xterm/headless') {
  if ('default' in module && typeof module.default === 'object' && module.default !== null) {
    if ('Terminal' in module.default) return module.default as typeof import('@xterm/headless');
  }
  throw new Error('The screen model could not be loaded.');
}

export class XtermScreen {
  private readonly history = new TailBuffer(KEPT_BYTES);
  /** First line of the model that is not in the history yet. */
  private unsaved: IMarker | undefined;
  /** Bytes handed to the model and not parsed yet. */
  backlog = 0;
  private readonly onSettled: (() => void)[] = [];

  constructor(
    private readonly terminal: Terminal,
    private readonly options: ScreenOptions,
  ) {
    terminal.onData(options.onReply);
  }

  write(chunk: Buffer): void {
    for (let start = 0; start < chunk.length; start += SLICE_BYTES) {
      const slice = chunk.subarray(start, start + SLICE_BYTES);
      this.backlog += slice.length;
      this.terminal.write(slice, () => this.parsed(slice.length));
    }
  }

  settle(): Promise<void> {
    if (this.backlog === 0) return Promise.resolve();
    return new Promise((resolve) => this.onSettled.push(resolve));
  }

  /** Everything printed so far, wrapped lines joined. */
  text(): string {
    const { normal, active } = this.terminal.buffer;
    const history = this.history.tail().toString('utf8');
    let text = history + joinLines(normal, this.firstUnsaved(), normal.length);
    // A full-screen program is still open: what it shows belongs to the output.
    if (active.type === 'alternate') text += `\n${joinLines(active, 0, active.length)}`;
    const marker = this.history.isCut ? `${cutMarker(this.history.total - KEPT_BYTES)}\n` : '';
    return marker + text.trimEnd();
  }

  visibleText(): string {
    const buffer = this.terminal.buffer.active;
    return joinLines(buffer, buffer.baseY, buffer.length).trimEnd();
  }

  visible(): AnsiOutput {
    const buffer = this.terminal.buffer.active;
    return this.gridOf(buffer, buffer.baseY);
  }

  lastLines(): AnsiOutput {
    const buffer = this.terminal.buffer.active;
    const used = buffer.baseY + buffer.cursorY + 1;
    return this.gridOf(buffer, Math.max(0, used - DISPLAYED_LINES));
  }

  resize(columns: number, rows: number): void {
    this.terminal.resize(columns, rows);
  }

  dispose(): void {
    this.history.clear();
    this.terminal.dispose();
  }

  private parsed(bytes: number): void {
    this.backlog -= bytes;
    this.saveScrolledLines();
    if (this.backlog === 0) for (const resolve of this.onSettled.splice(0)) resolve();
  }

  private saveScrolledLines(): void {
    const { normal, active } = this.terminal.buffer;
    const first = this.firstUnsaved();
    // The next slice must not push unsaved lines out of the model.
    if (active.type !== 'normal' || normal.baseY - first < MODEL_LINES - 2 * SLICE_BYTES) return;
    let end = normal.baseY;
    while (end > first && normal.getLine(end)?.isWrapped) end--;
    if (end === first) return;
    this.history.push(Buffer.from(joinLines(normal, first, end)));
    this.unsaved?.dispose();
    this.unsaved = this.terminal.registerMarker(end - (normal.baseY + normal.cursorY));
  }

  private firstUnsaved(): number {
    return this.unsaved && !this.unsaved.isDisposed ? Math.max(0, this.unsaved.line) : 0;
  }

  private gridOf(buffer: IBuffer, first: number): AnsiOutput {
    const lines: AnsiOutput = [];
    const cell = buffer.getNullCell();
    for (let y = first; y < buffer.length; y++) lines.push(this.styledLine(buffer, y, cell));
    while (lines.at(-1)?.length === 0) lines.pop();
    return lines;
  }

  private styledLine(buffer: IBuffer, y: number, cell: IBufferCell): AnsiLine {
    const line = buffer.getLine(y);
    const tokens: AnsiLine = [];
    for (let x = 0; line && x < line.length; x++) {
      if (!line.getCell(x, cell) || cell.getWidth() === 0) continue;
      const style = this.styleOf(cell);
      const text = cell.getChars() || ' ';
      const last = tokens.at(-1);
      if (last && isSameStyle(last, style)) last.text += text;
      else tokens.push({ text, ...style });
    }
    return withoutBlankEnd(tokens);
  }

  private styleOf(cell: IBufferCell): Omit<AnsiToken, 'text'> {
    const { showColor } = this.options;
    return {
      bold: cell.isBold() !== 0,
      italic: cell.isItalic() !== 0,
      underline: cell.isUnderline() !== 0,
      dim: cell.isDim() !== 0,
      inverse: cell.isInverse() !== 0,
      fg: showColor ? colour(cell.isFgRGB(), cell.isFgPalette(), cell.getFgColor()) : '',
      bg: showColor ? colour(cell.isBgRGB(), cell.isBgPalette(), cell.getBgColor()) : '',
    };
  }
}

/** Each line ends with a line feed. */
function joinLines(buffer: IBuffer, first: number, end: number): string {
  let text = '';
  for (let y = first; y < end; y++) {
    const isContinued = buffer.getLine(y + 1)?.isWrapped === true;
    text += buffer.getLine(y)?.translateToString(!isContinued) ?? '';
    if (!isContinued) text += '\n';
  }
  return text;
}

function colour(isRgb: boolean, isPalette: boolean, value: number): string {
  if (isRgb) return `#${value.toString(16).padStart(6, '0')}`;
  return isPalette ? String(value) : '';
}

function isSameStyle(a: AnsiToken, b: Omit<AnsiToken, 'text'>): boolean {
  return (
    a.fg === b.fg &&
    a.bg === b.bg &&
    a.bold === b.bold &&
    a.italic === b.italic &&
    a.underline === b.underline &&
    a.dim === b.dim &&
    a.inverse === b.inverse
  );
}

function withoutBlankEnd(tokens: AnsiLine): AnsiLine {
  const last = tokens.at(-1);
  const isBare = last?.bg === '' && !last.inverse && !last.underline;
  if (!isBare) return tokens;
  const text = last.text.trimEnd();
  return text ? [...tokens.slice(0, -1), { ...last, text }] : tokens.slice(0, -1);
}
