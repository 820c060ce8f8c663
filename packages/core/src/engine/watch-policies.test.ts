/** Policy files that come, change or go in a running session. */
import fs, { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { syncBuiltinESMExports } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { PolicyWatch } from './watch-policies.js';

let root: string;
let watching: PolicyWatch | undefined;
beforeEach(() => {
  root = realpathSync(mkdtempSync(join(tmpdir(), 'watch-policies-')));
  for (const folder of ['home/.gemini', 'project', 'extra'])
    mkdirSync(join(root, folder), { recursive: true });
});
afterEach(() => {
  watching?.close();
  rmSync(root, { recursive: true, force: true });
});

/** The test ends when the change is noticed. */
function noticed(paths: readonly string[], change: () => void): Promise<void> {
  return new Promise((resolve) => {
    const places = { globalDir: join(root, 'home/.gemini'), projectDir: join(root, 'project'), paths };
    watching = new PolicyWatch(places, resolve);
    change();
  });
}

function write(path: string): void {
  mkdirSync(join(root, path, '..'), { recursive: true });
  writeFileSync(join(root, path), '');
}

describe('watchPolicies', () => {
  it('reports a change in a folder that did not exist', () =>
    noticed([], () => write('home/.gemini/policies/a.toml')));
  it('reports a change in the project folder', () =>
    noticed([], () => write('project/.gemini/policies/a.toml')));
  it("reports a change of the project's single policy file", async () => {
    mkdirSync(join(root, 'project/.gemini'));
    await noticed([], () => write('project/.gemini/policies.toml'));
  });
  it('reports a change of a file given by --policy', () =>
    noticed([join(root, 'extra/rules.toml')], () => write('extra/rules.toml')));
  it('reports a change in a folder given by --policy', () =>
    noticed([join(root, 'extra')], () => write('extra/a.toml')));
  it('reports a change of a file given by --policy in the root of the project', () =>
    noticed([join(root, 'project/rules.toml')], () => write('project/rules.toml')));
  it('reports it after other files of the root were written', () =>
    noticed([join(root, 'project/rules.toml')], () => {
      write('project/app.log');
      setTimeout(() => write('project/rules.toml'), 50);
    }));
  it('reports a change in the root of the project, given by --policy', () =>
    noticed([join(root, 'project')], () => {
      write('project/app.log');
      setTimeout(() => write('project/rules.toml'), 50);
    }));
  it('reports a deleted file', async () => {
    write('home/.gemini/policies/a.toml');
    await noticed([], () => rmSync(join(root, 'home/.gemini/policies/a.toml')));
  });
});

it('keeps watching a folder that was created later', async () => {
  let resolveNext = () => {};
  const next = () => new Promise<void>((resolve) => (resolveNext = resolve));
  const places = { globalDir: join(root, 'home/.gemini'), projectDir: join(root, 'project'), paths: [] };
  const first = next();
  watching = new PolicyWatch(places, () => {
    resolveNext();
  });
  write('home/.gemini/policies/a.toml');
  await first;
  const second = next();
  writeFileSync(join(root, 'home/.gemini/policies/a.toml'), '# changed');
  await second;
});

describe('a root that is written to all the time', () => {
  const real = fs.watch;
  let wakes = 0;
  beforeEach(() => {
    wakes = 0;
    const counted = (path: string, options: object, listener: (...of: [string, string | null]) => void) =>
      real(path, options, (...event) => {
        wakes++;
        listener(...event);
      });
    Object.assign(fs, { watch: counted });
    syncBuiltinESMExports();
  });
  afterEach(() => {
    Object.assign(fs, { watch: real });
    syncBuiltinESMExports();
  });

  it('wakes the process once a second at most', async () => {
    const places = { globalDir: join(root, 'home/.gemini'), projectDir: join(root, 'project'), paths: [] };
    watching = new PolicyWatch(places, () => undefined);
    for (let line = 0; line < 60; line++) {
      fs.appendFileSync(join(root, 'project/app.log'), 'line\n');
      await delay(5);
    }
    expect(wakes).toBeGreaterThan(0);
    expect(wakes).toBeLessThan(8);
  });

  it('still reports policies that are created meanwhile, in a new folder and in a replaced one', async () => {
    let told = () => {};
    const next = () => new Promise<void>((resolve) => (told = resolve));
    const places = { globalDir: join(root, 'home/.gemini'), projectDir: join(root, 'project'), paths: [] };
    watching = new PolicyWatch(places, () => told());
    for (let round = 0; round < 2; round++) {
      const first = next();
      fs.appendFileSync(join(root, 'project/app.log'), 'line\n');
      await delay(50);
      rmSync(join(root, 'project/.gemini'), { recursive: true, force: true });
      write('project/.gemini/policies/a.toml');
      await first;
    }
  });
});
