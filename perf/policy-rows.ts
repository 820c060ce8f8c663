/** Measures policy decisions: with many rules, and with parsed commands. */
import { execFileSync } from 'node:child_process';
import { cpSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { bundleScript } from './bundle-script.js';
import type { Bench, Stat } from './rounds.js';
import { atMost, type Group, statOf } from './row.js';
import { BUILT, cleanEnv } from './subjects.js';

export const POLICY_ROWS: Record<string, Group> = {
  async policy(bench) {
    const stats = await measure(bench, 'policy');
    return [
      {
        name: 'policy decision with 1,000 rules',
        unit: 'ms',
        program: stats.get('edit') ?? missing(),
        ...atMost(0.2, 'ms'),
        note: `an edit of 1 kB, for which 300 patterns are tried; medians: ${mediansOf(stats, 3)}`,
      },
    ];
  },

  /** The slowest of several kinds of commands counts. */
  async judge(bench) {
    const stats = await measure(bench, 'judge');
    const [slowest = missing()] = [...stats.values()].sort((a, b) => b.median - a.median);
    return [
      {
        name: 'judging a command, 1,000 characters',
        unit: 'ms',
        program: slowest,
        ...atMost(3, 'ms'),
        note: `the slowest kind of commands; medians: ${mediansOf(stats, 2)}`,
      },
    ];
  },

  /** The slowest of several kinds of commands counts. */
  async parse(bench) {
    const stats = await measure(bench, 'parse');
    const [slowest = missing()] = [...stats.values()].sort((a, b) => b.median - a.median);
    return [
      {
        name: 'shell parse, 500 characters',
        unit: 'ms',
        program: slowest,
        ...atMost(2, 'ms'),
        note: `the slowest kind of commands; medians: ${mediansOf(stats, 2)}`,
      },
    ];
  },
};

/** In a separate process, with the grammar of the built program. */
async function measure({ place }: Bench, what: 'policy' | 'judge' | 'parse'): Promise<Map<string, Stat>> {
  const folder = mkdtempSync(join(tmpdir(), 'gemini-policy-bench-'));
  try {
    const script = await bundleScript('policy-run', folder, 'esm');
    cpSync(join(BUILT, 'wasm'), join(folder, 'wasm'), { recursive: true });
    const env = cleanEnv(place, '');
    const output = execFileSync(process.execPath, [script, what], { encoding: 'utf8', env });
    const taken = Object.entries(JSON.parse(output) as Record<string, number[]>);
    return new Map(taken.map(([kind, values]) => [kind, statOf(values)]));
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

function mediansOf(stats: ReadonlyMap<string, Stat>, digits: number): string {
  return `${[...stats].map(([kind, { median }]) => `${kind} ${median.toFixed(digits)}`).join(', ')} ms`;
}

function missing(): never {
  throw new Error('no sample');
}
