// `npm test`: installs missing programs that the tests need, builds the program, runs the tests but not the attacks on
// the whole program. `--attacks` runs the attack suite, `--all` everything; both end with the table of attacks.
import { spawnSync } from 'node:child_process';
import { chmodSync, existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { ATTACKS, attackFiles, attackTable } from './attack-table.mjs';
import { buildAll } from './build.mjs';
import { installRuntimes } from './node-runtimes.mjs';

const root = join(dirname(fileURLToPath(import.meta.url)), '..');

/** Programs that the tests start, with the Debian package of each. */
const NEEDED = {
  bash: 'bash',
  git: 'git',
  ps: 'procps',
  mount: 'mount',
  unshare: 'util-linux',
  bwrap: 'bubblewrap',
  chromium: 'chromium',
};

/** Not on the path. */
const POSTGRES = '/usr/lib/postgresql';

const isFast = process.argv.includes('--fast');
const isAttack = process.argv.includes('--attacks');
const isAll = process.argv.includes('--all');
if (!isFast) {
  installMissing();
  if (!installRuntimes(root)) {
    console.error('The tests need these versions of Node, and npm could not install them. Try again.');
    process.exit(1);
  }
  await buildAll();
}
const vitest = join(root, 'node_modules/vitest/vitest.mjs');
// The fast lane writes its many small files to memory.
const temporary = isFast && existsSync('/dev/shm') ? '/dev/shm' : tmpdir();
const scratch = mkdtempSync(join(temporary, 'gemini-tests-'));
// Some tests act as an ordinary user.
chmodSync(scratch, 0o711);
const results = join(scratch, 'results.json');
const reporters = ['--reporter=default', '--reporter=json', `--outputFile.json=${results}`];
const words = process.argv.slice(2).filter((word) => !['--attacks', '--fast', '--all'].includes(word));
const selection = selectTests();
const run = spawnSync(process.execPath, [vitest, 'run', ...reporters, ...selection, ...words], {
  cwd: root,
  stdio: 'inherit',
  env: testEnvironment(),
});
const isWithstood = printResults();
process.exit(run.status || (isWithstood ? 0 : 1));

/** What vitest is to run beside the words of the caller. */
function selectTests() {
  if (isFast) return ['--project', 'fast'];
  if (isAttack) return attackFiles();
  const asksForAttacks = isAll || words.some((word) => word.includes('attacks'));
  return asksForAttacks ? [] : ['--exclude', `${ATTACKS}/**`];
}

/** The attack table, and one plain line at the end for log readers. */
function printResults() {
  const report = readReport();
  if (!report) {
    console.log('The test runner left no result.');
    return false;
  }
  const table = isAttack || isAll ? attackTable(report) : undefined;
  if (table) console.log(`${table.text}\n`);
  const { numPassedTests, numFailedTests, numPendingTests } = report;
  console.log(`${numPassedTests} passed, ${numFailedTests} failed, ${numPendingTests} skipped`);
  return table?.ok ?? true;
}

function readReport() {
  try {
    return JSON.parse(readFileSync(results, 'utf8'));
  } catch {
    return undefined;
  } finally {
    rmSync(scratch, { recursive: true, force: true });
  }
}

function installMissing() {
  const missing = Object.entries(NEEDED).filter(([program]) => !onPath(program));
  const packages = missing.map(([, name]) => name);
  if (!existsSync(POSTGRES)) packages.push('postgresql');
  if (packages.length === 0) return;
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
  // Each fuzzer has a length of its own; the attack suite has a longer one, the fast lane a shorter one.
  if (isAttack) env.ATTACK_FUZZ ??= '20000';
  if (isFast) Object.assign(env, { ATTACK_FUZZ: env.ATTACK_FUZZ ?? '200', TMPDIR: scratch });
  return env;
}
