/** Measures snapshots: a tree of 20,000 files with 30 MB is scanned, copied and restored. */
import { execFileSync } from 'node:child_process';
import { copyFileSync, mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { bundleScript } from './bundle-script.js';
import type { Bench } from './rounds.js';
import { atMost, type Group, statOf } from './row.js';
import { BUILT, cleanEnv } from './subjects.js';

const FOLDERS = 400;
const FILES_PER_FOLDER = 50;
const FILE_BYTES = 1_500;
const CHANGED = 1_000;
/** A session takes some seconds, so a few samples are enough. */
const SESSIONS = 5;

interface Sample {
  cold: number;
  coldCpu: number;
  contents: number;
  contentsCpu: number;
  /** Time the main thread was busy until the contents were complete. */
  onMain: number;
  warm: number[];
  undo: number;
  undoCpu: number;
}

export const SNAPSHOT_ROWS: Record<string, Group> = {
  /** Each session is a separate process with an empty store and the worker of the built program. */
  async snapshots(bench) {
    const folder = realpathSync(mkdtempSync(join(tmpdir(), 'gemini-snapshot-bench-')));
    try {
      const samples = await measure(bench, folder);
      const of = (pick: (sample: Sample) => number) => statOf(samples.map(pick));
      const cpu = (pick: (sample: Sample) => number) => `on a core ${of(pick).median.toFixed(0)} ms`;
      const ms = { unit: 'ms' } as const;
      return [
        {
          name: 'index of 20,000 files, cold',
          ...ms,
          program: of(({ cold }) => cold),
          ...atMost(250, 'ms'),
          note: `${SESSIONS} sessions, with the start of the thread; ${cpu(({ coldCpu }) => coldCpu)}`,
        },
        {
          name: 'index of 20,000 files, warm',
          ...ms,
          program: statOf(samples.flatMap(({ warm }) => warm)),
          ...atMost(100, 'ms'),
        },
        {
          name: '30 MB of contents complete',
          ...ms,
          program: of(({ contents }) => contents),
          ...atMost(1_500, 'ms'),
          note: `from the start of the session, with the index; ${cpu(({ contentsCpu }) => contentsCpu)}, the main thread ${of(({ onMain }) => onMain).median.toFixed(0)} ms`,
        },
        {
          name: 'undo of 1,000 changed files',
          ...ms,
          program: of(({ undo }) => undo),
          ...atMost(1_000, 'ms'),
          note: cpu(({ undoCpu }) => undoCpu),
        },
      ];
    } finally {
      rmSync(folder, { recursive: true, force: true });
    }
  },
};

async function measure(bench: Bench, folder: string): Promise<Sample[]> {
  const tree = join(folder, 'tree');
  const listFile = join(folder, 'to-change.json');
  writeFileSync(listFile, JSON.stringify(makeTree(tree).slice(0, CHANGED)));
  const script = await besideBuiltWorker(folder);
  const samples: Sample[] = [];
  for (let session = -1; session < SESSIONS; session++) {
    const store = join(folder, 'store');
    const output = execFileSync(process.execPath, [script, tree, store, listFile], {
      encoding: 'utf8',
      env: cleanEnv(bench.place, ''),
    });
    if (session >= 0) samples.push(JSON.parse(output) as Sample);
    rmSync(store, { recursive: true });
  }
  return samples;
}

/** As in the build: the worker is one folder above the code that starts it. */
function besideBuiltWorker(folder: string): Promise<string> {
  const worker = 'snapshot-worker.cjs';
  copyFileSync(join(BUILT, worker), join(folder, worker));
  return bundleScript('snapshot-run', join(folder, 'chunks'), 'esm');
}

/** @returns the files, in an order that goes through all folders */
function makeTree(tree: string): string[] {
  const folders = Array.from({ length: FOLDERS }, (_, index) =>
    join(tree, `part-${index % 20}`, `folder-${index}`),
  );
  for (const path of folders) mkdirSync(path, { recursive: true });
  return Array.from({ length: FILES_PER_FOLDER }, (_, file) => `module-${file}.ts`).flatMap((name) =>
    folders.map((path) => {
      const file = join(path, name);
      // All are different, since equal contents are copied only once.
      writeFileSync(file, `// ${file}\n`.padEnd(FILE_BYTES, 'export const x = 1;\n'));
      return file;
    }),
  );
}
