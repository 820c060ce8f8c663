/** Answers that a script writes to stdin: `yes | gemini extensions install …`. One line answers one question. */
import type { Readable } from 'node:stream';

/** A pipe that an installer left open, such as that of `curl … | sh`, may never bring a line. */
const WAIT_MS = 10_000;
const MAX_LINE = 1024;

export class PipedAnswers {
  private rest = '';
  private ended = false;

  constructor(
    private readonly input: Readable,
    private readonly waitMs = WAIT_MS,
  ) {}

  /** @returns undefined at the end of the input, or when no line comes */
  async next(): Promise<string | undefined> {
    const line = this.takeLine();
    if (line !== undefined || this.ended) return line;
    await this.more();
    return this.takeLine();
  }

  private takeLine(): string | undefined {
    const end = this.rest.indexOf('\n');
    if (end < 0 && !(this.ended && this.rest !== '')) return undefined;
    const line = end < 0 ? this.rest : this.rest.slice(0, end);
    this.rest = end < 0 ? '' : this.rest.slice(end + 1);
    return line;
  }

  /** Reads until there is a line. Afterwards the stream is paused, so that it does not keep the process alive. */
  private more(): Promise<void> {
    const { input } = this;
    return new Promise((resolve) => {
      const onData = (chunk: Buffer | string) => {
        this.rest += chunk.toString();
        if (this.rest.includes('\n')) done();
        else if (this.rest.length > MAX_LINE) finish();
      };
      const finish = () => {
        this.ended = true;
        done();
      };
      const timer = setTimeout(finish, this.waitMs);
      const done = () => {
        clearTimeout(timer);
        input.off('data', onData).off('end', finish).off('error', finish).pause();
        resolve();
      };
      input.on('data', onData).on('end', finish).on('error', finish).resume();
    });
  }
}
