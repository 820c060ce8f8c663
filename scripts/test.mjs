// `npm test`: makes sure that what the tests need is there, builds the program, runs the tests.
import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { buildAll } from './build.mjs';

const root = join(dirname(fileURLToPath(import.meta.url)), '..');

/** Programs beyond npm that the tests start for real, with the Debian package that brings each. */
const NEEDED = { bash: 'bash', git: 'git', ps: 'procps', mount: 'mount', unshare: 'util-linux' };

installMissing();
await buildAll();
const vitest = join(root, 'node_modules/vitest/vitest.mjs');
const results = join(mkdtempSync(join(tmpdir(), 'gemini-tests-')), 'results.json');
const reporters = ['--reporter=default', '--reporter=json', `--outputFile.json=${results}`];
const run = spawnSync(process.execPath, [vitest, 'run', ...reporters, ...process.argv.slice(2)], {
  cwd: root,
  stdio: 'inherit',
  env: testEnvironment(),
});
printClosingLine();
process.exit(run.status ?? 1);

/** One plain line at the end, for machines that read logs. */
function printClosingLine() {
  try {
    const { numPassedTests, numFailedTests, numPendingTests } = JSON.parse(readFileSync(results, 'utf8'));
    console.log(`${numPassedTests} passed, ${numFailedTests} failed, ${numPendingTests} skipped`);
  } catch {
    console.log('The test runner left no result.');
  }
  rmSync(dirname(results), { recursive: true, force: true });
}

function installMissing() {
  const missing = Object.entries(NEEDED).filter(([program]) => !onPath(program));
  if (missing.length === 0) return;
  const packages = missing.map(([, name]) => name);
  const apt = onPath('apt-get') && process.getuid?.() === 0;
  if (!apt) {
    console.error(`The tests need ${packages.join(', ')}. Install them and run again.`);
    process.exit(1);
  }
  console.log(`Installing what the tests need: ${packages.join(', ')}`);
  spawnSync('apt-get', ['update', '-qq'], { stdio: 'inherit' });
  const install = spawnSync('apt-get', ['install', '-y', '-qq', ...packages], { stdio: 'inherit' });
  if (install.status !== 0) process.exit(1);
}

function onPath(program) {
  return spawnSync('sh', ['-c', `command -v ${program}`], { stdio: 'ignore' }).status === 0;
}

/** The caller's settings must not leak into tests of the program. */
function testEnvironment() {
  const env = { ...process.env };
  for (const name of Object.keys(env)) {
    if (/^(GEMINI_|GOOGLE_|NODE_EXTRA_CA_CERTS$|DEBUG|NO_COLOR$|FORCE_COLOR$)/.test(name)) delete env[name];
  }
  return env;
}
