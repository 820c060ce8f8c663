/**
 * Prints lines and a prompt on a dumb terminal (`TERM=dumb`), without moving the cursor and without colours. The
 * terminal itself echoes and edits what the user types.
 */
import type { Cursor, FrameOutput } from './frame-writer.js';

const PROMPT = '> ';
/** The prompt waits so long for more lines: between two lines of an answer it would confuse. */
const PROMPT_AFTER_MS = 100;

export class PlainWriter implements FrameOutput {
  private settled: string[] = [];
  /** The last frame that was printed. */
  private shown = '';
  private isMidLine = false;
  private isSuspended = false;

  private prompting: NodeJS.Timeout | undefined;

  constructor(
    private readonly write: (data: string) => void,
    private readonly promptAfterMs = PROMPT_AFTER_MS,
  ) {}

  settle(lines: readonly string[]): void {
    this.settled.push(...lines);
  }

  /** @param cursor present: the frame is the input, printed as a prompt; absent: it is a question */
  draw(lines: readonly string[], cursor?: Cursor): void {
    if (this.isSuspended) return;
    const isPrompt = cursor !== undefined && lines.length > 0;
    const isPromptThere = this.shown === PROMPT && this.settled.length === 0;
    if (isPrompt && isPromptThere) return;
    clearTimeout(this.prompting);
    this.print(isPrompt ? '' : questionOf(lines));
    if (!isPrompt) return;
    this.prompting = setTimeout(() => this.print(PROMPT), this.promptAfterMs);
    this.prompting.unref();
  }

  /** Printed lines stay: an empty frame erases nothing. */
  private print(frame: string): void {
    if (this.settled.length === 0 && (frame === '' || frame === this.shown)) return;
    const text = this.settled.map((line) => `${plain(line)}\n`).join('');
    this.settled = [];
    this.write(`${this.isMidLine ? '\n' : ''}${text}${frame}`);
    this.isMidLine = frame !== '';
    this.shown = frame;
  }

  /** Called when the user has pressed Enter: the terminal is at the start of a line. */
  entered(): void {
    clearTimeout(this.prompting);
    this.isMidLine = false;
    this.shown = '';
  }

  suspend(): void {
    this.draw([]);
    this.isSuspended = true;
  }

  resume(): void {
    this.isSuspended = false;
    this.shown = '';
  }

  measureWith(): void {}

  resized(): void {}

  rewind(): [] {
    return [];
  }

  keptLines(): [] {
    return [];
  }

  scrollAway(): void {}

  clear(): void {
    this.settled = [];
  }

  enterFullScreen(): void {}

  leaveFullScreen(): void {}
}

function questionOf(lines: readonly string[]): string {
  if (lines.length === 0) return '';
  return `${lines.map(plain).join('\n')}\n${PROMPT}`;
}

function plain(line: string): string {
  return line.replace(/\x1b\[[0-9;:?]*[A-Za-z]|\x1b\][^\x07\x1b]*(\x07|\x1b\\)/g, '').trimEnd();
}
