/**
 * For a terminal that can do nothing but print (`TERM=dumb`): lines, one after another, and a prompt. What was printed
 * stays; no sequence moves the cursor or colours anything. The terminal itself echoes and edits what is typed.
 */
import type { Cursor, FrameOutput } from './frame-writer.js';

const PROMPT = '> ';
/** So long nothing else must come: a prompt between two lines of an answer confuses. */
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

  /** @param cursor where one types: the frame is the input, and a prompt stands for it; absent: a question */
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

  /** What was printed stays: an empty frame takes nothing away. */
  private print(frame: string): void {
    if (this.settled.length === 0 && (frame === '' || frame === this.shown)) return;
    const text = this.settled.map((line) => `${plain(line)}\n`).join('');
    this.settled = [];
    this.write(`${this.isMidLine ? '\n' : ''}${text}${frame}`);
    this.isMidLine = frame !== '';
    this.shown = frame;
  }

  /** The user has pressed Enter: the terminal is at the start of a line, and the prompt is used up. */
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
