// `npm start`: builds if a source is newer than the bundle, then runs the program in this process.
import { existsSync, readdirSync, statSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = join(dirname(fileURLToPath(import.meta.url)), '..');
const bundle = join(root, 'packages/cli/dist/gemini.cjs');

if (!existsSync(bundle) || newestSource() > statSync(bundle).mtimeMs) {
  const { buildProgram } = await import('./build.mjs');
  await buildProgram();
}
// The folder is trusted: the user already runs its code.
if (process.cwd() === root) process.env.GEMINI_CLI_TRUST_WORKSPACE ??= 'true';
process.argv[1] = bundle;
createRequire(import.meta.url)(bundle);

function newestSource() {
  const folders = ['packages/cli/src', 'packages/core/src', 'docs', 'scripts'].map((name) =>
    join(root, name),
  );
  let newest = 0;
  for (let folder = folders.pop(); folder; folder = folders.pop()) {
    for (const entry of readdirSync(folder, { withFileTypes: true })) {
      const path = join(folder, entry.name);
      if (entry.isDirectory()) folders.push(path);
      else newest = Math.max(newest, statSync(path).mtimeMs);
    }
  }
  return newest;
}
