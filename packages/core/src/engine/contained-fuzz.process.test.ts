/** Without the judge: any command line that runs as harmless reaches no canary from its sandbox. */
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import type { FuzzMode } from '../policy/fuzz/canaries.test-helper.js';
import type { DriverJob } from '../policy/fuzz/driver-lab.test-helper.js';
import { jobOf } from '../policy/fuzz/generator.test-helper.js';
import { type FuzzLab, makeFuzzLab, PORT } from '../policy/fuzz/lab.test-helper.js';
import { LabRunner } from '../policy/fuzz/runner.test-helper.js';
import { formsOf } from '../policy/fuzz/vocabulary.test-helper.js';

/** A tenth of the judged lines, and all outright hostile ones. */
const LINES = Math.ceil(Number(process.env['ATTACK_FUZZ'] ?? 1000) / 10);
const SEED = Number(process.env['ATTACK_SEED'] ?? 12);
const MAX_SHOWN = 20;
const missing = LabRunner.missing();

describe.each(['contained-read-only', 'contained-workspace'] as const)(
  'every command %s',
  (mode: FuzzMode) => {
    const lab = makeFuzzLab('hostile');
    const runner = new LabRunner(
      lab,
      join(import.meta.dirname, 'contained-driver-child.test-helper.ts'),
      true,
    );
    afterAll(() => {
      runner.cleanup();
      lab.cleanup();
    });

    it(`reaches no canary: hostile commands and ${LINES} generated ones`, {
      timeout: 120_000 + LINES * 200,
    }, async ({ skip }) => {
      skip(missing !== undefined, `there is no container to run it in (${missing})`);
      const hostile = formsOf('hostile').map(
        (form): DriverJob => ({ command: inLab(form, lab), directory: 'ws', mode }),
      );
      const generated = Array.from({ length: LINES }, (_, at) => ({ ...jobOf(SEED, at, lab), mode }));
      const results = await runner.run([...hostile, ...generated]);
      const failures = results.filter(({ reached }) => reached.length > 0);
      const texts = failures.map(({ command, reached }) =>
        `${JSON.stringify(command)} ${reached.slice(0, 3).join(', ')}`.replaceAll(lab.root, 'LAB'),
      );
      expect(texts.slice(0, MAX_SHOWN)).toEqual([]);
      expect(
        results.filter(({ output }) => output.startsWith('not run:')).map(({ output }) => output),
      ).toEqual([]);
    });
  },
);

it('shows that many of the hostile commands reach a canary without containment', {
  timeout: 120_000,
}, async ({ skip }) => {
  skip(missing !== undefined, `there is no container to run it in (${missing})`);
  const lab = makeFuzzLab('hostile');
  const runner = new LabRunner(lab);
  // Those would end the driver, too.
  const forms = formsOf('hostile').filter((form) => !form.includes('kill'));
  const jobs = forms.map(
    (form): DriverJob => ({
      command: inLab(form, lab),
      directory: 'ws',
      mode: 'contained-read-only',
    }),
  );
  const results = await runner.run(jobs);
  expect(results.filter(({ reached }) => reached.length > 0).length).toBeGreaterThan(forms.length / 2);
  runner.cleanup();
  lab.cleanup();
});

function inLab(form: string, { root }: FuzzLab): string {
  return form.replaceAll('/LAB', root).replaceAll('LAB', root).replaceAll('PORT', String(PORT));
}
