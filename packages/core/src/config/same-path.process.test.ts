/** Policy decides on the real file or folder that a tool would touch, however the model writes its path. */
import { mkdirSync, mkdtempSync, realpathSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it, vi } from 'vitest';
import { ApprovalMode, type PolicyDecision } from '../protocol/confirmation.js';
import { Config } from './config.js';

let root: string;
beforeAll(() => {
  root = realpathSync(mkdtempSync(join(tmpdir(), 'same-path-')));
  for (const name of ['.git/hooks', '.gemini', 'a/b'])
    mkdirSync(join(root, 'project', name), { recursive: true });
  vi.stubEnv('GEMINI_CLI_HOME', root);
  vi.stubEnv('HOME', root);
});
afterAll(() => {
  vi.unstubAllEnvs();
  rmSync(root, { recursive: true, force: true });
});

async function decide(
  mode: ApprovalMode,
  name: string,
  args: object,
  plansDirectory?: string,
): Promise<PolicyDecision> {
  const config = new Config({
    sessionId: 's',
    targetDir: join(root, 'project'),
    debugMode: false,
    model: 'offline',
    interactive: true,
    approvalMode: mode,
    plansDirectory,
  });
  await config.initialize();
  try {
    return await config.getPolicyEngine().evaluate({ name, args: { ...args } });
  } finally {
    await config.shutdown();
  }
}

it.each([
  ['@.git/hooks/pre-commit', 'deny'],
  ['@/.git/config', 'deny'],
  ['~/project/.git/config', 'deny'],
  ['~/elsewhere.txt', 'deny'],
  ['@.gemini/settings.json', 'ask_user'],
  ['@/.gemini/policies/a.toml', 'ask_user'],
  ['@a/b/c.txt', 'allow'],
  ['a/b/c.txt', 'allow'],
])('decides on an edit of %j in auto_edit mode: %s', async (file_path, expected) =>
  expect(await decide(ApprovalMode.AUTO_EDIT, 'write_file', { file_path, content: 'x' })).toBe(expected),
);

it.each([
  ['@/a/b', 'cat ../../../secret', 'ask_user'],
  ['~/project', 'cat ../../secret', 'ask_user'],
  ['a/b', 'cat ../../x', 'allow'],
])('decides on a command in %j: %s is %s', async (dir_path, command, expected) =>
  expect(await decide(ApprovalMode.DEFAULT, 'run_shell_command', { command, dir_path })).toBe(expected),
);

it('takes a bare name in plan mode for a file of the project, not a plan', async () => {
  expect(await decide(ApprovalMode.PLAN, 'write_file', { file_path: 'README.md', content: 'x' })).toBe(
    'deny',
  );
});

it('does not accept the project itself as the plans directory', async () => {
  const plan = (file_path: string, directory: string) =>
    decide(ApprovalMode.PLAN, 'write_file', { file_path, content: 'x' }, directory);
  expect(await plan('README.md', '.')).toBe('deny');
  expect(await plan('plans/a.md', 'plans')).toBe('allow');
});
