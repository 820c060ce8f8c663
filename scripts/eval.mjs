// `npm run eval`: builds, then runs the evaluation tasks with a model (evals/eval.ts).
import { spawnSync } from 'node:child_process';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { buildProgram } from './build.mjs';

const root = join(dirname(fileURLToPath(import.meta.url)), '..');
await buildProgram();
const tsx = join(root, 'node_modules/tsx/dist/cli.mjs');
const run = spawnSync(process.execPath, [tsx, join(root, 'evals/eval.ts'), ...process.argv.slice(2)], {
  // Paths in the options are relative to the caller's folder, not to the one in which npm runs this.
  cwd: process.env.INIT_CWD,
  stdio: 'inherit',
});
process.exit(run.status ?? 1);
