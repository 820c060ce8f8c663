/**
 * Runs the shell command of a hook: JSON on stdin, bounded output, a time limit that ends the whole process group. The
 * caller never waits longer than the limit: what refuses to end is killed in the background.
 */
import { LONGEST_TIMER_MS } from '../../base/longest-timer.js';
import { killGroupAfterDeath } from '../../platform/process/death-watch.js';
import { killTree } from '../../platform/process/kill-tree.js';
import { discardOutput, spawnGroup, untilExit } from '../../platform/process/process-runner.js';
import { listProcesses, membersOf, type ProcessRoot } from '../../platform/process/process-tree.js';
import { TailBuffer } from '../../platform/process/tail-buffer.js';
import type { SandboxedCommand } from '../../platform/sandbox/types.js';

export interface CommandRun {
  file: string;
  args: readonly string[];
  cwd: string;
  env: Readonly<Record<string, string>>;
  /** Written to stdin, which is then closed. */
  input: string;
  timeoutMs: number;
  signal?: AbortSignal | undefined;
  /** How to start it in a sandbox. */
  sandbox?: Pick<SandboxedCommand, 'watch' | 'cleanup'> | undefined;
}

export interface CommandOutcome {
  stdout: string;
  stderr: string;
  exitCode: number | null;
  signal: NodeJS.Signals | null;
  endedBy?: 'timeout' | 'abort';
  /** It printed more than is kept. */
  isCut: boolean;
  /** It has ended, but processes that it started kept its output open; they were ended. */
  hasLeftProcesses: boolean;
  /** It could not be started. */
  error?: Error;
}

/** Per stream. A hook that prints more has failed. */
export const MAX_OUTPUT_BYTES = 10 * 1024 * 1024;
/** Between SIGTERM and SIGKILL. */
const GRACE_MS = 5000;

/** Never rejects: errors are in the outcome. */
export async function runCommand(run: CommandRun): Promise<CommandOutcome> {
  const stdout = new TailBuffer(MAX_OUTPUT_BYTES);
  const stderr = new TailBuffer(MAX_OUTPUT_BYTES);
  const outcome = (rest: Partial<CommandOutcome>): CommandOutcome => ({
    stdout: stdout.isCut ? '' : stdout.tail().toString('utf8'),
    stderr: stderr.isCut ? '' : stderr.tail().toString('utf8'),
    exitCode: null,
    signal: null,
    isCut: stdout.isCut || stderr.isCut,
    hasLeftProcesses: false,
    ...rest,
  });
  const cleanup = () => run.sandbox?.cleanup().catch(() => undefined);
  if (run.signal?.aborted) {
    await cleanup();
    return outcome({ endedBy: 'abort' });
  }
  const started = spawnGroup(run.file, run.args, { cwd: run.cwd, env: run.env, pipeInput: true });
  if (started instanceof Error) {
    await cleanup();
    return outcome({ error: started });
  }
  const { child, root } = started;
  if (root.pid) child.once('exit', killGroupAfterDeath(root.pid));
  child.stdout?.on('data', (chunk: Buffer) => stdout.push(chunk));
  child.stderr?.on('data', (chunk: Buffer) => stderr.push(chunk));
  // A hook may end without reading its input (EPIPE); its answer is what counts.
  child.stdin?.on('error', () => {});
  child.stdin?.end(run.input);
  const stopWatching = root.pid ? run.sandbox?.watch?.(root.pid) : undefined;

  const exit = untilExit(child);
  const limit = new Limit(run);
  const first = await Promise.race([exit, limit.reached]);
  limit.release();
  const streams = [child.stdout, child.stderr].filter((stream) => stream !== null);
  if (typeof first === 'string') {
    for (const stream of streams) discardOutput(stream);
    child.unref();
    void killTree(root, { graceMs: GRACE_MS }).finally(stopWatching).finally(cleanup);
    return outcome({ endedBy: first });
  }
  stopWatching?.();
  const isHeld = streams.some((stream) => !stream.closed && !stream.readableEnded);
  // On a busy machine the end of the stream may only be late.
  const hasLeftProcesses = isHeld && hasMembers(root);
  if (hasLeftProcesses) void killTree(root);
  await cleanup();
  return outcome({ ...first, hasLeftProcesses });
}

function hasMembers(root: ProcessRoot): boolean {
  return process.platform === 'win32' || membersOf(listProcesses(), [root]).length > 0;
}

/** The time limit or the cancellation, whichever comes first. */
class Limit {
  readonly reached: Promise<'timeout' | 'abort'>;
  private resolve: (reason: 'timeout' | 'abort') => void = () => undefined;
  private readonly timer: NodeJS.Timeout;
  private readonly onAbort = () => this.resolve('abort');

  constructor(private readonly run: Pick<CommandRun, 'timeoutMs' | 'signal'>) {
    this.reached = new Promise((resolve) => {
      this.resolve = resolve;
    });
    this.timer = setTimeout(() => this.resolve('timeout'), Math.min(run.timeoutMs, LONGEST_TIMER_MS));
    run.signal?.addEventListener('abort', this.onAbort, { once: true });
  }

  release(): void {
    clearTimeout(this.timer);
    this.run.signal?.removeEventListener('abort', this.onAbort);
  }
}
