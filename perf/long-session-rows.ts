/** Measurements that take minutes: a very long session in one process, and many kills. */
import { spawn } from 'node:child_process';
import { mkdtempSync, realpathSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { build } from 'esbuild';
import { callTool, type Script, text, usage } from '../packages/test-utils/src/model-script.js';
import { type RecordedRequest, startModelServer } from '../packages/test-utils/src/model-server.js';
import { tomlPlugin } from '../scripts/toml-plugin.mjs';
import { atMost, exactly, type Group } from './row.js';
import { cleanEnv } from './subjects.js';

const TURNS = Number(process.env['BENCH_TURNS'] ?? 10_000);
const KILLS = 500;

interface LongSession {
  peak: number;
  /** MB in use after a collection, at each thousandth turn. */
  heap: number[];
  /** MB of the process at the same moments. */
  resident: number[];
  seconds: number;
  fileBytes: number;
}

export const LONG_SESSION_ROWS: Record<string, Group> = {
  /** 10,000 prompts, each with a tool call and an answer; the conversation is compressed again and again. */
  async 'long-session'(bench) {
    const folder = realpathSync(mkdtempSync(join(tmpdir(), 'gemini-long-session-')));
    const model = await startModelServer({ keepBodies: false });
    let asked = 0;
    model.otherwise((request) => replyTo(request, () => asked++));
    try {
      const script = join(folder, 'long-session-run.cjs');
      await build({
        entryPoints: [join(import.meta.dirname, 'long-session-run.ts')],
        outfile: script,
        bundle: true,
        platform: 'node',
        format: 'cjs',
        target: 'node20',
        minify: true,
        packages: 'external',
        loader: { '.md': 'text' },
        plugins: [tomlPlugin],
        logLevel: 'error',
      });
      const args = ['--expose-gc', script, bench.place.workspace, String(TURNS)];
      const numbers = JSON.parse(await run(args, cleanEnv(bench.place, model.url))) as LongSession;
      const [first = Number.NaN] = numbers.heap;
      const growth = Math.max(...numbers.heap) - first;
      const curve = (values: number[]) => values.map((value) => value.toFixed(0)).join(', ');
      return [
        {
          name: `peak memory of ${TURNS.toLocaleString('en')} turns`,
          unit: 'MB',
          program: exactly(numbers.peak),
          ...atMost(300, 'MB'),
          note: `resident at each thousandth: ${curve(numbers.resident)} MB; ${numbers.seconds.toFixed(0)} s, session file ${(numbers.fileBytes / 1e6).toFixed(0)} MB`,
        },
        {
          name: 'growth of the heap after the first thousand',
          unit: 'MB',
          program: exactly(growth),
          ...atMost(15, 'MB'),
          note: `after a collection at each thousandth turn: ${curve(numbers.heap)} MB`,
        },
      ];
    } finally {
      await model.close();
      rmSync(folder, { recursive: true, force: true });
    }
  },

  /** The series of kill.process.test.ts, longer. */
  async kills(bench) {
    const root = resolve(import.meta.dirname, '..');
    const vitest = join(root, 'node_modules/vitest/vitest.mjs');
    const test = 'packages/core/src/sessions/recording/kill.process.test.ts';
    const env = { ...cleanEnv(bench.place, ''), SESSION_KILLS: String(KILLS) };
    const failed = await run([vitest, 'run', test, '-t', 'loses nothing'], env, root).then(
      () => 0,
      (error: Error) => {
        bench.log(error.message);
        return 1;
      },
    );
    const name = `series of ${KILLS} kill -9 with a lost record`;
    return [{ name, unit: '%', program: exactly(failed * 100), ...atMost(0, '%') }];
  },
};

/** A tool call for every prompt, then an answer; utility calls get a summary. */
function replyTo({ method, bytes }: RecordedRequest, next: () => number): Script {
  // Without a realistic token count the conversation would never be compressed.
  const counted = usage({ promptTokenCount: Math.ceil(bytes / 4), candidatesTokenCount: 100 });
  if (method === 'generateContent') {
    return [text('<state_snapshot>\n<overall_goal>Go on.</overall_goal>\n</state_snapshot>')];
  }
  const count = next();
  if (count % 2 === 0)
    return [callTool('read_file', { file_path: `read-${count % 10}.txt` }, `c${count}`), counted];
  return [text(`Antwort ${count}: ${'größere Wörter und 漢字 '.repeat(60)}`), counted];
}

function run(args: string[], env: Record<string, string>, cwd = process.cwd()): Promise<string> {
  return new Promise((done, fail) => {
    const child = spawn(process.execPath, args, { cwd, env, stdio: ['ignore', 'pipe', 'pipe'] });
    let [output, errors] = ['', ''];
    child.stdout.setEncoding('utf8').on('data', (data: string) => {
      output += data;
    });
    child.stderr.setEncoding('utf8').on('data', (data: string) => {
      errors = (errors + data).slice(-4_000);
    });
    child.once('error', fail);
    child.once('exit', (code) => (code === 0 ? done(output) : fail(new Error(`exit ${code}: ${errors}`))));
  });
}
