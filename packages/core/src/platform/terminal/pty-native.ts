/**
 * Opens a pseudo-terminal on Linux through node-pty's native part. Its JavaScript part closes the
 * terminal 200 ms after the shell's end, under the feet of background jobs, and reports the end only
 * then; it serves for the other systems.
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
  /** To be called after the shell's end: hands over all it has printed, then lets go of the terminal. */
  finish(onData: (chunk: Buffer) => void): Promise<void>;
}

/** Descriptors of our ends: the native part lets later children inherit them. */
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
  // While we hold the command's side too, its end is no hang-up. Node takes a hang-up for the end of the
  // data although there may be more of it to read.
  const commandSide = openSync(name, constants.O_RDWR | constants.O_NOCTTY);
  const socket = new ReadStream(fd);
  openFds.add(fd);
  socket.once('close', () => openFds.delete(fd));
  // Reading ends with an error once the last holder of the terminal is gone.
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

/** What a background job goes on printing is not waited for. */
const MAX_REST_BYTES = 1024 * 1024;

/** The terminal says "try again" only when all that was printed has been read. */
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
    // Empty.
  }
}

const MAX_PAUSE_MS = 1000;
const POLL_MS = 5;

/** Chunks held back because we could not keep up come first. */
async function untilFlowing(socket: ReadStream): Promise<void> {
  for (let waited = 0; waited < MAX_PAUSE_MS; waited += POLL_MS) {
    if (!socket.isPaused() && socket.readableLength === 0) return;
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

async function loadBinding(): Promise<PtyBinding> {
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
