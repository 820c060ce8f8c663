// `npm run test:faults`: the long form of the faults against a fleet (packages/a2a-server/src/scale/faults.process.test.ts).
// Writes their table into docs/scale.md. `npm run test:faults -- -t disk` runs one of them.
import { spawnSync } from 'node:child_process';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = join(dirname(fileURLToPath(import.meta.url)), '..');
const vitest = join(root, 'node_modules/vitest/vitest.mjs');
const run = spawnSync(
  process.execPath,
  [vitest, 'run', 'packages/a2a-server/src/scale/faults', ...process.argv.slice(2)],
  {
    cwd: root,
    stdio: 'inherit',
    env: {
      FAULT_KILLS: '100',
      FAULT_STOPPED_SECONDS: '60',
      FAULT_DATABASE_KILLS: '3',
      FAULT_TABLE: '1',
      ...process.env,
    },
  },
);
process.exit(run.status ?? 1);
