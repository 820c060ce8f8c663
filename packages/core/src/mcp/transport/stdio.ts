/**
 * A server as a child process: one JSON message per line on stdin and stdout. The child has a process group of its own,
 * which is killed as a whole. Its stderr goes to the debug log only.
 */
import type { ChildProcess } from 'node:child_process';
import type { JSONRPCMessage, Transport } from '@modelcontextprotocol/client';
import { messageOf } from '../../base/errors.js';
import { isObject } from '../../base/objects.js';
import { createLog } from '../../platform/log.js';
import { killGroupAfterDeath } from '../../platform/process/death-watch.js';
import { killTree } from '../../platform/process/kill-tree.js';
import {
  discardOutput,
  type SpawnedGroup,
  spawnGroup,
  untilExit,
} from '../../platform/process/process-runner.js';
import { TailBuffer } from '../../platform/process/tail-buffer.js';
import type { SandboxedCommand } from '../../platform/sandbox/types.js';
import { McpServerError } from '../errors.js';
import { reasonIn } from './end-reason.js';
import { MAX_MESSAGE_BYTES, MessageLines } from './message-lines.js';
import { within } from './within.js';

export interface StdioCommand {
  serverName: string;
  command: string;
  args: readonly string[];
  cwd: string;
  env: Readonly<Record<string, string>>;
  /** What it prints to stderr. */
  onErrorOutput?: (text: string) => void;
  /** Absent: the server is not sandboxed. @throws SandboxError; the server must then not be started */
  isolate?: (invocation: Pick<StdioCommand, 'command' | 'args' | 'cwd' | 'env'>) => Promise<SandboxedCommand>;
}

const log = createLog('mcp');
/** What is kept of stderr, for the message about a server that ends. */
const STDERR_BYTES = 4096;
/** How long the exit of a server that reads no more is waited for. */
const EXIT_MS = 500;
/** While a server has this much left to read, nothing is read from it: it may ask without end. */
const MAX_UNREAD_BYTES = 1024 * 1024;
/** The shell that ends the server if this program is killed is started after the first request to the model. */
const WATCH_AFTER_MS = 1_000;
/** In a row. Reading output without end would leave no time for anything else. */
const MAX_STRAY_LINES = 10_000;

export class StdioTransport implements Transport {
  onclose?: () => void;
  onerror?: (error: Error) => void;
  onmessage?: Transport['onmessage'];
  private process: SpawnedGroup | undefined;
  private sandboxed: SandboxedCommand | undefined;
  private stopWatching: (() => void) | undefined;
  private endDeathWatch: (() => void) | undefined;
  private readonly stderr = new TailBuffer(STDERR_BYTES);
  private starting: Promise<void> | undefined;
  private closing: Promise<void> | undefined;
  /** Signal or exit code. */
  private exit: string | undefined;
  /** Resolves when it has ended and what it wrote before has been read. */
  private exiting: Promise<void> = Promise.resolve();
  /** Why we ended it. */
  private stopped: McpServerError | undefined;
  /** Messages that arrived before the protocol listened. */
  private early: JSONRPCMessage[] = [];
  /** Lines that were no messages, since the last message. */
  private strayLines = 0;

  constructor(private readonly command: StdioCommand) {}

  /** May be called before the protocol is loaded, so that the server starts meanwhile. */
  spawn(): Promise<void> {
    this.starting ??= this.launch();
    // The caller of `start` gets the error.
    this.starting.catch(() => undefined);
    return this.starting;
  }

  async start(): Promise<void> {
    await this.spawn();
    for (const message of this.early.splice(0)) this.onmessage?.(message);
    if (this.stopped) throw this.stopped;
    if (this.exit !== undefined) throw this.ended();
  }

  async send(message: JSONRPCMessage): Promise<void> {
    const child = this.process?.child;
    if (!child) throw this.failure('it is not running.');
    const { stdin } = child;
    const error = await new Promise<Error | null | undefined>((resolve) => {
      if (stdin?.writable) stdin.write(`${JSON.stringify(message)}\n`, resolve);
      else resolve(new Error('Its input is closed.'));
    });
    if (!error) return;
    // The pipe breaks a moment before the exit is known.
    if (this.exit === undefined) await within(EXIT_MS, this.exiting);
    throw this.exit !== undefined ? this.ended(error) : this.failure('it reads no messages any more.', error);
  }

  close(): Promise<void> {
    this.closing ??= this.end();
    return this.closing;
  }

  private async launch(): Promise<void> {
    const { command, args, cwd, env, isolate } = this.command;
    const sandboxed = await isolate?.({ command, args, cwd, env });
    if (this.closing) {
      await this.cleanUp(sandboxed);
      throw this.failure('it was stopped before it had started.');
    }
    this.sandboxed = sandboxed;
    const run = this.sandboxed ?? { command, args, env };
    const started = spawnGroup(run.command, run.args, { cwd, env: run.env, pipeInput: true });
    if (started instanceof Error) throw this.notStarted(started);
    this.process = started;
    const { child, root } = started;
    this.listen(child);
    if (child.pid) this.watchDeath(child.pid);
    await new Promise<void>((resolve, reject) => {
      child.once('spawn', resolve);
      child.once('error', (error) => reject(this.notStarted(error)));
    });
    this.stopWatching = this.sandboxed?.watch?.(root.pid);
  }

  private watchDeath(group: number): void {
    const timer = setTimeout(() => {
      this.endDeathWatch = killGroupAfterDeath(group);
    }, WATCH_AFTER_MS);
    timer.unref();
    this.endDeathWatch = () => clearTimeout(timer);
  }

  private listen(child: ChildProcess): void {
    const lines = new MessageLines(
      (line) => this.receive(line),
      () => this.stop(`it sent a message of more than ${MAX_MESSAGE_BYTES / 1024 / 1024} MB.`),
    );
    const { stdin, stdout } = child;
    stdout?.on('data', (chunk: Buffer) => {
      lines.push(chunk);
      if (this.closing || !stdin || stdin.writableLength < MAX_UNREAD_BYTES) return;
      stdout.pause();
      stdin.once('drain', () => stdout.resume());
    });
    child.stderr?.on('data', (chunk: Buffer) => {
      this.stderr.push(chunk);
      this.command.onErrorOutput?.(chunk.toString('utf8'));
      log.debug(`${this.command.serverName}: ${chunk.toString('utf8').trimEnd()}`);
    });
    // The exit is what counts.
    child.stdin?.on('error', () => undefined);
    // Its last messages and the reason that it prints may be read only after the exit.
    this.exiting = untilExit(child).then(({ exitCode, signal, error }) => {
      if (error) return;
      this.exit = signal ?? `code ${exitCode}`;
      if (!this.closing) this.onerror?.(this.ended());
      void this.close();
    });
  }

  /** Lines that are not messages are ignored: some servers print greetings. */
  private receive(line: string): void {
    if (this.closing) return;
    let message: unknown;
    try {
      message = JSON.parse(line);
    } catch {
      log.debug(`${this.command.serverName} printed a line that is not JSON`, { line: line.slice(0, 200) });
      this.stray();
      return;
    }
    for (const item of Array.isArray(message) ? message : [message]) {
      if (!isObject(item) || item['jsonrpc'] !== '2.0') {
        this.stray();
        continue;
      }
      this.strayLines = 0;
      if (this.onmessage) this.onmessage(item as JSONRPCMessage);
      else this.early.push(item as JSONRPCMessage);
    }
  }

  private stray(): void {
    this.strayLines++;
    if (this.strayLines === MAX_STRAY_LINES + 1)
      this.stop(`it printed more than ${MAX_STRAY_LINES.toLocaleString('en')} lines that are no messages.`);
  }

  private stop(why: string): void {
    this.stopped = this.failure(`${why} It was stopped.`);
    this.onerror?.(this.stopped);
    void this.close();
  }

  private async end(): Promise<void> {
    const { process } = this;
    if (process) {
      const { child, root } = process;
      child.stdin?.end();
      for (const stream of [child.stdout, child.stderr]) if (stream) discardOutput(stream);
      await killTree(root);
    }
    this.endDeathWatch?.();
    this.stopWatching?.();
    await this.cleanUp(this.sandboxed);
    this.onclose?.();
  }

  private async cleanUp(sandboxed: SandboxedCommand | undefined): Promise<void> {
    await sandboxed?.cleanup().catch((error: unknown) => log.warn('sandbox cleanup', messageOf(error)));
  }

  private notStarted(error: Error): McpServerError {
    const isMissing = 'code' in error && error.code === 'ENOENT';
    const { command, cwd } = this.command;
    const remedy = /\s/.test(command) ? 'Its arguments belong in "args".' : 'Check "command" and "cwd".';
    return this.failure(
      isMissing
        ? `the command "${command}" was not found (in ${cwd}). ${remedy}`
        : `the command "${command}" could not be started: ${error.message}`,
      error,
    );
  }

  private ended(cause?: Error): McpServerError {
    const why = reasonIn(this.stderr.tail().toString('utf8'));
    return this.failure(`the process ended with ${this.exit}${why ? `: ${why}` : '.'}`, cause);
  }

  private failure(what: string, cause?: unknown): McpServerError {
    return new McpServerError(this.command.serverName, 'transport', what, cause);
  }
}
