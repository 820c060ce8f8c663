// `npm run deflake -- --runs=5`: runs the whole suite several times and prints how often it failed.
import { spawnSync } from 'node:child_process';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = join(dirname(fileURLToPath(import.meta.url)), '..');
const args = process.argv.slice(2);
const runs = Number(args.find((arg) => arg.startsWith('--runs='))?.slice(7) ?? 5);
const rest = args.filter((arg) => !arg.startsWith('--runs='));

let failures = 0;
for (let run = 1; run <= runs; run++) {
  const { status } = spawnSync(process.execPath, ['scripts/test.mjs', ...rest], {
    cwd: root,
    stdio: 'inherit',
  });
  if (status !== 0) failures++;
  console.log(`deflake: run ${run} of ${runs} ${status === 0 ? 'passed' : 'FAILED'}`);
}
console.log(`deflake: ${failures} of ${runs} runs failed`);
process.exit(failures === 0 ? 0 : 1);
