/**
 * Runs a program until it ends, in its own process group, with a time limit, cancellation and bounded
 * output. Commands written by the model or the user go through `shell-service.ts`.
 */
import { type ChildProcess, spawn } from 'node:child_process';
import type { Readable } from 'node:stream';
import type { Variables } from '../environment.js';
import { newMark, registerChild } from './child-registry.js';
import { killTree } from './kill-tree.js';
import type { ProcessRoot } from './process-tree.js';
import { TailBuffer } from './tail-buffer.js';

export interface RunOptions {
  cwd?: string;
  env: Variables;
  /** Written to stdin, which is then closed; without it stdin is empty. */
  input?: string | Uint8Array;
  signal?: AbortSignal;
  timeoutMs?: number;
  /** Limit per stream; the last bytes are kept. Default 10 MB. */
  maxOutputBytes?: number;
  /** Also return stdout as bytes, for output that may not be text. */
  wantsBytes?: boolean;
}

export interface RunResult {
  stdout: string;
  /** With `wantsBytes`. */
  stdoutBytes?: Buffer;
  stderr: string;
  exitCode: number | null;
  signal: NodeJS.Signals | null;
  /** Why the program did not end by itself. */
  endedBy?: 'abort' | 'timeout';
  /** Output at the start of a stream was dropped. */
  truncated: boolean;
  /** The program could not be started. */
  error?: Error;
}

const DEFAULT_OUTPUT_BYTES = 10 * 1024 * 1024;

/** Never rejects: errors are in the result. */
export async function runProcess(
  file: string,
  args: readonly string[],
  options: RunOptions,
): Promise<RunResult> {
  const stdout = new TailBuffer(options.maxOutputBytes ?? DEFAULT_OUTPUT_BYTES);
  const stderr = new TailBuffer(options.maxOutputBytes ?? DEFAULT_OUTPUT_BYTES);
  const result = (rest: Partial<RunResult>): RunResult => ({
    stdout: stdout.tail().toString('utf8'),
    ...(options.wantsBytes && { stdoutBytes: stdout.tail() }),
    stderr: stderr.tail().toString('utf8'),
    exitCode: null,
    signal: null,
    truncated: stdout.isCut || stderr.isCut,
    ...rest,
  });
  if (options.signal?.aborted) return result({ endedBy: 'abort' });

  const started = spawnGroup(file, args, { ...options, pipeInput: options.input !== undefined });
  if (started instanceof Error) return result({ error: started });
  const { child, root } = started;
  child.stdout?.on('data', (chunk: Buffer) => stdout.push(chunk));
  child.stderr?.on('data', (chunk: Buffer) => stderr.push(chunk));
  // A program may end without reading its input (EPIPE); its exit code is what counts.
  child.stdin?.on('error', () => {});
  child.stdin?.end(options.input);

  let endedBy: RunResult['endedBy'];
  let killing: Promise<void> | undefined;
  const end = (reason: 'abort' | 'timeout') => {
    endedBy ??= reason;
    killing ??= killTree(root);
  };
  const onAbort = () => end('abort');
  options.signal?.addEventListener('abort', onAbort, { once: true });
  const timer = options.timeoutMs ? setTimeout(() => end('timeout'), options.timeoutMs) : undefined;
  const exit = await untilExit(child);
  clearTimeout(timer);
  options.signal?.removeEventListener('abort', onAbort);
  await killing;
  return result({ ...exit, endedBy });
}

export interface SpawnOptions {
  cwd?: string;
  env: Variables;
  pipeInput?: boolean;
}

export interface SpawnedGroup {
  child: ChildProcess;
  root: ProcessRoot;
}

/** Starts a child in its own process group and session; it is killed when this program exits. */
export function spawnGroup(
  file: string,
  args: readonly string[],
  { cwd, env, pipeInput = false }: SpawnOptions,
): SpawnedGroup | Error {
  const { mark, variables } = newMark();
  let child: ChildProcess;
  try {
    child = spawn(file, args, {
      cwd,
      env: { ...env, ...variables },
      stdio: [pipeInput ? 'pipe' : 'ignore', 'pipe', 'pipe'],
      detached: process.platform !== 'win32',
      windowsHide: true,
    });
  } catch (error) {
    return error instanceof Error ? error : new Error(String(error));
  }
  const root = { pid: child.pid ?? 0, mark };
  if (child.pid) child.once('exit', registerChild(root));
  return { child, root };
}

export interface ProcessExit {
  exitCode: number | null;
  signal: NodeJS.Signals | null;
  error?: Error;
}

/** Waits for the process itself, not for children that still hold its pipes. */
export function untilExit(child: ChildProcess): Promise<ProcessExit> {
  return new Promise((resolve) => {
    const streams = [child.stdout, child.stderr].filter((stream) => stream !== null);
    child.once('error', (error) => {
      if (child.pid === undefined) resolve({ exitCode: null, signal: null, error });
    });
    child.once('exit', async (exitCode, signal) => {
      await Promise.all(streams.map(drain));
      resolve({ exitCode, signal });
    });
  });
}

/** How long to wait after the exit for output still in the pipe: without new data, and in total. */
const DRAIN_IDLE_MS = 25;
const DRAIN_MAX_MS = 250;
/** How often the total is extended because we had paused reading. */
const MAX_EXTENSIONS = 4;

/** Waits until the stream closes or stays silent; a background job may keep it open for ever. */
function drain(stream: Readable): Promise<void> {
  if (stream.closed) return Promise.resolve();
  return new Promise((resolve) => {
    let isSilent = true;
    let extensions = 0;
    const finish = () => {
      clearTimeout(idle);
      clearTimeout(limit);
      stream.off('data', onData).off('close', finish);
      discardOutput(stream);
      resolve();
    };
    const onData = () => {
      isSilent = false;
      idle.refresh();
    };
    // Node runs timers before input: after a long pause, both timers let it read waiting input first.
    const idle = setTimeout(() => {
      isSilent = true;
      setImmediate(() => {
        if (!isSilent || stream.isPaused()) idle.refresh();
        else finish();
      });
    }, DRAIN_IDLE_MS);
    const limit = setTimeout(() => {
      if (stream.isPaused() && extensions++ < MAX_EXTENSIONS) limit.refresh();
      else setImmediate(finish);
    }, DRAIN_MAX_MS);
    stream.on('data', onData).on('close', finish);
  });
}

/**
 * Discards further output. A background job that still writes would block if we stopped reading, and die
 * if we closed the stream. The stream does not keep this program running.
 */
export function discardOutput(stream: Readable): void {
  stream.removeAllListeners('data');
  stream.on('error', () => {});
  stream.resume();
  if ('unref' in stream && typeof stream.unref === 'function') stream.unref();
}
