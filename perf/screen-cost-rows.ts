/** Measures the CPU time and memory of the terminal interface. */
import { readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { chunks, type Script, text } from '../packages/test-utils/src/model-script.js';
import { startModelServer } from '../packages/test-utils/src/model-server.js';
import { runOnce } from './measure.js';
import type { Bench } from './rounds.js';
import { atMost, type Group, prompt, type Row, statOf, times } from './row.js';
import { crumbs } from './screen-answer.js';
import { openScreen, READY, warmUp } from './screen-run.js';
import { writeSession } from './session-files.js';
import { cpuTimeOf, memoryOf, sleep } from './terminal-run.js';

const CHUNKS = 2_000;
const ITEMS = 5_000;
const IDLE_MS = 4_000;
const MEMORY_RUNS = 3;
/** Until all idle work is done, including V8's last garbage collection after the start (8 s). */
const SETTLED_MS = 12_000;
const PRELOAD = join(import.meta.dirname, 'cpu-time.cjs');
const END = 'that was all of it';

export const SCREEN_COST_ROWS: Record<string, Group> = {
  /** The same prompt and the same answers, with and without the screen. */
  async 'screen-stream'(bench) {
    await warmUp(bench);
    const answers = { one: () => [text(END)], words: () => long(words()), markdown: () => long(markdown()) };
    const taken = { one: newTimes(), words: newTimes(), markdown: newTimes() };
    for (let run = -1; run < bench.runs; run++) {
      for (const name of ['one', 'words', 'markdown'] as const) {
        const headless = await headlessTime(bench, answers[name]());
        const screen = await screenTime(bench, answers[name]());
        if (run < 0) continue;
        taken[name].headless.push(headless);
        taken[name].screen.push(screen);
      }
    }
    return [
      streamRow('screen: processor time of 2,000 chunks', taken.words, taken.one),
      streamRow('screen: the same of Markdown with code', taken.markdown, taken.one),
    ];
  },

  async 'screen-idle'(bench) {
    await warmUp(bench);
    const [shares, fresh, long]: number[][] = [[], [], []];
    const id = 'longitem-bench';
    const chats = join(bench.place.home, '.gemini/tmp/workspace/chats');
    for (let run = 0; run < MEMORY_RUNS; run++) {
      const { share, peak } = await rest(bench, []);
      shares?.push(share);
      fresh?.push(peak);
    }
    const path = writeSession(chats, { id, messages: ITEMS, bytes: 300 });
    try {
      for (let run = 0; run < MEMORY_RUNS; run++) long?.push((await rest(bench, ['--resume', id])).peak);
    } finally {
      rmSync(path);
    }
    return [
      {
        name: 'screen: processor while idle',
        unit: '%',
        program: statOf(shares ?? []),
        ...atMost(0.1, '%'),
        note: `over ${IDLE_MS / 1000} s; 0 % rounded`,
      },
      {
        name: 'screen: memory at the prompt, peak',
        unit: 'MB',
        program: statOf(fresh ?? []),
        ...atMost(110, 'MB'),
      },
      {
        name: 'screen: the same with 5,000 items',
        unit: 'MB',
        program: statOf(long ?? []),
        ...atMost(150, 'MB'),
        note: 'resumed',
      },
    ];
  },
};

interface Times {
  headless: number[];
  screen: number[];
}

function newTimes(): Times {
  return { headless: [], screen: [] };
}

/** From start to end of the process; the note has the difference to an answer of one chunk. */
function streamRow(name: string, { headless, screen }: Times, one: Times): Row {
  const extra = (values: number[], short: number[]) => (Math.min(...values) - Math.min(...short)).toFixed(0);
  return {
    name,
    unit: 'ms',
    program: statOf(screen),
    base: { name: 'headless', value: statOf(headless) },
    ...times(1.5),
    note: `start and end included; above an answer of one chunk, by minima: ${extra(screen, one.screen)} ms against ${extra(headless, one.headless)} ms`,
  };
}

function* markdown(): Generator<string> {
  for (;;) yield* crumbs();
}

function* words(): Generator<string> {
  for (let index = 0; ; index++) yield `word ${index} `;
}

function long(source: Iterable<string>): Script {
  const all: string[] = [];
  for (const crumb of source) {
    if (all.length === CHUNKS - 1) break;
    all.push(crumb);
  }
  return [chunks(all), text(`\n\n${END}`)];
}

async function headlessTime(bench: Bench, reply: Script): Promise<number> {
  const command = bench.subjects.find(({ name }) => name === 'program')?.command ?? [];
  return timed(bench, (env) =>
    runOnce(command, { args: prompt('talk'), replies: [reply], env }, bench.place),
  );
}

async function screenTime(bench: Bench, reply: Script): Promise<number> {
  const model = await startModelServer({ keepBodies: false });
  model.otherwise(({ method }) => (method === 'generateContent' ? [text('Summary.')] : reply));
  try {
    return await timed(bench, async (env) => {
      const { run } = openScreen(bench, [], { url: model.url, env });
      run.write('talk\r');
      await run.until((shown) => shown.includes(END) && shown.includes(READY));
      run.write('\x04\x04');
      await run.exit;
    });
  } finally {
    await model.close();
  }
}

async function timed(
  bench: Bench,
  action: (env: Record<string, string>) => Promise<unknown>,
): Promise<number> {
  const file = join(bench.place.home, 'cpu');
  rmSync(file, { force: true });
  await action({ NODE_OPTIONS: `--require ${PRELOAD}`, BENCH_CPU_FILE: file });
  return Math.max(...readFileSync(file, 'utf8').trim().split('\n').map(Number));
}

async function rest(bench: Bench, args: string[]): Promise<{ share: number; peak: number }> {
  const model = await startModelServer({ keepBodies: false });
  model.otherwise(() => [text('Summary.')]);
  const { run, close } = openScreen(bench, args, { url: model.url });
  try {
    await run.until((shown) => shown.includes(READY));
    await sleep(SETTLED_MS);
    const before = cpuTimeOf(run.pid);
    await sleep(IDLE_MS);
    return { share: ((cpuTimeOf(run.pid) - before) / IDLE_MS) * 100, peak: memoryOf(run.pid).peak };
  } finally {
    await close();
    await model.close();
  }
}
