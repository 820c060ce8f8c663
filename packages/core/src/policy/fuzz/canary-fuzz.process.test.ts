/** Generates random command lines; those that the engine allows unasked run in a real bash and must reach no canary. */
import { afterAll, describe, expect, it } from 'vitest';
import type { DriverJob } from './driver-lab.test-helper.js';
import { jobOf } from './generator.test-helper.js';
import { judgesOf } from './judges.test-helper.js';
import { makeFuzzLab } from './lab.test-helper.js';
import { type FuzzResult, LabRunner } from './runner.test-helper.js';
import { shrunk } from './shrink.test-helper.js';

/** `npm run test:attacks` sets 20,000; `ATTACK_FUZZ=200000 ATTACK_SEED=…` is the long series. */
const LINES = Number(process.env['ATTACK_FUZZ'] ?? 1000);
const SEED = Number(process.env['ATTACK_SEED'] ?? 12);
/** Commands judged per batch; keeps memory small in the long series. */
const ROUND = 5000;
/** Failures that are shrunk and shown; the others are counted. */
const MAX_SHOWN = 20;

const missing = LabRunner.missing();

/** Own repository of the workspace, with the share of commands as begin and end. */
const LABS = [
  ['plain', 0, 0.7],
  ['submodule', 0.7, 0.85],
  ['hostile', 0.85, 1],
] as const;

describe.each(LABS)('a workspace whose own repository is %s', (own, begin, end) => {
  const lab = makeFuzzLab(own);
  const runner = new LabRunner(lab);
  const judges = judgesOf(lab);
  const first = Math.round(LINES * begin);
  const lines = Math.round(LINES * end) - first;
  afterAll(() => {
    runner.cleanup();
    lab.cleanup();
  });

  it(`keeps ${lines} generated commands that run unasked from reaching a canary`, {
    timeout: 120_000 + LINES * 60,
  }, async () => {
    const failures: FuzzResult[] = [];
    const counts = { readers: 0, allowed: 0 };
    for (let from = 0; from < lines; from += ROUND) {
      const jobs = Array.from({ length: Math.min(ROUND, lines - from) }, (_, at) =>
        jobOf(SEED, first + from + at, lab),
      );
      const allowed: DriverJob[] = [];
      for (const job of jobs) if (await judges.allow(job)) allowed.push(job);
      counts.readers += jobs.filter(({ mode }) => !mode.startsWith('yolo')).length;
      counts.allowed += allowed.filter(({ mode }) => !mode.startsWith('yolo')).length;
      if (missing === undefined)
        failures.push(...(await runner.run(allowed)).filter(({ reached }) => reached.length > 0));
    }
    const how =
      missing === undefined ? 'ran' : `judged only, since there is no container to run them in (${missing})`;
    console.log(`fuzz seed ${SEED}, ${own}: ${counts.allowed} of ${counts.readers} reading commands ${how}`);
    expect(await reported(failures)).toEqual([]);
    // If nearly everything asks, the test proves nothing.
    if (own === 'plain') expect(counts.allowed).toBeGreaterThan(counts.readers * 0.3);
  });

  /** The shortest form of each, with what it reached. */
  async function reported(failures: readonly FuzzResult[]): Promise<string[]> {
    const shown: FuzzResult[] = [];
    for (const failure of failures.slice(0, MAX_SHOWN)) shown.push(await shrunk(failure, judges, runner));
    const texts = shown.map(
      ({ mode, directory, command, reached }) =>
        `${mode} in ${directory}: ${JSON.stringify(command.replaceAll(lab.root, 'LAB'))} ${reached.slice(0, 3).join(', ')}`,
    );
    const more = failures.length - shown.length;
    return [...new Set(texts), ...(more > 0 ? [`and ${more} more with ATTACK_SEED=${SEED}`] : [])];
  }
});
