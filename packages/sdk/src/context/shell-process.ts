/** A command that streams: three views of its output, input, and its end. */
import type { ProgramCommand } from '@gemini-cli/core';
import { GeminiCliError } from '../errors.js';
import { startFailure } from './start-failure.js';
import type { AgentShellProcess } from './types.js';

type StreamName = 'stdout' | 'stderr';
type Chunk = { stream: StreamName; data: string };
type Exit = Awaited<AgentShellProcess['exited']>;

export interface ProcessParts {
  signal: AbortSignal;
  timeoutMs: number | undefined;
  input: string | undefined;
  begin(signal: AbortSignal, onOutput: (stream: StreamName, data: Buffer) => void): Promise<ProgramCommand>;
}

/** What a reader that is slower than the command can still get. */
const MAX_KEPT_CHARACTERS = 32 * 1024 * 1024;

export class ShellProcess implements AgentShellProcess {
  readonly exited: Promise<Exit>;
  private command: ProgramCommand | undefined;
  /** What was written before the command had started. */
  private early: ((command: ProgramCommand) => void)[] = [];
  /** For readers that come later; the oldest are dropped when they are too many. */
  private readonly chunks: Chunk[] = [];
  private keptCharacters = 0;
  private dropped = 0;
  private readonly listeners = new Set<(chunk: Chunk | undefined) => void>();
  private hasEnded = false;
  private readonly decoders = { stdout: new TextDecoder(), stderr: new TextDecoder() };
  private timedOut = false;

  constructor(private readonly parts: ProcessParts) {
    this.exited = this.run().finally(() => {
      this.hasEnded = true;
      for (const stream of ['stdout', 'stderr'] as const) {
        const rest = this.decoders[stream].decode();
        if (rest !== '') this.add({ stream, data: rest });
      }
      for (const listener of [...this.listeners]) listener(undefined);
    });
  }

  get pid(): number | undefined {
    return this.command?.pid;
  }

  get stdout(): AsyncIterable<string> {
    return this.only('stdout');
  }

  get stderr(): AsyncIterable<string> {
    return this.only('stderr');
  }

  [Symbol.asyncIterator](): AsyncIterator<Chunk> {
    return this.read();
  }

  write(data: string): void {
    this.whenStarted((command) => command.write(data));
  }

  endInput(): void {
    this.whenStarted((command) => command.endInput());
  }

  resize(columns: number, rows: number): void {
    this.whenStarted((command) => command.resize(columns, rows));
  }

  kill(signal?: NodeJS.Signals): void {
    this.whenStarted((command) => {
      if (signal === undefined || signal === 'SIGKILL' || signal === 'SIGTERM') void command.end();
      else command.signal(signal);
    });
  }

  /** All chunks, those before the call, too. */
  onChunk(listener: (chunk: Chunk) => void): void {
    for (const chunk of this.chunks) listener(chunk);
    this.listeners.add((chunk) => chunk && listener(chunk));
  }

  private async run(): Promise<Exit> {
    const { signal, timeoutMs, input, begin } = this.parts;
    signal.throwIfAborted();
    let command: ProgramCommand;
    try {
      command = await begin(signal, (stream, data) => {
        const text = this.decoders[stream].decode(data, { stream: true });
        if (text !== '') this.add({ stream, data: text });
      });
    } catch (error) {
      throw startFailure(error);
    }
    this.command = command;
    for (const action of this.early.splice(0)) action(command);
    if (input !== undefined) {
      command.write(input);
      command.endInput();
    }
    const end = () => void command.end();
    const timer = timeoutMs === undefined ? undefined : setTimeout(() => this.stopLate(command), timeoutMs);
    if (signal.aborted) end();
    signal.addEventListener('abort', end, { once: true });
    const exit = await command.exited;
    clearTimeout(timer);
    signal.removeEventListener('abort', end);
    if (exit.error) throw startFailure(exit.error);
    return {
      exitCode: this.timedOut ? null : exit.exitCode,
      ...(exit.signal !== null && { signal: exit.signal }),
      ...(this.timedOut && { timedOut: true }),
    };
  }

  private stopLate(command: ProgramCommand): void {
    this.timedOut = true;
    void command.end();
  }

  private whenStarted(action: (command: ProgramCommand) => void): void {
    if (this.command) action(this.command);
    else if (!this.hasEnded) this.early.push(action);
  }

  private add(chunk: Chunk): void {
    this.chunks.push(chunk);
    this.keptCharacters += chunk.data.length;
    while (this.keptCharacters > MAX_KEPT_CHARACTERS) {
      this.keptCharacters -= this.chunks.shift()?.data.length ?? 0;
      this.dropped++;
    }
    for (const listener of [...this.listeners]) listener(chunk);
  }

  private async *only(name: StreamName): AsyncGenerator<string> {
    for await (const { stream, data } of this.read()) if (stream === name) yield data;
  }

  /** From the first chunk on that is kept. Leaving the loop does not end the command. @throws where output was missed */
  private async *read(): AsyncGenerator<Chunk> {
    let next = this.dropped;
    let wake: () => void = () => undefined;
    const listener = () => wake();
    this.listeners.add(listener);
    try {
      for (;;) {
        for (;;) {
          if (next < this.dropped) throw missed();
          const chunk = this.chunks[next - this.dropped];
          if (!chunk) break;
          next++;
          yield chunk;
        }
        if (this.hasEnded) return;
        await new Promise<void>((resolve) => {
          wake = resolve;
          if (this.hasEnded || next < this.dropped + this.chunks.length) resolve();
        });
      }
    } finally {
      this.listeners.delete(listener);
    }
  }
}

function missed(): GeminiCliError {
  const megabytes = MAX_KEPT_CHARACTERS / 1024 / 1024;
  return new GeminiCliError(
    `The command wrote more than ${megabytes} MB while its output was not read: some of it is lost. Read it as it comes, or let the command write to a file.`,
    { code: 'OUTPUT_TOO_LARGE' },
  );
}
