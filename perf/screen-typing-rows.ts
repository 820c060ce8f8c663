/** Measures typing: the delay until a key is on the screen, and the bytes written for it. */
import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { performance } from 'node:perf_hooks';
import { delay, type Script, text } from '../packages/test-utils/src/model-script.js';
import { startModelServer } from '../packages/test-utils/src/model-server.js';
import { median } from './measure.js';
import type { Bench } from './rounds.js';
import { atMost, exactly, type Group, type Row, statOf } from './row.js';
import { crumbs } from './screen-answer.js';
import { openScreen, READY, warmUp } from './screen-run.js';
import { writeSession } from './session-files.js';
import { percentile, sleep, type TerminalRun } from './terminal-run.js';
import { withSettings } from './with-settings.js';

const RUNS = 5;
const KEYS = 120;
const ITEMS = 5_000;
const FILES = 100_000;
/** The first one is typed while files are found. */
const WORDS = 6;
/** What the last message of the long session begins with. */
const LAST = `Nachricht ${ITEMS - 1}`;
const LINE = 60;
const CLEARS = /\x1b\[[23]J|\x1bc/g;
const ROWS = 24;

interface Typed {
  /** Milliseconds from each key to its echo. */
  times: number[];
  /** Bytes written between two keys. */
  bytes: number[];
  output: string;
}

export const SCREEN_TYPING_ROWS: Record<string, Group> = {
  async 'screen-typing'(bench) {
    await warmUp(bench);
    const quiet = await series(bench, 'quiet', []);
    const id = 'longitem-bench';
    const chats = join(bench.place.home, '.gemini/tmp/workspace/chats');
    const path = writeSession(chats, { id, messages: ITEMS, bytes: 300 });
    try {
      const long = await series(bench, 'in a session of 5,000 items', ['--resume', id]);
      const busy = await series(bench, 'that, with 200 chunks a second', ['--resume', id], {
        isStreaming: true,
      });
      return [
        ...quiet.rows,
        bytesRow(quiet.runs),
        ...long.rows,
        ...busy.rows,
        ...frameRows([...quiet.runs, ...long.runs, ...busy.runs]),
      ];
    } finally {
      rmSync(path);
    }
  },

  /** `@` in a large workspace: the letters after it are echoed while files are found and searched. */
  async 'screen-files'(bench) {
    await warmUp(bench);
    const folder = makeFiles();
    try {
      // By default the index stops earlier.
      const settings = { context: { fileFiltering: { maxFileCount: 2 * FILES } } };
      return await withSettings(settings, (env) => typeFiles(bench, folder, env));
    } finally {
      rmSync(folder, { recursive: true, force: true });
    }
  },
};

async function typeFiles(bench: Bench, folder: string, env: Record<string, string>): Promise<Row[]> {
  const runs: Typed[] = [];
  const found: number[] = [];
  for (let run = 0; run < RUNS; run++) {
    const screen = await openScreen(bench, ['--skip-trust'], { cwd: folder, env });
    await screen.run.until((shown) => shown.includes(READY));
    const typed = await typeWords(screen.run, '@folder77module7.ts', WORDS);
    const from = screen.run.output.length;
    const asked = performance.now();
    screen.run.write('\x15@folder-777/module-7');
    found.push(
      (await screen.run.until((shown) => /folder-777\/module-7\d?\.ts/.test(shown), { from })) - asked,
    );
    await screen.close();
    runs.push(typed);
  }
  return [
    ...echoRows(`behind @ in ${FILES.toLocaleString('en')} files`, runs),
    {
      name: 'screen: suggestions for a folder in them',
      unit: 'ms',
      program: statOf(found),
      ...atMost(1_000, 'ms'),
    },
  ];
}

async function series(
  bench: Bench,
  what: string,
  args: string[],
  { isStreaming = false } = {},
): Promise<{ rows: Row[]; runs: Typed[] }> {
  const isLong = args.includes('--resume');
  const runs: Typed[] = [];
  const opened: number[] = [];
  for (let run = 0; run < RUNS; run++) {
    const model = await startModelServer({ keepBodies: false });
    // An earlier session may be summarised in the background.
    model.otherwise(({ method }) => (method === 'generateContent' ? [text('Summary.')] : steady()));
    const screen = await openScreen(bench, args, { url: model.url });
    try {
      await screen.run.until((shown) => shown.includes(READY) && (!isLong || shown.includes(LAST)));
      opened.push(performance.now() - screen.run.startedAt);
      if (isStreaming) {
        screen.run.write('go\r');
        await screen.run.until((shown) => shown.includes('esc to cancel'));
      }
      runs.push(await typeKeys(screen.run, KEYS));
    } finally {
      await screen.close();
      await model.close();
    }
  }
  const [echo, ...others] = echoRows(what, runs);
  const note = `typed from ${median(opened).toFixed(0)} ms on, when all of it was on the screen`;
  return { rows: echo ? [{ ...echo, note }, ...others] : others, runs };
}

function echoRows(what: string, runs: readonly Typed[]): Row[] {
  const medians = runs.map(({ times }) => median(times));
  const tails = runs.map(({ times }) => percentile(times, 0.99));
  const worst = Math.max(...runs.flatMap(({ times }) => times));
  return [
    { name: `screen: key to echo, ${what}`, unit: 'ms', program: statOf(medians), ...atMost(4, 'ms') },
    {
      name: '  its 99th percentile',
      unit: 'ms',
      program: statOf(tails),
      ...atMost(16, 'ms'),
      note: `median of ${runs.length} runs: ${tails.map((ms) => ms.toFixed(1)).join(', ')}; worst key ${worst.toFixed(1)} ms`,
    },
  ];
}

function bytesRow(runs: readonly Typed[]): Row {
  const bytes = runs.flatMap((run) => run.bytes);
  return {
    name: 'screen: bytes written per key',
    unit: 'bytes',
    program: { median: Math.round(percentile(bytes, 0.99)), min: Math.min(...bytes) },
    ...atMost(400, 'bytes'),
    note: `99th percentile and least, on 80 columns; median ${median(bytes)}`,
  };
}

/** Detects frames that are too tall, and full clears, in the bytes. */
function frameRows(runs: readonly Typed[]): Row[] {
  const clears = runs.reduce((sum, { output }) => sum + (output.match(CLEARS)?.length ?? 0), 0);
  const moves = runs.flatMap(({ output }) =>
    [...output.matchAll(/\x1b\[(\d+)A/g)].map(([, rows]) => Number(rows)),
  );
  return [
    {
      name: 'screen: full clears in all of these',
      unit: 'count',
      program: exactly(clears),
      ...atMost(0, ''),
    },
    {
      name: 'screen: rows of the tallest frame',
      unit: 'count',
      program: exactly(Math.max(...moves) + 1),
      ...atMost(ROWS, `of ${ROWS}`),
      note: 'as far as the cursor ever went back up',
    },
  ];
}

/** One key after the other at human speed; the line is emptied when it is full. */
async function typeKeys(run: TerminalRun, count: number): Promise<Typed> {
  const typed: Typed = { times: [], bytes: [], output: '' };
  let line = '';
  for (let key = 0; key < count; key++) {
    if (line.length === LINE) {
      run.write('\x15');
      line = '';
      await sleep(100);
    }
    line += String.fromCharCode(97 + ((key * 7) % 26));
    await press(run, line, typed);
    await sleep(15 + ((key * 13) % 25));
  }
  typed.output = run.output;
  return typed;
}

async function typeWords(run: TerminalRun, word: string, count: number): Promise<Typed> {
  const typed: Typed = { times: [], bytes: [], output: '' };
  for (let time = 0; time < count; time++) {
    for (let length = 1; length <= word.length; length++) {
      await press(run, word.slice(0, length), typed);
      await sleep(25);
    }
    run.write('\x15');
    await sleep(100);
  }
  typed.output = run.output;
  return typed;
}

async function press(run: TerminalRun, line: string, typed: Typed): Promise<void> {
  const from = run.output.length;
  const pressed = performance.now();
  run.write(line.slice(-1));
  const shown = await run.until((seen) => seen.includes(`> ${line}`), { from, timeoutMs: 5_000 });
  typed.times.push(shown - pressed);
  typed.bytes.push(Buffer.byteLength(run.output.slice(from)));
}

/** 200 chunks a second until the client disconnects. */
function* steady(): Script {
  const start = performance.now();
  let sent = 0;
  for (;;) {
    for (const crumb of crumbs()) {
      yield text(crumb);
      const wait = start + ++sent * 5 - performance.now();
      if (wait > 1) yield delay(wait);
    }
  }
}

function makeFiles(): string {
  const root = realpathSync(mkdtempSync(join(tmpdir(), 'gemini-bench-files-')));
  for (let folder = 0; folder < FILES / 100; folder++) {
    const path = join(root, `folder-${folder}`);
    mkdirSync(path);
    for (let file = 0; file < 100; file++) writeFileSync(join(path, `module-${file}.ts`), '');
  }
  return root;
}
