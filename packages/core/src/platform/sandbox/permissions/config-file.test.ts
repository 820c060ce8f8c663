import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { DEFAULT_SANDBOX_FILE, readSandboxFile, saveCommandGrant } from './config-file.js';

let base: string;
let path: string;
beforeEach(() => {
  base = mkdtempSync(join(tmpdir(), 'sandbox-file-'));
  path = join(base, 'policies/sandbox.toml');
});
afterEach(() => rmSync(base, { recursive: true }));
const write = (text: string) => {
  path = join(base, 'sandbox.toml');
  writeFileSync(path, text);
};

it('without a file, the network is off, plan mode is read-only and yolo mode has the network', async () => {
  const { file, warning } = await readSandboxFile(path);
  expect(warning).toBeUndefined();
  expect(file.modes.default.network).toBe(false);
  expect(file.modes.plan.readonly).toBe(true);
  expect(file.modes.yolo).toMatchObject({ network: true, readonly: false });
});

it('reads modes and commands', async () => {
  write(`[modes.default]\nnetwork = true\napprovedTools = ["a"]\n[modes.plan]\nallowOverrides = false
[commands.npm]\nallowed_paths = ["/x"]\nallow_network = true\n[commands."g++"]\nallowed_paths = []`);
  const { file, warning } = await readSandboxFile(path);
  expect(warning).toBeUndefined();
  expect(file.modes.default).toEqual({
    network: true,
    readonly: false,
    approvedTools: ['a'],
    allowOverrides: true,
  });
  expect(file.modes.plan).toMatchObject({ readonly: true, allowOverrides: false });
  expect(file.commands.get('npm')).toEqual({ allowedPaths: ['/x'], allowNetwork: true });
  expect(file.commands.get('g++')).toEqual({ allowedPaths: [], allowNetwork: false });
});

it.each([
  ['no toml', '[modes'],
  ['a wrong type', '[modes.plan]\nreadonly = "no"'],
  ['an unknown mode', '[modes.yolo]\nnetwork = false'],
  ['paths that are none', '[commands.x]\nallowed_paths = [1]'],
  ['a list for a table', 'commands = []'],
])('uses the defaults and warns: %s', async (_name, text) => {
  write(text);
  const { file, warning } = await readSandboxFile(path);
  expect(file).toBe(DEFAULT_SANDBOX_FILE);
  expect(warning).toContain(`${path} is not used: `);
});

it('saves grants, adds to them, and keeps the rest of the file', async () => {
  await saveCommandGrant(path, 'npm', { allowedPaths: ['/a "b"'], allowNetwork: false });
  await saveCommandGrant(path, 'git', { allowedPaths: [], allowNetwork: true });
  await saveCommandGrant(path, 'npm', { allowedPaths: ['/c'], allowNetwork: true });
  const { file } = await readSandboxFile(path);
  expect([...file.commands].sort()).toEqual([
    ['git', { allowedPaths: [], allowNetwork: true }],
    ['npm', { allowedPaths: ['/a "b"', '/c'], allowNetwork: true }],
  ]);
});

it('keeps comments and modes of the user', async () => {
  write(
    '# mine\n[commands.npm] # here\nallowed_paths = [\n  "/x",\n]\n\n[modes.default]\nnetwork = true # yes\n',
  );
  await saveCommandGrant(path, 'npm', { allowedPaths: ['/y'], allowNetwork: false });
  const text = readFileSync(path, 'utf8');
  expect(text).toContain('# mine');
  expect(text).toContain('network = true # yes');
  expect((await readSandboxFile(path)).file.commands.get('npm')?.allowedPaths).toEqual(['/x', '/y']);
});

it('does not change an invalid file, or one whose entry it cannot find', async () => {
  for (const text of ['[modes', 'commands = { npm = { allowed_paths = ["/x"] } }']) {
    write(text);
    await expect(saveCommandGrant(path, 'npm', { allowedPaths: ['/y'], allowNetwork: true })).rejects.toThrow(
      path,
    );
    expect(readFileSync(path, 'utf8')).toBe(text);
    expect(existsSync(`${path}.lock`)).toBe(false);
  }
});
