/** Measures the cost of more agents in one process and the speed of the event stream. */
import { execFile } from 'node:child_process';
import { mkdtempSync, realpathSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { callTool, type Script, text } from '../packages/test-utils/src/model-script.js';
import { startModelServer } from '../packages/test-utils/src/model-server.js';
import { bundleScript } from './bundle-script.js';
import type { Bench } from './rounds.js';
import { atMost, exactly, type Group, prompt, statOf, YOLO } from './row.js';
import { cleanEnv } from './subjects.js';

const RUNS = 5;
const AGENTS = 20;
const EVENTS = 100_000;
const TEN = 10;

interface Beside {
  ms: number;
  cpuMs: number;
  megabytes: number;
}
const LONG_TURNS = 200;

export const AGENT_ROWS: Record<string, Group> = {
  async agents(bench) {
    const measure = await measuring(bench);
    try {
      const second = await measure<{ ms: number; megabytes: number }>('second', 1);
      const many = await measure<{ megabytes: number; seconds: number }>('many', AGENTS);
      const events = await measure<{ ms: number; events: number }>('events', EVENTS);
      return [
        {
          name: 'a second agent in the process: time',
          unit: 'ms',
          program: statOf(second.map(({ ms }) => ms)),
          ...atMost(5, 'ms'),
        },
        {
          name: 'a second agent in the process: memory',
          unit: 'MB',
          program: statOf(second.map(({ megabytes }) => megabytes)),
          ...atMost(5, 'MB'),
          note: 'after one answer, heap and buffers, collected',
        },
        {
          name: `${AGENTS} agents side by side`,
          unit: 'MB',
          program: statOf(many.map(({ megabytes }) => megabytes)),
          ...atMost(200, 'MB'),
          note: `resident; ten reads each, ${many[0]?.seconds.toFixed(1)} s in all`,
        },
        {
          name: `${EVENTS.toLocaleString('en')} events through the stream`,
          unit: 'ms',
          program: statOf(events.map(({ ms }) => ms)),
          ...atMost(750, 'ms'),
          note: 'a model in the same process, one chunk an event',
        },
      ];
    } finally {
      measure.end();
    }
  },

  /** Sub-agents of `invoke_agent`. */
  async 'sub-agents'(bench) {
    const measure = await measuring(bench);
    try {
      const first = await measure<{ ms: number; warmMs: number }>('first', 1);
      const one = await measure<Beside>('beside', 1);
      const ten = await measure<Beside>('beside', TEN);
      const oneMs = statOf(one.map(({ ms }) => ms)).median;
      return [
        {
          name: 'a sub-agent: its first model request after approval',
          unit: 'ms',
          program: statOf(first.map(({ ms }) => ms)),
          ...atMost(15, 'ms'),
          note: `the first of a session; later ones ${Math.min(...first.map(({ warmMs }) => warmMs)).toFixed(1)} ms`,
        },
        {
          name: `${TEN} sub-agents side by side, without their time on the processor`,
          unit: 'ms',
          program: statOf(ten.map(({ ms, cpuMs }) => Math.max(0, ms - cpuMs))),
          ...atMost(Math.round(1.5 * oneMs), 'ms'),
          note: `1.5 times one: 20 tool turns each, 40 ms a model answer; ${oneMs.toFixed(0)} ms alone, ${ten[0]?.ms.toFixed(0)} ms in all`,
        },
        {
          name: `${TEN} sub-agents side by side: memory`,
          unit: 'MB',
          program: statOf(ten.map(({ megabytes }) => megabytes)),
          ...atMost(250, 'MB'),
        },
      ];
    } finally {
      measure.end();
    }
  },

  /** 200 tool turns in one prompt, then the session is continued. */
  async 'long-prompt'(bench) {
    const model = await startModelServer({ keepBodies: false });
    let turn = 0;
    model.otherwise(({ method }): Script => {
      // The loop check of long runs makes its own model calls.
      if (method === 'generateContent') return [text('{}')];
      const index = turn++;
      if (index > LONG_TURNS) return [text('continued')];
      if (index === LONG_TURNS) return [text('done')];
      return [callTool('read_file', { file_path: `read-${index % 10}.txt`, offset: index }, `call-${index}`)];
    });
    const [file = '', ...first] = bench.subjects.find(({ name }) => name === 'program')?.command ?? [];
    const env = cleanEnv(bench.place, model.url);
    const run = (...args: string[]) =>
      promisify(execFile)(file, [...first, ...args], {
        cwd: bench.place.workspace,
        env,
      });
    try {
      const started = performance.now();
      await run(...prompt('read all', ...YOLO));
      const ms = (performance.now() - started) / LONG_TURNS;
      const { stdout } = await run(...prompt('and now?', '--resume'));
      if (!stdout.includes('continued')) throw new Error(`not continued: ${stdout}`);
      return [
        {
          name: `a turn of ${LONG_TURNS} in one prompt, then resumed`,
          unit: 'ms',
          program: exactly(ms),
          ...atMost(15, 'ms'),
          note: 'with the start of the program, its share of each turn',
        },
      ];
    } finally {
      await model.close();
    }
  },
};

/** Runs the script in separate processes. */
async function measuring({ place }: Bench) {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), 'gemini-agents-')));
  const script = await bundleScript('agents-run', folder, 'esm');
  const measure = async <T>(what: string, count: number): Promise<T[]> => {
    const results: T[] = [];
    for (let n = 0; n < RUNS; n++) {
      const args = ['--expose-gc', script, what, place.workspace, String(count)];
      const { stdout } = await promisify(execFile)(process.execPath, args, { env: cleanEnv(place, '') });
      results.push(JSON.parse(stdout));
    }
    return results;
  };
  return Object.assign(measure, { end: () => rmSync(folder, { recursive: true, force: true }) });
}
