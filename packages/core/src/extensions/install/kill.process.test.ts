import { spawnSync } from 'node:child_process';
import { cpSync, readdirSync, rmSync, utimesSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { addFiles } from '../extension-folders.test-helper.js';
import { secretService } from '../settings/read-values.js';
import { installExtension } from './install.js';
import { InstallLab, stateBelow } from './install-lab.test-helper.js';
import { change } from './kill-child.test-helper.js';
import { integrityStore } from './records.js';
import { uninstallExtension } from './uninstall.js';

/** EXTENSION_KILL_EVERY=1 kills at every step, for a long manual run. */
const EVERY = Number(process.env['EXTENSION_KILL_EVERY'] ?? 8);
const here = dirname(fileURLToPath(import.meta.url));
const secret = (envVar: string) => ({ name: envVar, envVar, sensitive: true });
const version = (number: string, settings: object[]) => ({
  'source/gemini-extension.json': { name: 'demo', version: number, settings },
  'source/GEMINI.md': `Version ${number}.`,
});
const FIRST = version('1.0.0', [secret('KEPT'), secret('OLD'), { name: 'Plain', envVar: 'PLAIN' }]);
const SECOND = version('2.0.0', [secret('KEPT'), secret('NEW'), { name: 'Plain', envVar: 'PLAIN' }]);

let lab: InstallLab;
let program: string;
beforeAll(async () => {
  lab = new InstallLab();
  program = join(lab.base, 'child.cjs');
  const entryPoints = [join(here, 'kill-child.test-helper.ts')];
  await build({
    entryPoints,
    bundle: true,
    platform: 'node',
    format: 'cjs',
    outfile: program,
    logLevel: 'error',
  });
  addFiles(lab.base, {
    ...FIRST,
    'other/gemini-extension.json': { name: 'other', version: '1.0.0' },
  });
}, 60_000);
afterAll(() => lab.remove());

const run = (verb: string, step: number) =>
  spawnSync(process.execPath, [program, lab.base, verb, `${step}`], { encoding: 'utf8' });

/** The extension and everything kept about it, for comparisons. */
async function everything() {
  const [extension] = lab.loaded();
  if (!extension) return undefined;
  const { version: number, installMetadata } = extension;
  const store = lab.secrets();
  const names = ['KEPT', 'OLD', 'NEW'];
  const stored = await Promise.all(names.map((one) => store.get(secretService(extension), one)));
  return {
    number,
    files: stateBelow(join(lab.root, 'demo')),
    secrets: names.filter((_, index) => stored[index]),
    integrity: installMetadata && (await integrityStore(lab.ports()).verify('demo', installMetadata)),
  };
}

/** As if some seconds had passed: what is not signed counts as left behind. */
function ageLocks(): void {
  for (const entry of readdirSync(lab.home, { recursive: true, withFileTypes: true }))
    if (entry.name.endsWith('.lock') || entry.parentPath.includes('.staging'))
      utimesSync(join(entry.parentPath, entry.name), 0, 0);
}

/** Kills at every n-th step; afterwards there is one of the two states, and the next command cleans up. */
async function expectWhole(verb: string): Promise<void> {
  const start = join(lab.base, 'start');
  rmSync(start, { recursive: true, force: true });
  cpSync(lab.home, start, { recursive: true });
  const before = await everything();
  await change(verb, lab);
  const after = await everything();
  const seen = new Set<unknown>();
  for (let step = 1; ; step += EVERY) {
    rmSync(lab.home, { recursive: true });
    cpSync(start, lab.home, { recursive: true });
    const { signal, stderr } = run(verb, step);
    if (signal !== 'SIGKILL') {
      expect(stderr).toBe('');
      break;
    }
    ageLocks();
    const number = lab.loaded()[0]?.version;
    expect([before?.number, after?.number], `step ${step}`).toContain(number);
    await installExtension({ source: join(lab.base, 'other') }, lab.ports());
    await uninstallExtension('other', lab.ports());
    const now = await everything();
    expect(now, `step ${step}`).toEqual(number === before?.number ? before : after);
    if (!now)
      expect(
        Object.keys(lab.state()).filter((path) =>
          /^(?!.*\.(?:tmp|lock)$).*(?:extension|integrity)/.test(path),
        ),
      ).toEqual([]);
    expect(readdirSync(lab.globalDir).includes('extensions') && readdirSync(lab.root)).not.toContain(
      '.staging',
    );
    seen.add(number);
  }
  expect(seen).toEqual(new Set([before?.number, after?.number]));
}

describe('kill -9 in the middle', () => {
  it('of an install leaves nothing or all of it', () => expectWhole('install'), 60_000);

  it('of an update leaves the old or the new version, with its values', async () => {
    rmSync(lab.home, { recursive: true });
    const fresh = new InstallLab(lab.base);
    await change('install', fresh);
    addFiles(lab.base, SECOND);
    await expectWhole('update');
  }, 60_000);

  it('of an uninstall leaves all of it or nothing', async () => {
    rmSync(lab.home, { recursive: true });
    await change('install', new InstallLab(lab.base));
    await expectWhole('uninstall');
  }, 60_000);
});
