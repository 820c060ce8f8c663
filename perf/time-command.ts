import { spawn } from 'node:child_process';
import { performance } from 'node:perf_hooks';

/** Spawn to close of one command whose output is read and dropped, ms. */
export function timeCommand(command: string, args: string[], cwd: string): Promise<number> {
  const started = performance.now();
  return new Promise((resolve, reject) => {
    const child = spawn(command, args, {
      cwd,
      env: { PATH: process.env['PATH'] },
      stdio: ['ignore', 'pipe', 'ignore'],
    });
    child.stdout.resume();
    child.once('error', reject);
    child.once('close', () => resolve(performance.now() - started));
  });
}
