/** Runs a program in a real pseudo-terminal and reads its screen through a terminal emulator. */
import { closeSync, constants, openSync, readlinkSync } from 'node:fs';
import type { Socket } from 'node:net';
import type { IPty } from '@lydell/node-pty';
import type { Terminal } from '@xterm/headless';
import { cellsOf, type ScreenCell } from './screen-cells.js';
import { keyBytes } from './screen-keys.js';

export interface ScreenOptions {
  cwd: string;
  env: Record<string, string | undefined>;
  cols?: number;
  rows?: number;
}

/** What to wait for: a text on the screen, a pattern, or a condition. */
export type Sight = string | RegExp | ((screen: string) => boolean);

export interface ScreenModes {
  paste: boolean;
  focus: boolean;
  mouse: boolean;
  wrap: boolean;
  alternate: boolean;
  hiddenCursor: boolean;
  /** Window titles saved and not restored. */
  savedTitles: number;
}

export async function startScreen(command: string, args: string[], options: ScreenOptions): Promise<Screen> {
  const [{ spawn }, headless] = await Promise.all([import('@lydell/node-pty'), import('@xterm/headless')]);
  const { cols = 80, rows = 24, cwd, env } = options;
  // Loaders differ in how they expose a CommonJS module.
  const { Terminal } = headless.default ?? headless;
  const terminal = new Terminal({ cols, rows, scrollback: 5000, allowProposedApi: true });
  const pty = spawn(command, args, { name: env['TERM'] ?? 'xterm-256color', cols, rows, cwd, env });
  return new Screen(pty, terminal);
}

export class Screen {
  /** Resolves when the program has ended and its last output is on the screen. */
  readonly exit: Promise<{ exitCode: number; signal: number | undefined }>;
  private output = '';
  private gone = false;
  private pending = 0;
  private readonly watchers = new Set<() => void>();
  private held: number | undefined;

  constructor(
    private readonly pty: IPty,
    private readonly terminal: Terminal,
  ) {
    pty.onData((data) => {
      this.held ??= openTerminalOf(pty.pid);
      this.output += data;
      this.pending++;
      terminal.write(data, () => {
        this.pending--;
        this.notify();
      });
    });
    // The emulator answers queries such as the cursor position; the program must receive the answers.
    terminal.onData((answer) => {
      if (!this.gone) pty.write(answer);
    });
    readBeforeClosing(pty);
    this.exit = new Promise((resolve) => {
      pty.onExit(({ exitCode, signal }) => {
        this.gone = true;
        if (this.held !== undefined && this.held >= 0) closeSync(this.held);
        terminal.write('', () => {
          resolve({ exitCode, signal });
          this.notify();
        });
      });
    });
  }

  get pid(): number {
    return this.pty.pid;
  }

  /** The visible rows, without blanks at their ends. */
  text(): string {
    const { active } = this.terminal.buffer;
    return this.rows(active.baseY, active.baseY + this.terminal.rows);
  }

  /** Everything, scrolled-off rows included. */
  history(): string {
    return this.rows(0, this.terminal.buffer.active.length);
  }

  /** The raw output. */
  raw(): string {
    return this.output;
  }

  /** The visible rows with their styles, for pictures and checks of colours. */
  cells(): ScreenCell[][] {
    return cellsOf(this.terminal);
  }

  /** The terminal modes that are still enabled. */
  modes(): ScreenModes {
    const { modes, buffer } = this.terminal;
    return {
      paste: modes.bracketedPasteMode,
      focus: modes.sendFocusMode,
      mouse: modes.mouseTrackingMode !== 'none',
      wrap: modes.wraparoundMode,
      alternate: buffer.active.type === 'alternate',
      hiddenCursor: this.output.lastIndexOf('\x1b[?25l') > this.output.lastIndexOf('\x1b[?25h'),
      savedTitles: countOf(this.output, /\x1b\[22;\d+t/g) - countOf(this.output, /\x1b\[23;\d+t/g),
    };
  }

  cursor(): { row: number; column: number } {
    const { active } = this.terminal.buffer;
    return { row: active.cursorY, column: active.cursorX };
  }

  async waitFor(sight: Sight, { timeoutMs = 30_000 }: { timeoutMs?: number } = {}): Promise<void> {
    const seen = () => isSeen(this.text(), sight);
    await new Promise<void>((resolve, reject) => {
      const fail = (why: string) => {
        done();
        reject(new Error(`${why} while waiting for ${String(sight)}; the screen is:\n${this.text()}`));
      };
      const timer = setTimeout(() => fail(`${timeoutMs} ms passed`), timeoutMs);
      const check = () => {
        if (seen()) {
          done();
          resolve();
        } else if (this.gone && this.pending === 0) fail('The program ended');
      };
      const done = () => {
        clearTimeout(timer);
        this.watchers.delete(check);
      };
      this.watchers.add(check);
      check();
    });
  }

  /** Text as it comes from a keyboard. */
  type(text: string): void {
    this.pty.write(text);
  }

  /** Text as a terminal with bracketed paste hands it over. */
  paste(text: string): void {
    this.pty.write(`\x1b[200~${text}\x1b[201~`);
  }

  /** Keys by name: `press('Ctrl+C')`, `press('Up', 'Shift+Left', 'Enter')`. */
  press(...keys: string[]): void {
    for (const key of keys) this.pty.write(keyBytes(key));
  }

  resize(cols: number, rows: number): void {
    this.terminal.resize(cols, rows);
    this.pty.resize(cols, rows);
  }

  /** Ends the program with everything it has started in this terminal. */
  kill(signal: NodeJS.Signals = 'SIGKILL'): void {
    if (this.gone) return;
    try {
      process.kill(-this.pty.pid, signal);
    } catch {
      // ended in the meantime
    }
  }

  private rows(from: number, to: number): string {
    const { active } = this.terminal.buffer;
    const lines: string[] = [];
    for (let row = from; row < to; row++) lines.push(active.getLine(row)?.translateToString(true) ?? '');
    return lines.join('\n').trimEnd();
  }

  private notify(): void {
    for (const check of [...this.watchers]) check();
  }
}

/**
 * When the last process closes a terminal, Node reads one more piece and drops the rest. Keeping it open here lets us
 * read the program's last output to its end. -1: the program has no terminal.
 */
function openTerminalOf(pid: number): number {
  try {
    return openSync(readlinkSync(`/proc/${pid}/fd/1`), constants.O_RDWR | constants.O_NOCTTY);
  } catch {
    return -1;
  }
}

/**
 * The library closes the terminal 200 ms after the end of the program, since we hold it open. A process that was not on
 * a core for so long may have output left to read: it closes after a turn of the event loop that reads nothing.
 */
function readBeforeClosing(pty: IPty): void {
  const socket: Socket = Reflect.get(pty, '_socket');
  const destroy = socket.destroy.bind(socket);
  socket.destroy = (error) => {
    const closeAfter = (bytes: number) => {
      if (socket.bytesRead === bytes) destroy(error);
      else setImmediate(closeAfter, socket.bytesRead);
    };
    closeAfter(-1);
    return socket;
  };
}

function isSeen(screen: string, sight: Sight): boolean {
  if (typeof sight === 'string') return screen.includes(sight);
  return typeof sight === 'function' ? sight(screen) : sight.test(screen);
}

function countOf(text: string, pattern: RegExp): number {
  return text.match(pattern)?.length ?? 0;
}
