/** `--worktree` with the built program: the run, its session and its end. */
import { execFileSync } from 'node:child_process';
import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { callTool, type TestRig, testRig, text } from './test-utils.js';

const ON = { experimental: { worktrees: true } };

async function repository(options: Parameters<typeof testRig>[0] = { settings: ON }): Promise<TestRig> {
  const rig = await testRig({ files: { 'a.txt': 'one\n' }, ...options });
  const git = (...args: string[]) =>
    execFileSync('git', ['-c', 'user.name=T', '-c', 'user.email=t@example.com', ...args], {
      cwd: rig.workspace,
      stdio: 'ignore',
    });
  git('init', '-q');
  git('add', '.');
  git('commit', '-q', '-m', 'one');
  return rig;
}

const trees = (rig: TestRig) => {
  const folder = join(rig.workspace, '.gemini/worktrees');
  return existsSync(folder) ? readdirSync(folder).filter((name) => name !== '.gitignore') : [];
};

describe('--worktree', () => {
  it('works in the worktree, not in the folder it was started in', async () => {
    const rig = await repository();
    rig.model.replies([callTool('write_file', { file_path: 'new.txt', content: 'x' })], [text('done')]);
    const run = await rig.cli('-w', 'fix', '-p', 'write it', '--approval-mode', 'yolo', '-o', 'json');
    expect(run.exitCode, run.stderr).toBe(0);
    const tree = join(rig.workspace, '.gemini/worktrees/fix');
    expect(existsSync(join(tree, 'new.txt'))).toBe(true);
    expect(existsSync(join(rig.workspace, 'new.txt'))).toBe(false);
    const { session_id: id, response } = run.json();
    expect(response).toBe('done');
    expect(run.stderr).toContain(`cd ${tree} && gemini --resume ${id}`);
    expect(run.stderr).toContain('worktree remove');
  });

  it('ties the session to the worktree, and resumes it as it says', async () => {
    const rig = await repository();
    rig.model.replies([text('one')], [text('two')], [text('three')]);
    const first = await rig.cli('-w', 'fix', '-p', 'the first question', '-o', 'json');
    const tree = join(rig.workspace, '.gemini/worktrees/fix');
    const there = await rig.cli('-p', 'next', '--resume', String(first.json().session_id), { cwd: tree });
    expect(there.exitCode, there.stderr).toBe(0);
    const again = await rig.cli('-w', 'fix', '-p', 'next', '--resume');
    expect(again.exitCode, again.stderr).toBe(0);
    expect(JSON.stringify(rig.model.requests.at(-1)?.body.contents)).toContain('the first question');
    expect((await rig.cli('--list-sessions')).stdout).toContain('No previous sessions');
    expect(trees(rig)).toEqual(['fix']);
  });

  it('without a name creates a new one each time, and tells the child processes', async () => {
    const rig = await repository();
    const command = 'echo "handled=$GEMINI_CLI_WORKTREE_HANDLED"';
    rig.model.replies([callTool('run_shell_command', { command })], [text('ok')], [text('ok')]);
    const run = await rig.cli('-p', 'x', '--approval-mode', 'yolo', '-w');
    expect(run.exitCode, run.stderr).toBe(0);
    expect(JSON.stringify(rig.model.requests[1]?.body.contents)).toContain('handled=1');
    await rig.cli('-p', 'x', '-w');
    expect(trees(rig)).toHaveLength(2);
  });

  it('is refused with the help when the setting is off', async () => {
    const rig = await repository({});
    const { exitCode, stdout, stderr } = await rig.cli('-p', 'x', '-w');
    expect({ exitCode, stdout }).toEqual({ exitCode: 1, stdout: '' });
    expect(stderr).toMatch(/^.*--worktree needs the setting experimental\.worktrees.*\n\nUsage: /);
    expect(stderr).toContain('--max-time');
  });

  it.each([['the name is hostile', ON, ['-w', '../../evil'], 1, /^.*cannot name a worktree.*\n$/]])(
    'is refused in one line when %s',
    async (_, settings, flags, code, line) => {
      const rig = await repository({ settings });
      const { exitCode, stdout, stderr } = await rig.cli('-p', 'x', ...flags);
      expect({ exitCode, stdout }).toEqual({ exitCode: code, stdout: '' });
      expect(stderr).toMatch(line);
      expect([trees(rig), rig.model.requests.length]).toEqual([[], 0]);
    },
  );

  it('is refused outside of a repository and in an untrusted folder', async () => {
    const plain = await testRig({ settings: ON });
    const outside = await plain.cli('-p', 'x', '-w');
    expect(outside.exitCode).toBe(1);
    expect(outside.stderr).toMatch(/^.*needs a git repository.*\n$/);
    const untrusted = await repository({ settings: ON, trust: false });
    expect((await untrusted.cli('-p', 'x', '-w')).exitCode).toBe(55);
    expect(trees(untrusted)).toEqual([]);
  });
});
