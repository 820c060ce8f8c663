/** Measures what hooks add to their own processes. */
import { execFile } from 'node:child_process';
import { mkdtempSync, realpathSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { bundleScript } from './bundle-script.js';
import { atMost, exactly, type Group, statOf } from './row.js';
import { cleanEnv } from './subjects.js';

const RUNS = 21;
const UNMATCHED = 500;
const CHUNKS = 2000;

export const HOOK_ROWS: Record<string, Group> = {
  async hooks({ place }) {
    const folder = realpathSync(mkdtempSync(join(tmpdir(), 'gemini-hooks-bench-')));
    try {
      const script = await bundleScript('hooks-run', folder, 'esm');
      const measure = async <T>(what: string, count: number): Promise<T> => {
        const args = [script, what, folder, String(count)];
        const { stdout } = await promisify(execFile)(process.execPath, args, { env: cleanEnv(place, '') });
        return JSON.parse(stdout);
      };
      const one = await measure<number[]>('one', RUNS);
      const ten = await measure<number[]>('ten', RUNS);
      const parallel = await measure<number[]>('parallel', RUNS);
      const many = await measure<number[]>('many', UNMATCHED);
      const stream = await measure<{ ratio: number; processes: number; megabytes: number }>('stream', CHUNKS);
      return [
        {
          name: 'a hook, added to its own process',
          unit: 'ms',
          program: statOf(one),
          ...atMost(8, 'ms'),
          note: 'against the same command started alone, in turns',
        },
        {
          name: 'ten parallel hooks, added to one of them',
          unit: 'ms',
          program: statOf(ten),
          ...atMost(15, 'ms'),
          note: 'against one of these equal commands started alone, in turns; includes starting ten processes',
        },
        {
          name: 'ten parallel hooks, added to the same processes',
          unit: 'ms',
          program: statOf(parallel),
          ...atMost(15, 'ms'),
          note: 'against the same ten commands, started side by side without the engine, in turns',
        },
        {
          name: `an event with ${UNMATCHED} hooks that do not match`,
          unit: 'ms',
          program: statOf(many),
          ...atMost(1, 'ms'),
          note: 'each time for another tool, so that nothing is remembered',
        },
        {
          name: `AfterModel on ${CHUNKS.toLocaleString('en')} chunks, added to its processes`,
          unit: '%',
          program: exactly(stream.ratio),
          ...atMost(10, '%'),
          note: `${stream.processes} processes`,
        },
        {
          name: `AfterModel on ${CHUNKS.toLocaleString('en')} chunks: memory`,
          unit: 'MB',
          program: exactly(stream.megabytes),
          ...atMost(30, 'MB'),
          note: 'growth of the resident set during the stream',
        },
      ];
    } finally {
      rmSync(folder, { recursive: true, force: true });
    }
  },
};
