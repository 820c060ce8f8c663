// `npm run deflake -- --times 5 --loaded 2 --burners 2`: runs `npm test` several times and prints how often it failed.
import { spawn, spawnSync } from 'node:child_process';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';

const root = join(dirname(fileURLToPath(import.meta.url)), '..');
const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    times: { type: 'string', default: '5' },
    loaded: { type: 'string', default: '2' },
    burners: { type: 'string', default: '2' },
  },
});
const times = numberOf('times');
const loaded = numberOf('loaded');

let failures = 0;
for (let run = 1; run <= times; run++) {
  const burners = run > times - loaded ? startBurners(numberOf('burners')) : [];
  const started = performance.now();
  const { status } = spawnSync(process.execPath, ['scripts/test.mjs', ...positionals], {
    cwd: root,
    stdio: 'inherit',
  });
  for (const burner of burners) burner.kill('SIGKILL');
  if (status !== 0) failures++;
  const seconds = Math.round((performance.now() - started) / 1000);
  const load = burners.length > 0 ? ` beside ${burners.length} burners` : '';
  console.log(
    `deflake: run ${run} of ${times}${load} ${status === 0 ? 'passed' : 'FAILED'} after ${seconds} s`,
  );
}
console.log(`deflake: ${failures} of ${times} runs failed`);
process.exit(failures === 0 ? 0 : 1);

/** Each keeps one processor busy until it is ended, or until this script is gone. */
function startBurners(count) {
  const loop = 'const parent = process.ppid; while (process.ppid === parent);';
  return Array.from({ length: count }, () => spawn(process.execPath, ['-e', loop], { stdio: 'ignore' }));
}

function numberOf(name) {
  const number = Number(values[name]);
  if (Number.isInteger(number) && number >= 0) return number;
  console.error(`--${name} takes a whole number, not "${values[name]}".`);
  process.exit(2);
}
