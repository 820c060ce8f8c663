import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, expect, it } from 'vitest';
import { DEFAULT_LIMITS, type SandboxPolicy } from '../types.js';
import { joinPermissions, uncovered } from './uncovered.js';

const base = realpathSync(mkdtempSync('/var/tmp/gemini-uncovered-'));
afterAll(() => rmSync(base, { recursive: true, force: true }));
const [workspace, home, open, other] = ['work', 'home', 'open', 'other'].map((name) => {
  mkdirSync(join(base, name));
  return join(base, name);
}) as [string, string, string, string];
mkdirSync(join(home, '.ssh'));
writeFileSync(join(workspace, '.env'), '');

const POLICY: SandboxPolicy = {
  workspace: [workspace],
  readOnlyPaths: [],
  writablePaths: [open],
  forbiddenPaths: [],
  network: 'off',
  workspaceWritable: true,
  allowGitWrites: false,
  limits: DEFAULT_LIMITS,
};
const context = { home, secrets: [join(home, '.ssh')] };
const write = (path: string, policy: Partial<SandboxPolicy> = {}) =>
  uncovered({ fileSystem: { write: [path] } }, { ...POLICY, ...policy }, context)?.fileSystem?.write;
const read = (path: string) => uncovered({ fileSystem: { read: [path] } }, POLICY, context)?.fileSystem?.read;

it('uncovered returns the paths that may not be written', () => {
  for (const path of [workspace, join(workspace, 'a/b'), open, join(open, 'x')])
    expect(write(path), path).toBeUndefined();
  expect(write(other)).toEqual([other]);
  expect(write(join(other, 'new/file'))).toEqual([other]);
  expect(write(join(workspace, 'a'), { workspaceWritable: false })).toEqual([workspace]);
});

it('uncovered does not count a protected path as part of its writable workspace', () => {
  const hooks = join(workspace, '.git/hooks');
  expect(write(hooks)).toEqual([hooks]);
  expect(write(join(workspace, '.gemini/settings.json'))).toEqual([join(workspace, '.gemini')]);
  expect(write(hooks, { writablePaths: [workspace] })).toEqual([hooks]);
  expect(write(hooks, { writablePaths: [hooks] })).toBeUndefined();
});

it('uncovered returns the paths that may not be read: secrets, and directories that are empty inside', () => {
  for (const path of ['/usr', '/etc/hosts', join(home, 'file'), workspace])
    expect(read(path), path).toBeUndefined();
  for (const path of [join(home, '.ssh'), join(workspace, '.env'), '/tmp', '/run/x'])
    expect(read(path), path).toBeDefined();
});

it('uncovered returns the network if it is missing, and undefined when nothing is', () => {
  expect(uncovered({ network: true }, POLICY, context)).toEqual({ network: true });
  expect(uncovered({ network: true }, { ...POLICY, network: 'on' }, context)).toBeUndefined();
  expect(uncovered({}, POLICY, context)).toBeUndefined();
});

it('joinPermissions merges several permissions', () => {
  expect(joinPermissions([undefined, undefined])).toBeUndefined();
  expect(
    joinPermissions([
      { network: true },
      { fileSystem: { write: ['/a'] } },
      { fileSystem: { read: ['/b'], write: ['/a'] } },
    ]),
  ).toEqual({ network: true, fileSystem: { read: ['/b'], write: ['/a'] } });
});
