import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, readdirSync, readFileSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { findProgram } from '../../process/find-program.js';
import {
  makeSandboxFixture,
  runSandboxed,
  runScript,
  type SandboxFixture,
  TEST_USERS,
} from '../sandboxed-run.test-helper.js';

vi.setConfig({ testTimeout: 30_000 });

const canRun = process.platform === 'linux' && findProgram('bwrap', process.env['PATH']) !== undefined;

describe.runIf(canRun).each(TEST_USERS)('the Linux sandbox of $name', (user) => {
  let fixture: SandboxFixture;
  beforeEach(() => {
    fixture = makeSandboxFixture(user);
  });
  afterEach(() => fixture.remove());

  it('lets a command write the workspace and its own /tmp, and nothing else', async () => {
    const outside = fixture.write(join(fixture.base, 'outside'), 'old');
    const { stdout } = await runScript(
      fixture,
      `echo new > inside && echo wrote inside
       echo new > /tmp/sandbox-test-file && echo wrote tmp
       (echo new > ${outside}) 2>/dev/null && echo wrote outside
       (echo new > ${fixture.base}/fresh) 2>/dev/null && echo created outside
       (echo new > $HOME/fresh) 2>/dev/null && echo wrote home
       rm -f ${outside} 2>/dev/null && echo removed outside
       (echo '|/bin/true' > /proc/sys/kernel/core_pattern) 2>/dev/null && echo wrote kernel setting`,
    );
    expect(stdout).toBe('wrote inside\nwrote tmp\n');
    expect(readFileSync(join(fixture.workspace, 'inside'), 'utf8')).toBe('new\n');
    expect(readFileSync(outside, 'utf8')).toBe('old');
    expect(existsSync('/tmp/sandbox-test-file')).toBe(false);
  });

  it('passes on the exit code, arguments and variables, also those of the loader', async () => {
    const { stdout, exitCode } = await runSandboxed(fixture, {
      command: 'bash',
      args: ['-c', 'echo "$1|$GREETING|$LD_LIBRARY_PATH|$SSH_AUTH_SOCK|$TMPDIR"; exit 7', 'bash', `a 'b" c`],
      env: { GREETING: 'hi there', LD_LIBRARY_PATH: '/nowhere', SSH_AUTH_SOCK: '/run/agent' },
    });
    expect(stdout).toBe(`a 'b" c|hi there|/nowhere||/tmp\n`);
    expect(exitCode).toBe(7);
  });

  it('makes the workspace read-only when asked to', async () => {
    const { stdout } = await runScript(fixture, '(echo x > f) 2>/dev/null || echo refused', {
      policy: { workspaceWritable: false },
    });
    expect(stdout).toBe('refused\n');
    expect(readdirSync(fixture.workspace)).toEqual([]);
  });

  it('allows granted paths, and hides forbidden ones even if they are granted', async () => {
    const granted = fixture.write(join(fixture.base, 'granted/file'), 'g');
    const secret = fixture.write(join(fixture.base, 'granted/secret/key'), 's');
    const single = fixture.write(join(fixture.workspace, 'single'), 's');
    const { stdout } = await runScript(
      fixture,
      `echo more >> ${granted} && echo wrote; ls ${fixture.base}/granted/secret; cat ${secret} 2>/dev/null; cat ${single}; echo end`,
      {
        policy: {
          writablePaths: [join(fixture.base, 'granted'), secret],
          forbiddenPaths: [join(fixture.base, 'granted/secret'), single],
        },
      },
    );
    expect(stdout).toBe('wrote\nend\n');
  });

  it('hides the secrets of the home directory and .env files down to depth 6', async () => {
    for (const name of ['.ssh/id', '.gemini/oauth', '.aws/credentials', '.config/gcloud/x', '.netrc']) {
      fixture.write(join(fixture.home, name), 'SECRET');
    }
    for (const name of ['.env', 'a/.env.local', 'a/b/c/d/e/.env', 'a/b/c/d/e/f/.env', 'a/plain.env']) {
      fixture.write(
        join(fixture.workspace, name),
        name === 'a/b/c/d/e/f/.env' || name === 'a/plain.env' ? 'plain' : 'SECRET',
      );
    }
    symlinkSync(
      fixture.write(join(fixture.base, 'elsewhere'), 'SECRET'),
      join(fixture.workspace, 'a/.env.linked'),
    );
    const { stdout } = await runScript(
      fixture,
      'cd ~; cat .ssh/* .gemini/* .aws/* .config/gcloud/* .netrc 2>/dev/null; cd -; cat .env a/.env.local a/.env.linked a/b/c/d/e/.env a/b/c/d/e/f/.env a/plain.env',
    );
    expect(stdout).toBe(`${fixture.workspace}\nplainplain`);
  });

  it('keeps hooks, configuration and .gemini unwritable, whether they exist or not', async () => {
    fixture.write(join(fixture.workspace, '.gemini/settings.json'), '{}');
    execFileSync('git', ['init', '-q', '--template=', fixture.workspace], as(fixture));
    const attempts = `
      (echo x > .gemini/settings.json); (echo x > .gemini/new); mv .gemini moved; rm -rf .gemini
      (echo x >> .git/config); mkdir .git/hooks; (echo x > .git/hooks/pre-commit); (echo x > .git/HEAD)
      mv .git moved; (echo ../evil > .git/commondir)`;
    const closed = await runScript(fixture, `{ ${attempts}\n} 2>/dev/null; true`);
    expect(closed.exitCode).toBe(0);
    expect(readdirSync(fixture.workspace).sort()).toEqual(['.gemini', '.git']);
    expect(readFileSync(join(fixture.workspace, '.gemini/settings.json'), 'utf8')).toBe('{}');
    expect(existsSync(join(fixture.workspace, '.git/hooks'))).toBe(false);
    expect(readFileSync(join(fixture.workspace, '.git/config'), 'utf8')).not.toContain('x\n');
  });

  it('lets no command create .git or .gemini, and leaves nothing behind', async () => {
    const { stdout } = await runScript(
      fixture,
      `mkdir -p .git/hooks 2>/dev/null || echo no hooks
       (mkdir -p .gemini; echo x > .gemini/settings.json) 2>/dev/null || echo no settings
       git init -q . 2>/dev/null || echo no repository
       (ln -s /tmp/evil .gemini || ln -sfn /tmp/evil .gemini || rmdir .gemini) 2>/dev/null; ls -A .gemini`,
    );
    expect(stdout).toBe('no hooks\nno settings\nno repository\n');
    expect(readdirSync(fixture.workspace)).toEqual([]);
  });

  it('lets git commands commit, but not change what git runs', async () => {
    const git = (...args: string[]) => execFileSync('git', args, as(fixture));
    git('init', '-q', '--template=', fixture.workspace);
    fixture.write(join(fixture.workspace, 'file'), 'text');
    const { stdout, stderr } = await runScript(
      fixture,
      `git add file && git -c user.name=a -c user.email=a@b commit -qm first && git log --format=%s
       { git config core.fsmonitor ./evil; mkdir -p .git/hooks/x; (echo ../evil > .git/commondir); mv .git moved; } 2>/dev/null
       true`,
      { policy: { allowGitWrites: true } },
    );
    expect(`${stdout}${stderr}`).toBe('first\n');
    expect(readFileSync(join(fixture.workspace, '.git/config'), 'utf8')).not.toContain('evil');
    for (const name of ['hooks', 'commondir', 'config.worktree']) {
      expect(existsSync(join(fixture.workspace, '.git', name))).toBe(false);
    }
  });

  it('works in a linked worktree whose repository is outside', async () => {
    const git = (...args: string[]) => execFileSync('git', args, as(fixture));
    const main = join(fixture.base, 'main');
    git('init', '-q', main);
    git(
      '-C',
      main,
      '-c',
      'user.name=a',
      '-c',
      'user.email=a@b',
      'commit',
      '-q',
      '--allow-empty',
      '-m',
      'first',
    );
    const tree = join(fixture.base, 'tree');
    git('-C', main, 'worktree', 'add', '-q', tree);
    const script =
      'git -c user.name=a -c user.email=a@b commit -q --allow-empty -m second; git log --format=%s';
    const policy = { workspace: [tree] };
    const reading = await runScript(fixture, script, { cwd: tree, policy });
    expect(reading.stdout).toBe('first\n');
    const writing = await runScript(fixture, script, {
      cwd: tree,
      policy: { ...policy, allowGitWrites: true },
    });
    expect(writing.stdout).toBe('second\nfirst\n');
    const hook = await runScript(fixture, `touch ${main}/.git/hooks/post-commit`, {
      cwd: tree,
      policy: { ...policy, allowGitWrites: true },
    });
    expect(hook.exitCode).toBe(1);
  });

  it('does not make a repository writable for a worktree that it does not know', async () => {
    const other = join(fixture.base, 'other');
    execFileSync('git', ['init', '-q', other], as(fixture));
    fixture.write(join(fixture.workspace, '.git'), `gitdir: ${other}/.git\n`);
    const { exitCode } = await runScript(fixture, `touch ${other}/.git/new 2>/dev/null`, {
      policy: { allowGitWrites: true },
    });
    expect(exitCode).toBe(1);
  });

  it('makes a protected path writable when the user has granted it', async () => {
    fixture.write(join(fixture.workspace, '.gemini/settings.json'), '{}');
    const { exitCode } = await runScript(fixture, 'echo 1 > .gemini/new', {
      policy: { writablePaths: [join(fixture.workspace, '.gemini')] },
    });
    expect(exitCode).toBe(0);
  });

  it('works when links of the project lead to system files', async () => {
    symlinkSync('/usr', join(fixture.workspace, '.env'));
    symlinkSync('/bin/bash', join(fixture.workspace, '.env.bash'));
    symlinkSync('/nowhere', join(fixture.workspace, '.env.nothing'));
    expect((await runScript(fixture, 'echo works')).stdout).toBe('works\n');
  });

  it('hides our own directory, wherever it is', async () => {
    const elsewhere = fixture.write(join(fixture.base, 'elsewhere/.gemini/oauth_creds.json'), 'SECRET');
    const { stdout } = await runScript(fixture, `cat ${elsewhere} 2>/dev/null; echo end`, {
      env: { GEMINI_CLI_HOME: join(fixture.base, 'elsewhere') },
    });
    expect(stdout).toBe('end\n');
  });

  it('refuses a workspace in which a protected directory is a link', async () => {
    mkdirSync(join(fixture.base, 'real'));
    symlinkSync(join(fixture.base, 'real'), join(fixture.workspace, '.gemini'));
    const { refused } = await runScript(fixture, 'echo ran');
    expect(refused).toContain('.gemini is a symbolic link');
  });
});

function as({ user, home }: SandboxFixture) {
  return { uid: user.uid, gid: user.uid, env: { PATH: process.env['PATH'], HOME: home } };
}
