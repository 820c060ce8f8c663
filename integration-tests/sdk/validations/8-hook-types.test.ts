/** Seed 002: "Check specific return types for each type of hook", and "strongly typed all the way through". */
import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';

const here = import.meta.dirname;
const repo = join(here, '../../..');

it('compiles what fits, and nothing of what does not', async () => {
  const file = join(here, 'types.test-d.ts');
  const lines = readFileSync(file, 'utf8').split('\n');
  const expected = lines.filter((line) => line.includes('@ts-expect-error'));
  expect(expected.length).toBeGreaterThan(25);
  const compiler = join(repo, 'node_modules/typescript/bin/tsc');
  const args = [compiler, '--noEmit', '-p', join(repo, 'integration-tests/sdk')];
  const output = await new Promise<string>((resolve) => {
    execFile(process.execPath, args, { cwd: repo }, (_error, stdout) => resolve(stdout));
  });
  expect(output).toBe('');
}, 120_000);
