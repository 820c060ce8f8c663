/** Interleaved rounds: every subject once per round, so that a slow minute of the machine affects all. */
import { median, runOnce, type Sample, type Task } from './measure.js';
import type { Place, Subject } from './subjects.js';

export interface Bench {
  subjects: Subject[];
  place: Place;
  runs: number;
  log(line: string): void;
}

export interface Stat {
  median: number;
  min: number;
}

export type Samples = Map<string, Sample[]>;

/** One warm-up and `runs` rounds of `task` for each subject. A peer that fails is left out with a note. */
export async function rounds(
  bench: Bench,
  task: Task,
  subjects: Subject[] = bench.subjects,
): Promise<Samples> {
  const samples: Samples = new Map(subjects.map(({ name }) => [name, []]));
  for (let round = -1; round < bench.runs; round++) {
    for (const { name, command } of rotate(subjects, round + 1)) {
      const list = samples.get(name);
      if (!list) continue; // a peer that failed
      try {
        const sample = await runOnce(command, task, bench.place);
        if (round >= 0) list.push(sample);
      } catch (error) {
        if (name !== 'peer') throw error;
        bench.log(`peer: ${task.args.join(' ')}: ${error instanceof Error ? error.message : error}`);
        samples.delete(name);
      }
    }
  }
  return samples;
}

/** Median and minimum of one number of the samples; undefined for a subject without any. */
export function stat(samples: Samples, name: string, pick: (sample: Sample) => number): Stat | undefined {
  const values = samples.get(name)?.map(pick);
  if (!values || values.length === 0) return undefined;
  return { median: median(values), min: Math.min(...values) };
}

/** The same for a subject that must be there. */
export function need(samples: Samples, name: string, pick: (sample: Sample) => number): Stat {
  const found = stat(samples, name, pick);
  if (!found) throw new Error(`no sample of ${name}`);
  return found;
}

function rotate<T>(list: readonly T[], by: number): T[] {
  const start = by % list.length;
  return [...list.slice(start), ...list.slice(0, start)];
}
