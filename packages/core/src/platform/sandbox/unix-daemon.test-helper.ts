/** For tests: a program that listens on a unix socket, bound in ways that a list of open sockets may not show. */
import { spawn } from 'node:child_process';
import { join } from 'node:path';
import type { SandboxFixture } from './sandboxed-run.test-helper.js';

export type Binding = 'absolute' | 'relative' | 'renamed' | 'abstract' | 'other network';

/** Only root can create a network namespace. */
export const bindings: readonly Binding[] = [
  'absolute',
  'relative',
  'renamed',
  'abstract',
  ...(process.getuid?.() === 0 ? (['other network'] as const) : []),
];

export interface UnixDaemon {
  /** A command that connects and prints the result. */
  connecting: string;
  stop(): void;
}

export async function unixDaemon(fixture: SandboxFixture, how: Binding): Promise<UnixDaemon> {
  const path = how === 'abstract' ? `\0${fixture.base}` : join(fixture.workspace, 'daemon.sock');
  const bound = how === 'relative' ? 'daemon.sock' : how === 'renamed' ? `${path}.first` : path;
  const script = `
    const server = require("net").createServer((socket) => socket.end("reached"));
    server.listen(${JSON.stringify(bound)}, () => {
      if (${how === 'renamed'}) require("fs").renameSync(${JSON.stringify(bound)}, ${JSON.stringify(path)});
      if (${how !== 'abstract'}) require("fs").chmodSync(${JSON.stringify(path)}, 0o777);
      console.log("ready");
    });`;
  const [file = '', ...args] = [
    ...(how === 'other network' ? ['unshare', '-n'] : []),
    process.execPath,
    '-e',
    script,
  ];
  const daemon = spawn(file, args, { cwd: fixture.workspace, stdio: ['ignore', 'pipe', 'inherit'] });
  await new Promise((resolve) => daemon.stdout.once('data', resolve));
  return {
    connecting: `${process.execPath} -e '
      const done = (text) => { console.log(text); process.exit(); };
      require("net").connect(${JSON.stringify(path)}).on("data", (d) => done(String(d))).on("error", (e) => done(e.code))'`,
    stop: () => daemon.kill('SIGKILL'),
  };
}
