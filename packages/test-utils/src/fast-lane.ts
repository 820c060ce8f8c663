/**
 * Guards the fast lane of the tests: they run inside the test runner's process. A test that starts a process, a
 * worker thread or a pseudo terminal, or listens beyond this machine, fails and is told its name: `x.process.test.ts`.
 */
import childProcess from 'node:child_process';
import { syncBuiltinESMExports } from 'node:module';
import net from 'node:net';
import workerThreads from 'node:worker_threads';
import { afterAll, expect, vi } from 'vitest';

function refuse(what: string): never {
  const name = expect.getState().testPath?.split('/').at(-1) ?? 'the test';
  const right = name.replace(/(\.process)?\.test\./, '.process.test.');
  throw new Error(`This test ${what}, which the fast lane refuses: name its file ${right}.`);
}

// Every asynchronous way to start a process ends in this method.
Object.assign(childProcess.ChildProcess.prototype, {
  spawn: (options: { args?: string[] }) => refuse(`starts a process (${options.args?.join(' ')})`),
});
for (const name of ['spawnSync', 'execSync', 'execFileSync'] as const) {
  Object.assign(childProcess, { [name]: (file: string) => refuse(`starts a process (${file})`) });
}

Object.assign(workerThreads, {
  Worker: class {
    constructor() {
      refuse('starts a worker thread');
    }
  },
});

const openLibrary = process.dlopen;
process.dlopen = (...args: Parameters<typeof process.dlopen>) => {
  if (args[1].endsWith('pty.node')) refuse('starts a pseudo terminal');
  return openLibrary.apply(process, args);
};

const listen = net.Server.prototype.listen;
net.Server.prototype.listen = function (this: net.Server, ...args: unknown[]) {
  if (!staysHere(args)) refuse('listens beyond this machine');
  return Reflect.apply(listen, this, args);
};
syncBuiltinESMExports();

// The next file runs in the same process, with the same modules: one that is cut off while it loads would stay broken.
afterAll(async () => {
  await vi.dynamicImportSettled();
  vi.unstubAllEnvs();
  vi.unstubAllGlobals();
  vi.restoreAllMocks();
  vi.useRealTimers();
});

/** The forms of `listen`: a path, options with a path or host, a port with a host. */
function staysHere([first, second]: unknown[]): boolean {
  const options = typeof first === 'object' && first !== null ? (first as net.ListenOptions) : undefined;
  if (options?.path !== undefined || (typeof first === 'string' && !/^\d+$/.test(first))) return true;
  const host = options ? options.host : second;
  return typeof host === 'string' && /^(127\.|::1$|localhost$)/.test(host);
}
