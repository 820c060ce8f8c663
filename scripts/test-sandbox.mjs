// `npm run test:integration:sandbox:docker` (or `:podman`, `:none`): the tests of the whole program, run in that sandbox.
import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { buildImage, ENGINES, findEngine, image, root } from './sandbox-image.mjs';

const [kind = '', ...words] = process.argv.slice(2);
if (kind !== 'none') prepareImage();
const { buildAll } = await import('./build.mjs');
await buildAll();
const vitest = join(root, 'node_modules/vitest/vitest.mjs');
const tests = spawnSync(
  process.execPath,
  [vitest, 'run', '--project', 'e2e', 'integration-tests/sandbox', ...words],
  { cwd: root, stdio: 'inherit', env: { ...process.env, SANDBOX_UNDER_TEST: kind } },
);
process.exit(tests.status ?? 1);

function prepareImage() {
  if (!ENGINES.includes(kind)) stop(`"${kind}" is not a sandbox of these tests: docker, podman, none.`);
  const found = findEngine([kind]);
  if (!found.program) stop(`The tests were not run.\n${found.problems.join('\n')}`);
  const inspect = spawnSync(kind, ['image', 'inspect', image], { stdio: 'ignore' });
  const exitCode = inspect.status === 0 ? 0 : buildImage(kind);
  if (exitCode !== 0) process.exit(exitCode);
}

function stop(text) {
  console.error(text);
  process.exit(1);
}
