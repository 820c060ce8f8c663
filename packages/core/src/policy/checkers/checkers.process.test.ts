/** Tests the safety checkers: allowed paths, external programs, and their failures. */
import { chmodSync, mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { ApprovalMode } from '../../protocol/confirmation.js';
import { policyLab } from '../policy-lab.test-helper.js';
import { checkAllowedPaths } from './allowed-path.js';
import { runCheckers } from './runner.js';

const lab = policyLab();
const { project } = lab;
const directory = join(lab.home, '.gemini/checkers');
beforeAll(() => {
  symlinkSync('/etc', join(project, 'out'));
  mkdirSync(directory, { recursive: true });
});
afterAll(() => {
  vi.unstubAllEnvs();
  lab.folder.cleanup();
});

const program = (name: string, body: string) => {
  writeFileSync(join(directory, name), `#!/bin/sh\n${body}\n`);
  chmodSync(join(directory, name), 0o755);
};
const run = async (name: string, type: 'external' | 'in-process' = 'external', limitMs = 5000) => {
  const checker = {
    priority: 0,
    source: 'x',
    checker: { type, name, requiredContext: ['history'], config: { a: 1 } },
  };
  const host = {
    cwd: project,
    workspaces: [project],
    checkersDirectory: directory,
    variables: process.env,
    history: () => ['hello'],
    limitMs,
  };
  return runCheckers(
    [checker],
    { name: 'write_file', args: { file_path: 'a' } },
    { decision: 'allow' as never },
    host,
  );
};

describe('the checker allowed-path', () => {
  const roots = { cwd: project, workspaces: [project] };
  it.each<[Record<string, unknown>, string]>([
    [{ file_path: 'src/a' }, 'allow'],
    [{ file_path: '/etc/passwd' }, 'deny'],
    [{ file_path: '../x' }, 'deny'],
    [{ file_path: 'out/passwd' }, 'deny'],
    [{ directory: 'out' }, 'deny'],
    [{ file_path: 'out/../tmp/x' }, 'deny'],
    [{ file_path: 'src/../a' }, 'allow'],
    [{ file_path: '.env.local' }, 'ask_user'],
    [{ file_path: 'sub/.envrc' }, 'ask_user'],
    [{ file_path: '.gemini/settings.json' }, 'ask_user'],
    [{ source: 'a', destination: '/tmp/x' }, 'deny'],
    [{ options: { target_file: '/tmp/x' } }, 'deny'],
    [{ paths: ['src', '/tmp/x'] }, 'deny'],
    [{ file_path: '.git/config' }, 'deny'],
    [{ file_path: 'a/.GIT/config' }, 'deny'],
    [{ file_path: '.env' }, 'deny'],
    [{ file_path: 'node_modules/x' }, 'deny'],
    [{ file_path: '.vscode/x' }, 'ask_user'],
    [{ content: '/etc/passwd' }, 'allow'],
  ])('judges the arguments %j: %s', (args, expected) =>
    expect(checkAllowedPaths(args, {}, roots).decision).toBe(expected),
  );
  it('obeys included_args, excluded_args and allowed_paths', () => {
    expect(checkAllowedPaths({ where: '/x' }, { included_args: ['where'] }, roots).decision).toBe('deny');
    expect(checkAllowedPaths({ file_path: '/x' }, { excluded_args: ['file_path'] }, roots).decision).toBe(
      'allow',
    );
    expect(checkAllowedPaths({ file_path: '/opt/x' }, { allowed_paths: ['/opt'] }, roots).decision).toBe(
      'allow',
    );
  });
});

describe('an external checker', () => {
  it.each<[string, string, string]>([
    ['yes', `echo '{"decision":"allow"}'`, 'allow'],
    ['no', `echo '{"decision":"deny","reason":"because"}'`, 'deny'],
    ['maybe', `echo '{"decision":"ask_user"}'`, 'ask_user'],
    ['garbage', 'echo hello', 'deny'],
    ['empty', 'true', 'deny'],
    ['wrong', `echo '{"decision":"sure"}'`, 'deny'],
    ['crash', `echo '{"decision":"allow"}'; exit 3`, 'deny'],
    ['killed', 'kill -9 $$', 'deny'],
    [
      'input',
      `grep -q '"protocolVersion":"1.0.0","toolCall":{"name":"write_file","args":{"file_path":"a"}}.*"turns":\\["hello"\\].*"config":{"a":1}' && echo '{"decision":"allow"}'`,
      'allow',
    ],
    ['flood', 'yes', 'deny'],
  ])('decides by its answer, and any failure denies: %s', async (name, body, expected) => {
    program(name, body);
    expect((await run(name, 'external', name === 'flood' ? 300 : 5000)).decision).toBe(expected);
  });
  it('that hangs, does not exist or is unknown refuses the call and says why', async () => {
    program('hang', 'sleep 60');
    expect(await run('hang', 'external', 100)).toMatchObject({
      decision: 'deny',
      reason: expect.stringContaining('did not answer'),
    });
    expect(await run('missing')).toMatchObject({
      decision: 'deny',
      reason: expect.stringContaining('does not exist'),
    });
    expect(await run('conseca', 'in-process')).toMatchObject({
      decision: 'ask_user',
      reason: expect.stringContaining('no model'),
    });
    expect(await run('consca', 'in-process')).toMatchObject({
      decision: 'deny',
      reason: expect.stringContaining('no safety checker'),
    });
  });
});

it('checkers run after the rules: deny is final, ask overrides allow', async () => {
  const rules = `
[[safety_checkers]]
[safety_checkers.validator]
type = "path_validation"
allowed_paths = ["${lab.folder.path}/uploads"]
`;
  const engine = await lab.withRules(rules, { approvalMode: ApprovalMode.YOLO });
  const write = (file_path: string) => engine.evaluate({ name: 'write_file', args: { file_path } });
  expect(await write('src/a')).toBe('allow');
  expect(await write(`${lab.folder.path}/uploads/x`)).toBe('allow');
  expect(await write('/etc/x')).toBe('deny');
  expect(await write('.vscode/x')).toBe('ask_user');
});

it('a checker for commands sees every part; a checker of a rule runs even when another rule decides', async () => {
  program('never', `echo '{"decision":"deny","reason":"never"}'`);
  vi.stubEnv('GEMINI_CLI_HOME', lab.home);
  const rules = `
[[safety_checker]]
toolName = "run_shell_command"
commandPrefix = "npm publish"
[safety_checker.checker]
type = "external"
name = "never"
[[rule]]
toolName = "web_fetch"
decision = "ask_user"
priority = 1
[rule.safety_checker]
type = "external"
name = "never"
[[rule]]
toolName = "web_fetch"
decision = "allow"
priority = 2
`;
  const engine = await lab.withRules(rules, { approvalMode: ApprovalMode.YOLO });
  const run = (command: string) => engine.check({ name: 'run_shell_command', args: { command } });
  expect(await run('ls && sudo npm publish')).toMatchObject({ decision: 'deny', reason: 'never' });
  expect(await run('npm test')).toMatchObject({ decision: 'allow' });
  expect(await engine.evaluate({ name: 'web_fetch', args: {} })).toBe('deny');
});
