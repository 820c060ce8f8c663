import { spawnSync } from 'node:child_process';
import { callTool, text } from '@gemini-cli/test-utils';
import { testRig } from '@gemini-cli/test-utils/rig';
import { expect, it } from 'vitest';
import { scripted, writeAgent } from './agents.js';

it('an agent in a worktree works there in the sandbox of commands, and nowhere else', async () => {
  const rig = await testRig({
    files: { 'a.txt': 'A\n' },
    settings: {
      security: { toolSandboxing: true },
      agents: { overrides: { coder: { isolation: 'worktree' } } },
    },
  });
  const git = (...args: string[]) =>
    spawnSync('git', ['-c', 'user.name=t', '-c', 'user.email=t@t', ...args], {
      cwd: rig.workspace,
      encoding: 'utf8',
    }).stdout;
  git('init', '-q');
  git('add', '.');
  git('commit', '-qm', 'start');
  writeAgent(rig, 'coder', ['write_file', 'run_shell_command']);
  const command = 'echo by command > c.txt; echo x > ../../../out.txt; echo x > ../../settings.json';
  scripted(rig, {
    main: [[callTool('invoke_agent', { agent_name: 'coder', prompt: 'work' })], [text('done')]],
    coder: [
      [callTool('write_file', { file_path: 'b.txt', content: 'by tool\n' })],
      [callTool('run_shell_command', { command })],
      [callTool('complete_task', { result: 'written' })],
    ],
  });
  const run = await rig.cli('-p', 'go', '-y');
  expect(run.exitCode, run.stderr).toBe(0);
  const report = JSON.stringify(rig.model.lastRequest().body.contents.at(-1));
  const [, name = ''] = /worktrees\/(coder-\w+)/.exec(report) ?? [];
  expect(rig.read(`.gemini/worktrees/${name}/b.txt`)).toBe('by tool\n');
  expect(rig.read(`.gemini/worktrees/${name}/c.txt`)).toBe('by command\n');
  expect([rig.exists('out.txt'), rig.exists('.gemini/settings.json')]).toEqual([false, false]);
  expect(git('status', '--short')).toBe('');
});
