/** Policy files that come, change or go in a running session. */
import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, it } from 'vitest';
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
