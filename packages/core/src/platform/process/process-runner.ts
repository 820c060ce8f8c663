/**
 * Runs a program to its end: own process group, time limit, cancellation, bounded output, nothing left
 * behind. For commands written by the model or the user see `shell-service.ts`.
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
  /** Per stream; of more, the last bytes are kept. Default 10 MB. */
  maxOutputBytes?: number;
  /** The output may be no text: its bytes are wanted beside it. */
  wantsBytes?: boolean;
}

export interface RunResult {
  stdout: string;
  /** Where they were wanted. */
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

/** Never rejects: what went wrong is in the result. */
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
  // A program may end without reading its input (EPIPE); its exit code tells all.
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

/** A child that leads its own group and session, registered to end with us. */
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

/** The process's own end decides, not that of children holding its pipes. */
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

/** After the exit, output still on its way is awaited: until silence, and not for ever. */
const DRAIN_IDLE_MS = 25;
const DRAIN_MAX_MS = 250;
/** Times that the limit is put off because we ourselves had stopped reading. */
const MAX_EXTENSIONS = 4;

/** Until the stream closes or falls silent; a background job may hold it for ever. */
function drain(stream: Readable): Promise<void> {
  if (stream.closed) return Promise.resolve();
  return new Promise((resolve) => {
    let isSilent = true;
    let extensions = 0;
    const finish = () => {
      clearTimeout(idle);
      clearTimeout(limit);
      stream.off('data', onData).off('close', finish);
      abandon(stream);
      resolve();
    };
    const onData = () => {
      isSilent = false;
      idle.refresh();
    };
    // Timers come before input in a turn of the event loop: after a long one, look at the input first.
    const idle = setTimeout(() => {
      isSilent = true;
      setImmediate(() => {
        if (!isSilent || stream.isPaused()) idle.refresh();
        else finish();
      });
    }, DRAIN_IDLE_MS);
    const limit = setTimeout(() => {
      if (stream.isPaused() && extensions++ < MAX_EXTENSIONS) limit.refresh();
      else finish();
    }, DRAIN_MAX_MS);
    stream.on('data', onData).on('close', finish);
  });
}

/**
 * Whoever still holds the other end may go on writing: unread it would block, closed it would die. So
 * it is read, thrown away, and does not keep us alive.
 */
export function abandon(stream: Readable): void {
  stream.removeAllListeners('data');
  stream.on('error', () => {});
  stream.resume();
  if ('unref' in stream && typeof stream.unref === 'function') stream.unref();
}
