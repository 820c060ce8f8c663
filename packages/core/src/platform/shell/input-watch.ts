/** Detects that a command in a terminal waits for input. Checks only while it prints nothing, at growing intervals. */
import { endsLikePrompt, isQuestion, LastLine } from './prompt-line.js';
import type { TerminalWait } from './terminal-wait.js';

export interface InputWatchOptions {
  /** Process id of the shell. */
  pid: number;
  /** Silence before the first check. */
  afterMs: number;
  onWaiting: () => void;
}

const SHORTEST_PAUSE_MS = 150;
const CONFIRM_MS = 50;
const LONGEST_PAUSE_MS = 3000;

/** Silence after which each result counts as waiting, with and without a prompt in the last line. */
const SILENCE_MS: Readonly<Record<TerminalWait, { prompt: number; noPrompt: number }>> = {
  reads: { prompt: 0, noPrompt: 0 },
  listens: { prompt: 0, noPrompt: 3000 },
  serves: { prompt: 1000, noPrompt: Number.POSITIVE_INFINITY },
  hidden: { prompt: 1500, noPrompt: Number.POSITIVE_INFINITY },
  none: { prompt: Number.POSITIVE_INFINITY, noPrompt: Number.POSITIVE_INFINITY },
};

export class InputWatch {
  private readonly lastLine = new LastLine();
  private quietSince = performance.now();
  private pause = 0;
  private timer: NodeJS.Timeout | undefined;
  private suspectedSince = Number.NaN;
  private isStopped = false;

  constructor(private readonly options: InputWatchOptions) {
    this.schedule(options.afterMs);
  }

  /** Call when the command has printed something. */
  touch(chunk: Buffer): void {
    this.lastLine.push(chunk);
    this.quietSince = performance.now();
    if (this.pause > this.options.afterMs) this.schedule(this.options.afterMs);
  }

  stop(): void {
    this.isStopped = true;
    clearTimeout(this.timer);
  }

  private schedule(ms: number): void {
    if (this.isStopped) return;
    clearTimeout(this.timer);
    this.pause = ms;
    this.timer = setTimeout(() => void this.check(), ms);
  }

  private async check(): Promise<void> {
    const quietMs = performance.now() - this.quietSince;
    if (quietMs < this.options.afterMs) return this.schedule(this.options.afterMs - quietMs);
    const { terminalWait } = await import('./terminal-wait.js');
    if (this.isStopped) return;
    if (!isWaiting(terminalWait(this.options.pid), this.lastLine.text, quietMs)) {
      this.suspectedSince = Number.NaN;
      return this.schedule(Math.min(Math.max(quietMs / 2, SHORTEST_PAUSE_MS), LONGEST_PAUSE_MS));
    }
    // Output may be on its way to us: the result must hold twice.
    if (this.suspectedSince !== this.quietSince) {
      this.suspectedSince = this.quietSince;
      return this.schedule(CONFIRM_MS);
    }
    this.stop();
    this.options.onWaiting();
  }
}

export function isWaiting(wait: TerminalWait, lastLine: string, quietMs: number): boolean {
  const isPrompt = wait === 'hidden' ? isQuestion(lastLine) : endsLikePrompt(lastLine);
  const { prompt, noPrompt } = SILENCE_MS[wait];
  return quietMs >= (isPrompt ? prompt : noPrompt);
}
