import { execFileSync, spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { findProgram } from '../platform/process/find-program.js';
import { METHODS } from '../platform/shell/shell-service.test-helper.js';
import { type ContainedRunner, containedRunner } from './contained-run.test-helper.js';

vi.setConfig({ testTimeout: 60_000 });

const canRun = process.platform === 'linux' && findProgram('bwrap', process.env['PATH']) !== undefined;

describe.runIf(canRun)('a contained command', () => {
  let runner: ContainedRunner;
  beforeEach(() => {
    runner = containedRunner({ ...process.env, GEMINI_API_KEY: 'key-of-ours', SSH_AUTH_SOCK: '/tmp/agent' });
  });
  afterEach(() => runner.cleanUp());
  const inWorkspace = (name: string, text = '') => {
    const path = join(runner.workspace, name);
    mkdirSync(join(path, '..'), { recursive: true });
    writeFileSync(path, text);
    return path;
  };

  it.each(METHODS)('prints, ends and looks as outside, over %s', async (_, settings) => {
    inWorkspace('a.txt', 'hello');
    const ran = await runner.run('cat a.txt; pwd; id -u; stat -c %u a.txt; exit 3', 'read-only', {
      settings,
    });
    const uid = String(process.getuid?.());
    expect(ran.output.trim().split(/\r?\n/)).toEqual([`hello${runner.workspace}`, uid, uid]);
    expect(ran.exitCode).toBe(3);
  });

  it('shows root the real owners of files', async () => {
    if (process.getuid?.() !== 0) return;
    const path = inWorkspace('theirs');
    execFileSync('chown', ['65534:65534', path]);
    expect((await runner.run('stat -c "%u %g" theirs /etc')).output.trim()).toBe('65534 65534\n0 0');
  });

  it('sees the same temporary files as outside, and cannot change them', async () => {
    const path = join(runner.base, 'outside.txt');
    writeFileSync(path, 'there');
    const { output } = await runner.run(
      `cat ${path}; echo x > ${path}; echo x > /tmp/new; ls $TMPDIR > /dev/null`,
    );
    expect(output).toContain('there');
    expect(output.match(/Read-only file system/g)).toHaveLength(2);
    expect(readFileSync(path, 'utf8')).toBe('there');
  });

  it('keeps the name of a directory that was reached by a symbolic link', async () => {
    const link = join(runner.base, 'link');
    symlinkSync(runner.workspace, link);
    const { output } = await runner.run('echo $PWD; /bin/pwd', 'read-only', { environment: { PWD: link } });
    expect(output.trim().split('\n')).toEqual([link, runner.workspace]);
  });

  it('gets none of our keys, but the variables of its call', async () => {
    const { output } = await runner.run('env', 'read-only', { environment: { MY_TOKEN: 'of-the-call' } });
    expect(output).not.toContain('key-of-ours');
    expect(output).not.toContain('SSH_AUTH_SOCK');
    expect(output).toContain('MY_TOKEN=of-the-call');
    expect(output).toContain('GIT_OPTIONAL_LOCKS=0');
  });

  it("sees neither secrets nor env files, but the project's temporary directory", async () => {
    for (const name of [
      '.ssh/id',
      '.pgpass',
      '.my.cnf',
      '.config/rclone/rclone.conf',
      '.gemini/settings.json',
    ]) {
      mkdirSync(join(runner.home, name, '..'), { recursive: true });
      writeFileSync(join(runner.home, name), 'a secret');
    }
    inWorkspace('.env', 'a secret');
    inWorkspace('sub/.env.local', 'a secret');
    const [project = ''] = readdirSync(join(runner.home, '.gemini', 'tmp')).filter(
      (name) => name !== 'sandbox',
    );
    writeFileSync(join(runner.home, '.gemini', 'tmp', project, 'note'), 'a note');
    const { output } = await runner.run(`grep -r . ${runner.home} ${runner.workspace}`);
    expect(output).not.toContain('a secret');
    expect(output).toContain('a note');
  });

  it('shows env files that git tracks to git, and to no other command', async () => {
    const git = (...args: string[]) => execFileSync('git', args, { cwd: runner.workspace, stdio: 'pipe' });
    inWorkspace('.env.example', 'tracked');
    inWorkspace('.env', 'untracked');
    inWorkspace('.gitignore', '.env\n');
    git('init', '-q');
    git('add', '.');
    git('-c', 'user.name=a', '-c', 'user.email=a@b', 'commit', '-qm', 'first');
    for (let round = 0; round < 2; round++) {
      const { output } = await runner.run('git status --short; cat .env .env.example');
      expect(output).toBe('tracked');
    }
    expect((await runner.run('cat .env.example')).output).toBe('');
  });

  it('writes the workspace as an edit, without its protected paths', async () => {
    inWorkspace('.git/config', 'own');
    inWorkspace('sub/nested/.git/config', 'nested');
    inWorkspace('sub/node_modules/a.js', 'module');
    for (const name of ['HEAD', 'config', 'objects/x', 'refs/x']) inWorkspace(`bare/${name}`, 'bare');
    const names =
      '.git/config .git/hooks/x sub/nested/.git/config sub/node_modules/a.js bare/config bare/hooks';
    const absent = '.gemini/x .vscode/x node_modules/x .env .envrc';
    const { output } = await runner.run(
      `echo done > fine.txt; for f in ${names} ${absent}; do echo broken > $f; done; mv .git elsewhere; mv sub/nested/.git x`,
      'workspace',
    );
    expect(readFileSync(join(runner.workspace, 'fine.txt'), 'utf8')).toBe('done\n');
    expect(output).not.toBe('');
    expect(spawnSync('grep', ['-r', 'broken', runner.workspace], { encoding: 'utf8' }).stdout).toBe('');
    expect(readdirSync(runner.workspace).sort()).toEqual(['.git', 'bare', 'fine.txt', 'sub']);
  });

  it('cannot write a workspace whose settings are symbolic links, and says so before', async () => {
    mkdirSync(join(runner.base, 'real'));
    symlinkSync(join(runner.base, 'real'), join(runner.workspace, '.git'));
    expect(await runner.containment.check('read-only')).toBe('held');
    expect(await runner.containment.check('workspace')).toMatchObject({
      problem: expect.stringContaining('link'),
    });
    const { error } = await runner.run('echo x > y', 'workspace');
    expect(error?.message).toContain('symbolic link');
    expect(existsSync(join(runner.workspace, 'y'))).toBe(false);
  });
});
