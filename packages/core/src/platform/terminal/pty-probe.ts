/** Tests whether a pseudo-terminal can be opened on this machine, by starting a shell in one. */
import { startOnTerminal } from './pty-runner.js';

export async function canOpenTerminal(env: NodeJS.ProcessEnv): Promise<boolean> {
  const isWindows = process.platform === 'win32';
  const terminal = await startOnTerminal({
    file: isWindows ? 'cmd.exe' : '/bin/sh',
    args: [isWindows ? '/c' : '-c', 'exit 0'],
    cwd: isWindows ? 'C:\\' : '/',
    env: { PATH: env['PATH'] ?? '' },
    size: { columns: 80, rows: 24 },
    onData: () => {},
  });
  if (!terminal) return false;
  const { exitCode } = await terminal.exited;
  return exitCode === 0;
}
