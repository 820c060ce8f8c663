/** Measures stored sessions and context files. */
import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from '../packages/test-utils/src/model-script.js';
import { bundleScript, COMPILED } from './bundle-script.js';
import { runOnce } from './measure.js';
import type { Bench } from './rounds.js';
import { atMost, type Group, prompt, statOf } from './row.js';
import { writeSession } from './session-files.js';
import { cleanEnv, PEAK_MEMORY } from './subjects.js';

const SESSIONS = 1_000;
const LONG_MESSAGES = 10_000;

export const SESSION_ROWS: Record<string, Group> = {
  async sessions(bench) {
    return inFolder(async (folder) => {
      for (let index = 0; index < SESSIONS; index++) {
        const needle = index % 100 === 0 ? 'a needle in it' : undefined;
        const id = `s${String(index).padStart(7, '0')}-bench`;
        writeSession(join(folder, 'chats'), {
          id,
          messages: 40,
          bytes: 5_000,
          ageMinutes: index,
          ...(needle && { needle }),
        });
      }
      const run = await runner<{ ms: number; count: number }>(bench, folder);
      const lists = run('list', folder);
      const searches = run('search', folder, 'a needle in it');
      const appends = (await runner<{ median: number; p95: number; bytes: number }>(bench, folder))(
        'append',
        join(folder, 'written'),
      );
      if (lists.some(({ count }) => count !== SESSIONS)) throw new Error('sessions are missing in the list');
      if (searches.some(({ count }) => count !== SESSIONS / 100)) throw new Error('the search missed some');
      return [
        {
          name: 'append of one record',
          unit: 'ms',
          program: statOf(appends.map(({ median }) => median)),
          ...atMost(0.5, 'ms'),
          note: `2,000 records of 2.3 kB, freed of secrets; 95th percentile ${statOf(appends.map(({ p95 }) => p95)).median.toFixed(2)} ms`,
        },
        {
          name: 'list of 1,000 sessions',
          unit: 'ms',
          program: statOf(lists.map(({ ms }) => ms)),
          ...atMost(50, 'ms'),
          note: 'files of 200 kB; two kilobytes of each are read',
        },
        {
          name: 'search over 1,000 sessions of 200 kB',
          unit: 'ms',
          program: statOf(searches.map(({ ms }) => ms)),
          ...atMost(1_000, 'ms'),
        },
      ];
    });
  },

  /** The built program, resumed with a session of 10,000 messages and 60 MB. */
  async resume(bench) {
    const chats = join(bench.place.home, '.gemini/tmp/workspace/chats');
    const path = writeSession(chats, { id: 'longlong-bench', messages: LONG_MESSAGES, bytes: 6_000 });
    const command = bench.subjects.find(({ name }) => name === 'program')?.command ?? [];
    const peakFile = join(bench.place.home, 'peak');
    const [times, peaks]: [number[], number[]] = [[], []];
    try {
      const megabytes = readFileSync(path).length / 1e6;
      for (let run = -1; run < bench.runs; run++) {
        const env = { NODE_OPTIONS: `--require ${PEAK_MEMORY}`, BENCH_PEAK_FILE: peakFile };
        const task = {
          args: prompt('go on', '--resume', 'longlong-bench'),
          replies: [[text('Yes.')]],
        };
        const { firstRequest, bytes } = await runOnce(command, task, bench.place);
        if ((bytes[0] ?? 0) < 1_000_000) throw new Error('the history was not sent');
        await runOnce(command, { ...task, env }, bench.place);
        const peak = Math.max(...readFileSync(peakFile, 'utf8').trim().split('\n').map(Number)) / 1024;
        rmSync(peakFile);
        if (run < 0) continue;
        times.push(firstRequest);
        peaks.push(peak);
      }
      const note = `${megabytes.toFixed(0)} MB, no message in ASCII; what fits into the largest window is sent`;
      return [
        {
          name: 'resume of 10,000 messages to the first request',
          unit: 'ms',
          program: statOf(times),
          ...atMost(700, 'ms'),
          note,
        },
        { name: 'peak memory of that', unit: 'MB', program: statOf(peaks), ...atMost(250, 'MB') },
      ];
    } finally {
      rmSync(path);
    }
  },

  async discovery(bench) {
    return inFolder(async (folder) => {
      const tree = join(folder, 'tree');
      makeTree(tree);
      const run = await runner<{ ms: number; later: number; files: number; found: boolean }>(bench, folder);
      const samples = run('discovery', tree, join(folder, 'home'));
      if (samples.some(({ files, found }) => files !== 1 || !found)) throw new Error('files were not found');
      return [
        {
          name: 'context files in a tree of 20,000 files',
          unit: 'ms',
          program: statOf(samples.map(({ ms, later }) => ms + later)),
          ...atMost(60, 'ms'),
          note: `at the start, and when a tool touches a subfolder: ${statOf(samples.map(({ later }) => later)).median.toFixed(2)} ms of it`,
        },
      ];
    });
  },
};

async function inFolder<T>(action: (folder: string) => Promise<T>): Promise<T> {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), 'gemini-session-bench-')));
  try {
    return await action(folder);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** One process per sample, after one to warm up. */
async function runner<T>(bench: Bench, folder: string): Promise<(...args: string[]) => T[]> {
  const script = await bundleScript('session-run', folder);
  return (...args) => {
    const samples: T[] = [];
    for (let run = -1; run < bench.runs; run++) {
      const output = execFileSync(process.execPath, [COMPILED, script, ...args], {
        encoding: 'utf8',
        env: cleanEnv(bench.place, ''),
      });
      if (run >= 0) samples.push(JSON.parse(output) as T);
    }
    return samples;
  };
}

function makeTree(tree: string): void {
  for (let index = 0; index < 400; index++) {
    const folder = join(tree, `part-${index % 20}`, `folder-${index}`);
    mkdirSync(folder, { recursive: true });
    for (let file = 0; file < 50; file++) writeFileSync(join(folder, `module-${file}.ts`), 'export {};\n');
    writeFileSync(join(folder, 'GEMINI.md'), `Rules of folder ${index}.\n`);
  }
  mkdirSync(join(tree, '.git'));
  writeFileSync(join(tree, '.gitignore'), 'dist\nnode_modules\n');
  writeFileSync(join(tree, 'GEMINI.md'), 'Rules of the project.\n');
}
