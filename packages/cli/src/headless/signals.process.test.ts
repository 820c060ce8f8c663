import { type ChildProcess, spawn } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { build } from 'esbuild';
import { afterAll, beforeAll, expect, it } from 'vitest';

const directory = mkdtempSync(join(tmpdir(), 'gemini-signals-'));
const program = join(directory, 'work.mjs');

/** Work that ends when told to (`obedient`) or never, and says what happens to it. */
beforeAll(async () => {
  await build({
    stdin: {
      contents: `
        import { Interruption } from './signals.js';
        const say = (text) => process.stdout.write(text + '\\n');
        const interruption = new Interruption({
          cleanupMs: 600,
          onSlow: (signal) => say('slow ' + signal),
          onSecond: (signal) => { say('second ' + signal); process.exit(7); },
        });
        const forever = setInterval(() => {}, 1000);
        const work = new Promise((resolve) => {
          if (process.argv[2] !== 'obedient') return;
          interruption.signal.addEventListener('abort', () => resolve('stopped'));
        });
        say('ready');
        const start = Date.now();
        const result = await interruption.settle(work);
        interruption.dispose();
        clearInterval(forever);
        say([result ?? (Date.now() - start >= 590 ? 'late' : 'soon'), interruption.received].join(' '));
      `,
      resolveDir: import.meta.dirname,
      loader: 'ts',
    },
    bundle: true,
    platform: 'node',
    format: 'esm',
    outfile: program,
  });
});

afterAll(() => rmSync(directory, { recursive: true, force: true }));

/** Starts the program and sends each signal when the line before it has been seen. */
async function run(kind: string, ...script: [line: string, signal: NodeJS.Signals][]) {
  const child: ChildProcess = spawn(process.execPath, [program, kind], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  let output = '';
  child.stdout?.on('data', (chunk) => {
    output += chunk;
    while (script[0] && output.includes(script[0][0])) child.kill(script.shift()?.[1]);
  });
  const code = await new Promise((done) => child.on('close', done));
  return { lines: output.trim().split('\n'), code };
}

it('Interruption stops the work at the first signal', async () => {
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) {
    expect(await run('obedient', ['ready', signal])).toEqual({
      lines: ['ready', `stopped ${signal}`],
      code: 0,
    });
  }
});

it('Interruption ends the process at the second signal', async () => {
  expect(await run('stubborn', ['ready', 'SIGINT'], ['slow', 'SIGTERM'])).toEqual({
    lines: ['ready', 'slow SIGINT', 'second SIGTERM'],
    code: 7,
  });
});

it('Interruption abandons work that does not stop within the time to clean up', async () => {
  expect(await run('stubborn', ['ready', 'SIGTERM'])).toEqual({
    lines: ['ready', 'slow SIGTERM', 'late SIGTERM'],
    code: 0,
  });
});
