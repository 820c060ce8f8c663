import { describe, expect, it } from 'vitest';
import { startPortable } from './pty-runner.js';

/** The way of macOS and Windows, which works here as well. */
describe('startPortable', () => {
  async function run(
    script: string,
    after: (pty: Awaited<ReturnType<typeof startPortable>>) => void = () => {},
  ) {
    const chunks: Buffer[] = [];
    const pty = await startPortable({
      file: 'bash',
      args: ['-c', script],
      cwd: '/tmp',
      env: { PATH: process.env['PATH'] ?? '' },
      size: { columns: 100, rows: 20 },
      onData: (chunk) => chunks.push(chunk),
    });
    after(pty);
    const exit = await pty.exited;
    return { output: Buffer.concat(chunks).toString(), exit };
  }

  it('gives output and exit code', async () => {
    expect(await run('stty size; pwd; exit 3')).toEqual({
      output: '20 100\r\n/tmp\r\n',
      exit: { exitCode: 3, signal: null },
    });
  });

  it('names the signal and takes input', async () => {
    const { output, exit } = await run('read -r x; echo "got $x"; kill -9 $$', (pty) => pty.write('hi\r'));
    expect(output).toContain('got hi');
    expect(exit).toEqual({ exitCode: null, signal: 'SIGKILL' });
  });
});
