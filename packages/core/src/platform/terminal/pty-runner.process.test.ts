import { describe, expect, it } from 'vitest';
import { startPortable } from './pty-runner.js';

/** The code for macOS and Windows, which also works on Linux. */
describe('startPortable', () => {
  /** Ends the script, which reads a line last, once it has printed `expected`: the library may lose what comes later. */
  async function run(script: string, expected: string, input = '') {
    let output = '';
    let isAnswered = false;
    const pty = await startPortable({
      file: 'bash',
      args: ['-c', script],
      cwd: '/tmp',
      env: { PATH: process.env['PATH'] ?? '' },
      size: { columns: 100, rows: 20 },
      onData: (chunk) => {
        output += chunk.toString();
        if (!isAnswered && output.includes(expected)) {
          isAnswered = true;
          pty.write('\r');
        }
      },
    });
    if (input) pty.write(input);
    const exit = await pty.exited;
    return { output, exit };
  }

  it('returns output and exit code', async () => {
    const { output, exit } = await run('stty size; pwd; read -r end; exit 3', '/tmp\r\n');
    expect(output.startsWith('20 100\r\n/tmp\r\n')).toBe(true);
    expect(exit).toEqual({ exitCode: 3, signal: null });
  });

  it('names the signal and accepts input', async () => {
    const script = 'read -r x; echo "got $x"; read -r end; kill -9 $$';
    const { output, exit } = await run(script, 'got hi', 'hi\r');
    expect(output).toContain('got hi');
    expect(exit).toEqual({ exitCode: null, signal: 'SIGKILL' });
  });
});
