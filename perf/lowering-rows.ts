/** Measures lowering: converting a conversation to the body of a request. */
import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { bundleScript, COMPILED } from './bundle-script.js';
import type { Stat } from './rounds.js';
import { atMost, type Group, minus, type Row, statOf } from './row.js';

const WRITERS = { gemini: 'Gemini', openai: 'OpenAI', anthropic: 'Anthropic' };
const SIZES = [100, 1_000, 10_000];
/** One more turn only checks that the earlier messages are the same objects. */
const GROWTH_LIMIT_MS = 0.3;

interface Sample {
  cold: number;
  /** CPU time of it. */
  own: number;
  added: number;
}

export const LOWERING_ROWS: Record<string, Group> = {
  /** In separate processes: cold is the very first run of the code. */
  async lowering(bench) {
    const folder = mkdtempSync(join(tmpdir(), 'gemini-lowering-'));
    try {
      const script = await bundleScript('lowering-run', folder);
      const samples = measure(script, bench.runs);
      return Object.entries(WRITERS).flatMap(([writer, label]) => {
        const points = SIZES.map((size) => samples.get(`${writer} ${size}`) ?? []);
        const cold = points.map((point) => statOf(point.map((sample) => sample.cold)));
        const added = points.map((point) => statOf(point.map((sample) => sample.added)));
        const own = statOf((points.at(-1) ?? []).map((sample) => sample.own));
        return rowsOf(label, { cold, own, added });
      });
    } finally {
      rmSync(folder, { recursive: true, force: true });
    }
  },
};

/** Writers and sizes take turns, so that a slow minute of the machine affects all. */
function measure(script: string, runs: number): Map<string, Sample[]> {
  const samples = new Map<string, Sample[]>();
  for (let run = -1; run < runs; run++) {
    for (const writer of Object.keys(WRITERS)) {
      for (const size of SIZES) {
        const args = [COMPILED, script, writer, String(size)];
        const output = execFileSync(process.execPath, args, { encoding: 'utf8' });
        if (run < 0) continue;
        const key = `${writer} ${size}`;
        samples.set(key, [...(samples.get(key) ?? []), JSON.parse(output) as Sample]);
      }
    }
  }
  return samples;
}

function rowsOf(
  label: string,
  { cold, own, added }: { cold: readonly Stat[]; own: Stat; added: readonly Stat[] },
): Row[] {
  const [coldest, small, large] = [cold.at(-1), added[0], added.at(-1)];
  if (!coldest || !small || !large) throw new Error('no sample');
  return [
    {
      name: `10,000 messages for ${label}, cold`,
      unit: 'ms',
      program: coldest,
      ...atMost(60, 'ms'),
      note: `100, 1,000, 10,000 messages: ${curve(cold)}; on a core ${own.median.toFixed(1)} ms of the last`,
    },
    {
      name: `a turn more at 10,000, over one at 100, ${label}`,
      unit: 'ms',
      program: minus(large, small) ?? large,
      ...atMost(GROWTH_LIMIT_MS, 'ms'),
      note: `a turn more at 100, 1,000, 10,000 messages: ${curve(added)}`,
    },
  ];
}

function curve(stats: readonly Stat[]): string {
  return `${stats.map(({ median }) => median.toFixed(2)).join(', ')} ms`;
}
