/** Measures memory and size. */
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { estimateTextTokens } from '../packages/core/src/context/size/text-tokens.js';
import { text } from '../packages/test-utils/src/model-script.js';
import { median, runOnce } from './measure.js';
import type { Stat } from './rounds.js';
import { atMost, exactly, type Group, prompt, readTurns, times, YOLO } from './row.js';
import { PEAK_MEMORY, type Subject } from './subjects.js';
import { withSettings } from './with-settings.js';

export const SIZE_ROWS: Record<string, Group> = {
  async memory(bench) {
    const folder = mkdtempSync(join(tmpdir(), 'gemini-peak-'));
    try {
      const peaks = new Map<string, number[]>();
      for (const { name, command } of bench.subjects) {
        const values: number[] = [];
        for (let run = 0; run < bench.runs; run++) {
          const file = join(folder, `${name}-${run}`);
          const env = { NODE_OPTIONS: `--require ${PEAK_MEMORY}`, BENCH_PEAK_FILE: file };
          await runOnce(
            command,
            { args: prompt('hello'), replies: [[text('Hello there.')]], env },
            bench.place,
          );
          values.push(Math.max(...readFileSync(file, 'utf8').trim().split('\n').map(Number)) / 1024);
        }
        peaks.set(name, values);
      }
      const of = (name: string): Stat | undefined => {
        const values = peaks.get(name);
        return values && { median: median(values), min: Math.min(...values) };
      };
      const [program, floor] = [of('program'), of('floor')];
      if (!program || !floor) throw new Error('no sample');
      return [
        {
          name: 'peak memory of one answer',
          unit: 'MB',
          program,
          base: { name: 'floor', value: floor },
          peer: of('peer'),
          ...times(1.5),
        },
      ];
    } finally {
      rmSync(folder, { recursive: true, force: true });
    }
  },

  async request(bench) {
    const measure = async (subject: Subject | undefined) => {
      if (!subject) return undefined;
      const sample = await runOnce(
        subject.command,
        { args: prompt('hello', ...YOLO), replies: [[text('hi')]] },
        bench.place,
      );
      const bytes = sample.bytes[0] ?? Number.NaN;
      const tools = sample.requests[0]?.body.tools?.flatMap((tool) => tool.functionDeclarations ?? []) ?? [];
      const tokens = estimateTextTokens(JSON.stringify(sample.requests[0]?.body));
      return { bytes: exactly(bytes), tokens: exactly(tokens), names: tools.map((tool) => tool.name) };
    };
    const program = await measure(bench.subjects.find(({ name }) => name === 'program'));
    if (!program) throw new Error('no program');
    const peer = await measure(bench.subjects.find(({ name }) => name === 'peer')).catch(() => undefined);
    const note = `${program.names.length} tools: ${program.names.join(', ')}`;
    return [
      {
        name: 'first request, all tools',
        unit: 'bytes',
        program: program.bytes,
        peer: peer?.bytes,
        ...atMost(16_000, 'bytes'),
        note,
      },
      {
        name: 'first request, all tools, estimate',
        unit: 'tokens',
        program: program.tokens,
        peer: peer?.tokens,
        ...atMost(5_000, 'tokens'),
      },
    ];
  },

  /** Growth of the peak between turn 50 and turn 2,000, minus the growth of the history. */
  async growth(bench) {
    const turns = 2000;
    // Loop checks of long runs make their own model calls, which are not measured.
    const settings = { model: { disableLoopDetection: true } };
    const measure = (command: string[]) => withSettings(settings, (env) => measureIn(command, env));
    const measureIn = async (command: string[], env: Record<string, string>): Promise<Stat> => {
      const peakAt = new Map<number, { peak: number; bytes: number }>();
      await runOnce(
        command,
        {
          args: prompt('read', ...YOLO),
          env,
          replies: [...readTurns(turns), [text('done')]],
          onRequest: ({ index, bytes }, pid) => {
            if (index === 50 || index === turns) peakAt.set(index, { peak: peakOf(pid), bytes });
          },
        },
        bench.place,
      );
      const [early, late] = [peakAt.get(50), peakAt.get(turns)];
      if (!early || !late) throw new Error('the run ended early');
      const history = (late.bytes - early.bytes) / 2 ** 20;
      const growth = late.peak - early.peak - history;
      return { median: growth, min: growth };
    };
    const command = (wanted: string) => bench.subjects.find(({ name }) => name === wanted)?.command ?? [];
    const floor = await measure(command('floor'));
    return [
      {
        name: 'growth over 2,000 tool turns',
        unit: 'MB',
        program: await measure(command('program')),
        ...atMost(50, 'MB'),
        note: `one run; the floor's own ${floor.median.toFixed(1)} MB`,
      },
    ];
  },
};

/** MB. */
function peakOf(pid: number): number {
  const [, kb = ''] = /^VmHWM:\s+(\d+) kB/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8')) ?? [];
  return Number(kb) / 1024;
}
