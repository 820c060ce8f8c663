// `npm run bench`: builds, then measures (perf/bench.ts).
import { spawnSync } from 'node:child_process';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { buildAll } from './build.mjs';

const root = join(dirname(fileURLToPath(import.meta.url)), '..');
await buildAll();
const tsx = join(root, 'node_modules/tsx/dist/cli.mjs');
const args = [
  '--conditions=gemini-source',
  '--import',
  './perf/markdown-as-text.mjs',
  'perf/bench.ts',
  ...process.argv.slice(2),
];
const run = spawnSync(process.execPath, [tsx, ...args], {
  cwd: root,
  stdio: 'inherit',
});
process.exit(run.status ?? 1);
