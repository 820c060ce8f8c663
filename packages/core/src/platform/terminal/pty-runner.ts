/** Runs a shell in a pseudo-terminal. */
import { constants } from 'node:os';
import { newMark, registerChild } from '../process/child-registry.js';
import type { CommandProcess, StartOptions, TerminalSize } from '../process/command-process.js';
import { killGroupAfterDeath } from '../process/death-watch.js';
import { discardOutput, type ProcessExit } from '../process/process-runner.js';
import { openNativePty } from './pty-native.js';

export interface PtyStartOptions extends StartOptions {
  size: TerminalSize;
}

/** Undefined when no pseudo-terminal can be opened. */
export async function startOnTerminal(options: PtyStartOptions): Promise<CommandProcess | undefined> {
  try {
    return process.platform === 'linux' ? await startNative(options) : await startPortable(options);
  } catch {
    return undefined;
  }
}

async function startNative({ onData, ...options }: PtyStartOptions): Promise<CommandProcess> {
  const { mark, variables } = newMark();
  let ended: (exit: ProcessExit) => void = () => {};
  const shellExit = new Promise<ProcessExit>((resolve) => {
    ended = resolve;
  });
  const { pid, socket, resize, finish } = await openNativePty({
    ...options,
    env: { ...options.env, PWD: options.cwd, ...variables },
    onExit: (code, signal) => ended(exitOf(code, signal)),
  });
  socket.on('data', onData);
  const root = { pid, mark };
  const release = registerChild(root);
  const endWatch = killGroupAfterDeath(root.pid);
  return {
    method: 'pty',
    root,
    exited: shellExit.then(async (exit) => {
      release();
      endWatch();
      await finish(onData);
      discardOutput(socket);
      return exit;
    }),
    pause: () => socket.pause(),
    resume: () => socket.resume(),
    write: (data) => {
      if (socket.writable) socket.write(data);
    },
    resize,
  };
}

/** For macOS and Windows. The library waits up to 200 ms for the last output and closes the terminal. */
export async function startPortable({ onData, ...options }: PtyStartOptions): Promise<CommandProcess> {
  const { spawn } = await import('@lydell/node-pty');
  const { mark, variables } = newMark();
  const pty = spawn(options.file, [...options.args], {
    name: 'xterm-256color',
    cols: options.size.columns,
    rows: options.size.rows,
    cwd: options.cwd,
    env: { ...options.env, ...variables },
    // Raw bytes; Windows supports only text.
    encoding: process.platform === 'win32' ? undefined : null,
  });
  pty.onData((data: string | Buffer) => onData(typeof data === 'string' ? Buffer.from(data) : data));
  const root = { pid: pty.pid, mark };
  const release = registerChild(root);
  const endWatch = killGroupAfterDeath(root.pid);
  return {
    method: 'pty',
    root,
    exited: new Promise((resolve) => {
      pty.onExit(({ exitCode, signal }) => {
        release();
        endWatch();
        resolve(exitOf(exitCode, signal ?? 0));
      });
    }),
    pause: () => pty.pause(),
    resume: () => pty.resume(),
    write: (data) => pty.write(data),
    resize: (columns, rows) => pty.resize(columns, rows),
  };
}

function exitOf(code: number, signal: number): ProcessExit {
  if (signal === 0) return { exitCode: code, signal: null };
  const known = Object.entries(constants.signals).find(([, number]) => number === signal);
  return { exitCode: null, signal: (known?.[0] ?? 'SIGKILL') as NodeJS.Signals };
}
