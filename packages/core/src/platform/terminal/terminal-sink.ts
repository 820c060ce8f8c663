/**
 * Collects output from a pseudo-terminal. Most commands print plain lines, which need no screen model; it is
 * loaded (about 15 ms) when a control sequence moves the cursor, or when the caller wants a styled grid.
 */
import { cleanTerminalText } from '../../base/ansi.js';
import type { AnsiOutput } from '../../protocol/tool-display.js';
import { createLog } from '../log.js';
import type { TerminalSize } from '../process/command-process.js';
import { decodeOutput } from '../process/shell-text.js';
import { TailBuffer } from '../process/tail-buffer.js';
import { cutMarker, KEPT_BYTES, liveTextOf, type OutputSink, textOf } from '../process/text-sink.js';
import type { XtermScreen } from './xterm-screen.js';

const HISTORY_LINES = 300_000;

export interface TerminalSinkOptions {
  size: TerminalSize;
  /** Live output as a styled grid; false: as text. */
  wantsGrid: boolean;
  showColor: boolean;
  /** Receives what the terminal answers when a program queries it (cursor position, for example). */
  onReply: (data: string) => void;
}

export class TerminalSink implements OutputSink {
  private readonly plain = new TailBuffer(KEPT_BYTES);
  private readonly scanner = new PlainScanner();
  /** Lines that were above the screen when the model was created; they can no longer change. */
  private above: Buffer | undefined;
  private screen: XtermScreen | undefined;
  private loading: Promise<void> | undefined;
  private isLoading = false;
  private size: TerminalSize;

  constructor(private readonly options: TerminalSinkOptions) {
    this.size = options.size;
    if (options.wantsGrid) this.loading = this.setUpScreen();
  }

  push(chunk: Buffer): void {
    if (this.screen) {
      this.screen.write(chunk);
      return;
    }
    this.plain.push(chunk);
    if (!this.loading && !this.scanner.accepts(chunk)) this.loading = this.setUpScreen();
  }

  get backlog(): number {
    if (this.screen) return this.screen.backlog;
    // Output that arrives while the screen model loads must not exceed what the buffer keeps.
    return this.isLoading ? this.plain.total : 0;
  }

  async settle(): Promise<void> {
    await this.loading;
    await this.screen?.settle();
  }

  async text(): Promise<string> {
    await this.settle();
    const text = this.screen ? await this.textOver(this.screen) : await textOf(this.plain, withPlainLineEnds);
    const start = startOfLastLines(text, HISTORY_LINES);
    return start === 0 ? text : `[Output cut: the last ${HISTORY_LINES} lines follow.]\n${text.slice(start)}`;
  }

  live(): string | AnsiOutput {
    if (!this.screen) return liveTextOf(this.plain, withPlainLineEnds);
    return this.options.wantsGrid ? this.screen.visible() : this.screen.visibleText();
  }

  grid(): AnsiOutput | undefined {
    return this.options.wantsGrid ? this.screen?.lastLines() : undefined;
  }

  resize(columns: number, rows: number): void {
    this.size = { columns, rows };
    this.screen?.resize(columns, rows);
  }

  release(): void {
    this.plain.clear();
    this.above = undefined;
    this.screen?.dispose();
  }

  private async textOver(screen: XtermScreen): Promise<string> {
    if (!this.above) return screen.text();
    const marker = this.plain.isCut ? `${cutMarker(this.plain.total - KEPT_BYTES)}\n` : '';
    return marker + cleanTerminalText(await decodeOutput(this.above)) + screen.text();
  }

  private async setUpScreen(): Promise<void> {
    this.isLoading = true;
    try {
      const { DISPLAYED_LINES, openXtermScreen } = await import('./xterm-screen.js');
      const { wantsGrid, showColor, onReply } = this.options;
      const screen = await openXtermScreen({ size: this.size, showColor, onReply });
      const kept = this.plain.tail();
      const split = startOfLastLines(kept, wantsGrid ? DISPLAYED_LINES : this.size.rows + 1);
      if (split > 0) this.above = withPlainLineEnds(kept.subarray(0, split));
      this.plain.clear();
      this.screen = screen;
      screen.write(kept.subarray(split));
    } catch (error) {
      // A broken installation: text without its control sequences is better than none.
      createLog('shell').error('the screen model could not be loaded', { error });
    } finally {
      this.isLoading = false;
    }
  }
}

/** Tells whether output so far is plain, at most coloured, lines, so that no screen model is needed. */
export class PlainScanner {
  private state: 'text' | 'return' | 'escape' | 'sequence' = 'text';

  accepts(chunk: Buffer): boolean {
    for (let index = 0; index < chunk.length; index++) {
      const byte = chunk[index] ?? 0;
      if (this.state === 'text') {
        if (byte > 0x1b || byte === 0x0a || byte === 0x09) continue;
        if (byte === 0x0d) this.state = 'return';
        else if (byte === 0x1b) this.state = 'escape';
        else if (byte === 0x08 || byte === 0x0b || byte === 0x0c) return false;
      } else if (!this.step(byte)) {
        return false;
      }
    }
    return true;
  }

  private step(byte: number): boolean {
    if (this.state === 'return') {
      // A CR LF printed by the program arrives as CR CR LF. Any other byte after CR overwrites the line.
      if (byte === 0x0a) this.state = 'text';
      return byte === 0x0a || byte === 0x0d;
    }
    if (this.state === 'escape') {
      this.state = 'sequence';
      return byte === 0x5b;
    }
    if (byte === 0x6d) this.state = 'text';
    return byte === 0x6d || (byte >= 0x30 && byte <= 0x3b);
  }
}

/** A line feed at the very end does not start another line. */
function startOfLastLines(text: Buffer | string, lines: number): number {
  let index = text.length - 1;
  for (let count = 0; count < lines && index > 0; count++) index = text.lastIndexOf('\n', index - 1);
  return index <= 0 ? 0 : index + 1;
}

/** The terminal ends lines with CR LF, and turns a printed CR LF into CR CR LF. Changes the buffer. */
function withPlainLineEnds(bytes: Buffer): Buffer {
  let length = 0;
  for (let index = 0; index < bytes.length; index++) {
    const byte = bytes[index] ?? 0;
    if (byte === 0x0a) while (length > 0 && bytes[length - 1] === 0x0d) length--;
    bytes[length++] = byte;
  }
  return bytes.subarray(0, length);
}
