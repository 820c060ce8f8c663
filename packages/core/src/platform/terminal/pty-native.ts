/**
 * Opens a pseudo-terminal on Linux through node-pty's native module. The library's JavaScript, used on the
 * other systems, closes the terminal 200 ms after the shell has ended, which breaks background jobs, and
 * reports the end only then.
 */
import { closeSync, constants, openSync, readSync } from 'node:fs';
import { ReadStream } from 'node:tty';
import type { TerminalSize } from '../process/command-process.js';

export interface PtyOptions {
  file: string;
  args: readonly string[];
  cwd: string;
  env: Readonly<Record<string, string>>;
  size: TerminalSize;
  onExit: (exitCode: number, signal: number) => void;
}

export interface NativePty {
  pid: number;
  socket: ReadStream;
  resize(columns: number, rows: number): void;
  /** Call after the shell has ended: delivers the remaining output, then closes the terminal. */
  finish(onData: (chunk: Buffer) => void): Promise<void>;
}

/** Our ends of open terminals. The native module lets later children inherit them. */
const openFds = new Set<number>();

export function openTerminalFds(): readonly number[] {
  return [...openFds];
}

/** @throws when the native module is missing or no terminal can be opened. */
export async function openNativePty(options: PtyOptions): Promise<NativePty> {
  const { file, args, cwd, env, size, onExit } = options;
  const binding = await loadBinding();
  const pairs = Object.entries(env).map(([name, value]) => `${name}=${value}`);
  const { columns, rows } = size;
  const sameUser = -1;
  const isUtf8 = true;
  const {
    pid,
    fd,
    pty: name,
  } = binding.fork(
    file,
    [...args],
    pairs,
    cwd,
    columns,
    rows,
    sameUser,
    sameUser,
    isUtf8,
    'unused-on-linux',
    onExit,
  );
  // Holding the command's side open avoids a hang-up, which Node takes for the end of the data even if more
  // can be read.
  const commandSide = openSync(name, constants.O_RDWR | constants.O_NOCTTY);
  const socket = new ReadStream(fd);
  openFds.add(fd);
  socket.once('close', () => openFds.delete(fd));
  // Reading ends with an error once the last process with this terminal has exited.
  socket.on('error', () => {});
  return {
    pid,
    socket,
    resize: (width, height) => {
      if (openFds.has(fd)) binding.resize(fd, width, height);
    },
    finish: async (onData) => {
      await untilFlowing(socket);
      if (!socket.destroyed) readRest(fd, onData);
      closeSync(commandSide);
    },
  };
}

/** Limits the read in case a background job keeps printing. */
const MAX_REST_BYTES = 1024 * 1024;

/** Reads until the terminal reports EAGAIN, which means that all output has been read. */
function readRest(fd: number, onData: (chunk: Buffer) => void): void {
  const buffer = Buffer.allocUnsafe(16 * 1024);
  try {
    for (let total = 0; total < MAX_REST_BYTES; ) {
      const count = readSync(fd, buffer);
      if (count === 0) return;
      total += count;
      onData(Buffer.from(buffer.subarray(0, count)));
    }
  } catch {
    // EAGAIN: all output has been read.
  }
}

const MAX_PAUSE_MS = 1000;
const POLL_MS = 5;

/** Waits until the chunks that were held back while paused have been delivered. */
async function untilFlowing(socket: ReadStream): Promise<void> {
  const end = performance.now() + MAX_PAUSE_MS;
  while (socket.isPaused() || socket.readableLength > 0) {
    if (performance.now() > end) return;
    await new Promise((resolve) => setTimeout(resolve, POLL_MS));
  }
}

interface PtyBinding {
  fork(
    file: string,
    args: string[],
    env: string[],
    cwd: string,
    columns: number,
    rows: number,
    uid: number,
    gid: number,
    utf8: boolean,
    helperPath: string,
    onExit: (exitCode: number, signal: number) => void,
  ): { fd: number; pid: number; pty: string };
  resize(fd: number, columns: number, rows: number): void;
}

/** @throws when the native module is missing */
export async function loadBinding(): Promise<PtyBinding> {
  const { requireBinary } = await import('@lydell/node-pty/requireBinary.js');
  const binding = requireBinary('pty.node');
  if (!isBinding(binding)) throw new Error('The pseudo-terminal module has an unknown shape.');
  return binding;
}

function isBinding(binding: unknown): binding is PtyBinding {
  return (
    typeof binding === 'object' &&
    binding !== null &&
    'fork' in binding &&
    typeof binding.fork === 'function' &&
    'resize' in binding
  );
}
