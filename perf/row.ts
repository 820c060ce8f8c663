/** A row of the bench table (one promised number), and the arithmetic that rows share. */
import { callTool, type Script } from '../packages/test-utils/src/model-script.js';
import { median, type Sample } from './measure.js';
import { type Bench, need, type Samples, type Stat, stat } from './rounds.js';

export interface Row {
  name: string;
  unit: 'ms' | 'µs' | 'MB' | 'bytes' | 'tokens' | 'count' | '%';
  program: Stat;
  /** The number it is compared with, and its name. */
  base?: { name: string; value: Stat };
  peer?: Stat | undefined;
  /** The maximum: a multiple of the base, or in the row's unit. */
  limit: number;
  limitIs: 'ratio' | 'absolute';
  limitText: string;
  note?: string;
  /** Why this machine cannot measure it; then it counts neither as pass nor as miss. */
  notMeasured?: string;
}

export type Group = (bench: Bench) => Promise<Row[]>;

const MODEL = 'gemini-2.5-flash';
export const YOLO = ['--approval-mode', 'yolo'];

/** Arguments of a headless run; a named model, so that nothing is routed. */
export function prompt(words: string, ...more: string[]): string[] {
  return ['-m', MODEL, '-p', words, ...more];
}

export function wall(sample: Sample): number {
  return sample.wall;
}

export function against(
  samples: Samples,
  base: string,
  pick: (sample: Sample) => number,
): Pick<Row, 'unit' | 'program' | 'base' | 'peer'> {
  return {
    unit: 'ms',
    program: need(samples, 'program', pick),
    base: { name: base, value: need(samples, 'floor', pick) },
    peer: stat(samples, 'peer', pick),
  };
}

/** Time from the end of the answer that asks for tools to the request with their results, less the floor's. */
export function addedGap(samples: Samples): Pick<Row, 'unit' | 'program' | 'peer'> {
  const gap = (sample: Sample) => sample.gaps[0] ?? Number.NaN;
  const floor = need(samples, 'floor', gap);
  return {
    unit: 'ms',
    program: minus(need(samples, 'program', gap), floor) ?? floor,
    peer: minus(stat(samples, 'peer', gap), floor),
  };
}

export function times(limit: number): Pick<Row, 'limit' | 'limitIs' | 'limitText'> {
  return { limit, limitIs: 'ratio', limitText: `${limit} x` };
}

export function atMost(limit: number, unit: string): Pick<Row, 'limit' | 'limitIs' | 'limitText'> {
  return { limit, limitIs: 'absolute', limitText: `${limit.toLocaleString('en')} ${unit}` };
}

/** A number that is the same in every run. */
export function exactly(value: number): Stat {
  return { median: value, min: value };
}

export function statOf(values: number[]): Stat {
  return { median: median(values), min: Math.min(...values) };
}

export function minus(a: Stat | undefined, b: Stat): Stat | undefined {
  return a && { median: a.median - b.median, min: a.min - b.min };
}

/** One read per turn, over ten files in turn, since reading one file repeatedly would count as a loop. */
export function readTurns(count: number): Script[] {
  return Array.from({ length: count }, (_, index) => [
    callTool('read_file', { file_path: `read-${index % 10}.txt` }, `call-${index}`),
  ]);
}
