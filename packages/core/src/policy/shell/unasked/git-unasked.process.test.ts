/** Tests git commands that run unasked, on real repositories with planted programs: none of the planted programs runs. */
import { execFileSync, spawnSync } from 'node:child_process';
import {
  chmodSync,
  cpSync,
  existsSync,
  mkdirSync,
  renameSync,
  rmSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { tempFolder } from '../../temp-folder.test-helper.js';
import { parseCommand } from '../parse.js';
import { type ShellContext, workingDirectoriesOf } from '../paths/working-directories.js';
import { isKnownSafe } from './known-safe.js';

const folder = tempFolder();
const home = join(folder.path, 'home');
const root = join(home, 'project');
const marker = join(folder.path, 'planted-program-ran');
const planted = join(folder.path, 'planted');
const env = {
  HOME: home,
  PATH: process.env['PATH'] ?? '',
  GIT_CONFIG_NOSYSTEM: '1',
  GIT_AUTHOR_NAME: 'a',
  GIT_AUTHOR_EMAIL: 'a@b',
  GIT_COMMITTER_NAME: 'a',
  GIT_COMMITTER_EMAIL: 'a@b',
};
const context: ShellContext = { cwd: root, workspaces: [root], home, env };
const git = (args: string[], cwd = root) => execFileSync('git', args, { cwd, env, stdio: 'pipe' });
const at = (...names: string[]) => join(root, ...names);

const template = join(folder.path, 'template');

beforeAll(() => {
  mkdirSync(at('sub/deep'), { recursive: true });
  writeFileSync(planted, `#!/bin/sh\ntouch ${marker}\ncat\n`);
  chmodSync(planted, 0o755);
  git(['init', '-q', '-b', 'main']);
  writeFileSync(at('a.txt'), 'one\n');
  writeFileSync(at('.gitattributes'), '*.txt diff=evil filter=evil\n');
  git(['add', '.']);
  git(['commit', '-qm', 'one']);
  renameSync(home, template);
});
beforeEach(() => {
  cpSync(template, home, { recursive: true });
  writeFileSync(at('a.txt'), 'two\n');
});
afterEach(() => {
  rmSync(home, { recursive: true, force: true });
  rmSync(marker, { force: true });
});
afterAll(() => folder.cleanup());

async function isSafe(command: string, where: Partial<ShellContext> = {}): Promise<boolean> {
  const parsed = await parseCommand(command);
  if (!parsed) return false;
  const there = { ...context, ...where };
  const directories = workingDirectoriesOf(parsed, there);
  return parsed.commands.every((item) => isKnownSafe(item, there, directories, parsed.assignments));
}

/** In a plain environment, without the shell tool's protections. */
function runs(command: string, cwd = root): boolean {
  spawnSync('bash', ['-c', command], { cwd, env, timeout: 10_000 });
  return existsSync(marker);
}

const EVERYDAY = [
  'git status',
  'git status --short --branch',
  'git status -sb',
  'git diff',
  'git diff HEAD -- a.txt',
  'git diff --stat HEAD',
  'git diff --cached --name-only',
  'git log --oneline -5',
  'git log -p -1',
  'git log --graph --all --decorate --format="%h %s" -n 3',
  'git log --since=yesterday --author=a -- a.txt',
  'git show HEAD',
  'git show HEAD:a.txt',
  'git show --stat --format=%H HEAD',
  'git branch -a',
  'git branch --show-current',
  'git --no-pager log -3',
  'cd sub && git status',
  'cd sub/deep && git log -1',
];

describe('git in the workspace repository', () => {
  it.each(EVERYDAY)('runs unasked: %s', async (command) => {
    expect(await isSafe(command)).toBe(true);
    expect(runs(command)).toBe(false);
  });

  it('runs unasked if the repository is in a parent folder or has commit hooks', async () => {
    git(['config', 'core.hooksPath', '.husky']);
    mkdirSync(at('.husky'));
    cpSync(planted, at('.husky/pre-commit'));
    expect(await isSafe('git status', { cwd: at('sub'), workspaces: [at('sub')] })).toBe(true);
    expect(runs('git status; git diff; git log -p; git show')).toBe(false);
  });

  it('runs unasked with filters and drivers from the settings of the user', async () => {
    writeFileSync(join(home, '.gitconfig'), '[filter "lfs"]\n\tclean = cat\n');
    expect(await isSafe('git status')).toBe(true);
  });

  it('runs unasked in a worktree that the main repository knows', async () => {
    git(['worktree', 'add', '-q', join(home, 'tree')]);
    const tree = { cwd: join(home, 'tree'), workspaces: [join(home, 'tree')] };
    expect(await isSafe('git status', tree)).toBe(true);
    expect(await isSafe('git log -p', tree)).toBe(true);
    writeFileSync(at('.git/worktrees/tree/gitdir'), `${at('elsewhere/.git')}\n`);
    expect(await isSafe('git status', tree)).toBe(false);
  });

  it('runs unasked without a repository', async () => {
    rmSync(at('.git'), { recursive: true });
    expect(await isSafe('git status')).toBe(true);
  });

  it('runs unasked with submodules whose settings start nothing', async () => {
    const source = join(home, 'source');
    mkdirSync(source);
    git(['init', '-q'], source);
    git(['commit', '-q', '--allow-empty', '-m', 'x'], source);
    git(['-c', 'protocol.file.allow=always', 'submodule', '--quiet', 'add', source, 'module']);
    expect(await isSafe('git status')).toBe(true);
    expect(await isSafe('cd module && git status')).toBe(false);
    expect(await isSafe('git status', { cwd: at('module'), workspaces: [at('module')] })).toBe(true);
    git(['config', 'core.fsmonitor', planted], at('module'));
    expect(runs('git status')).toBe(true);
    expect(await isSafe('git status')).toBe(false);
  });
});

describe('git in another repository', () => {
  it.each(['git log -p -1', 'git show', 'git diff HEAD', 'git status', 'git branch'])(
    'asks in a folder that looks like a bare repository: cd x && %s',
    async (command) => {
      git(['clone', '-q', '--bare', '.', 'x']);
      git(['config', 'diff.external', planted], at('x'));
      expect(await isSafe(`cd x && ${command}`)).toBe(false);
      expect(await isSafe(command, { cwd: at('x') })).toBe(false);
      mkdirSync(at('x/inside/it'), { recursive: true });
      expect(await isSafe(command, { cwd: at('x/inside/it') })).toBe(false);
      symlinkSync('x', at('link'));
      expect(await isSafe(`cd link && ${command}`)).toBe(false);
      expect(await isSafe(`cd -P sub/../link/inside && ${command}`)).toBe(false);
    },
  );

  it('asks in an incomplete repository', async () => {
    mkdirSync(at('y/refs'), { recursive: true });
    writeFileSync(at('y/HEAD'), 'ref: refs/heads/k\n');
    expect(await isSafe('cd y && git show')).toBe(false);
  });

  it('asks in a nested repository, also behind a .git file or a link', async () => {
    mkdirSync(at('nested'));
    git(['init', '-q'], at('nested'));
    expect(await isSafe('cd nested && git status')).toBe(false);
    renameSync(at('nested/.git'), at('nested/store'));
    writeFileSync(at('nested/.git'), 'gitdir: store\n');
    expect(await isSafe('cd nested && git status')).toBe(false);
    rmSync(at('nested/.git'));
    symlinkSync('store', at('nested/.git'));
    expect(await isSafe('cd nested && git status')).toBe(false);
  });

  it('asks in the workspace itself if its .git file leads elsewhere', async () => {
    renameSync(at('.git'), at('store'));
    writeFileSync(at('.git'), 'gitdir: store\n');
    expect(await isSafe('git status')).toBe(false);
  });

  it('asks if the index names a nested repository that starts programs', async () => {
    mkdirSync(at('embedded'));
    git(['init', '-q'], at('embedded'));
    git(['commit', '-q', '--allow-empty', '-m', 'x'], at('embedded'));
    git(['add', 'embedded']);
    expect(await isSafe('git status')).toBe(true);
    git(['config', 'core.fsmonitor', planted], at('embedded'));
    expect(runs('git status')).toBe(true);
    for (const version of ['2', '4']) {
      git(['update-index', '--index-version', version]);
      expect(await isSafe('git status')).toBe(false);
    }
  });

  it('asks with a split index, and reads an index with SHA-256 hashes', async () => {
    git(['update-index', '--split-index']);
    expect(await isSafe('git status')).toBe(false);
    const long = join(home, 'long');
    mkdirSync(join(long, 'embedded'), { recursive: true });
    for (const path of [join(long, 'embedded'), long]) {
      git(['init', '-q', '--object-format=sha256'], path);
      git(['commit', '-q', '--allow-empty', '-m', 'x'], path);
    }
    git(['add', 'embedded'], long);
    const where = { cwd: long, workspaces: [long] };
    expect(await isSafe('git status', where)).toBe(true);
    git(['config', 'core.fsmonitor', planted], join(long, 'embedded'));
    expect(await isSafe('git status', where)).toBe(false);
  });

  it('asks if an environment variable chooses the repository', async () => {
    expect(await isSafe('git status', { env: { ...env, GIT_DIR: '/x' } })).toBe(false);
  });
});

describe('git with repository settings that start programs', () => {
  it.each([
    ['diff.external', planted],
    ['diff.evil.command', planted],
    ['diff.evil.textconv', planted],
    ['DIFF.evil.TextConv', planted],
    ['filter.evil.clean', planted],
    ['filter.evil.process', planted],
    ['core.fsmonitor', planted],
    ['core.sshCommand', planted],
    ['core.pager', planted],
    ['pager.log', planted],
    ['core.attributesFile', planted],
    ['core.worktree', '/'],
    ['include.path', '../evil'],
    ['includeIf.gitdir:/.path', '../evil'],
    ['gpg.program', planted],
    ['gpg.ssh.program', planted],
    ['log.showSignature', 'true'],
    ['merge.evil.driver', planted],
    ['alias.x', `!${planted}`],
    ['remote.origin.promisor', 'true'],
    ['extensions.partialClone', 'origin'],
    ['protocol.ext.allow', 'always'],
    ['diff.submodule', 'diff'],
    ['core.alternateRefsCommand', planted],
  ])('asks for the setting %s', async (name, value) => {
    git(['config', name, value]);
    for (const command of ['git status', 'git diff', 'git log -p']) expect(await isSafe(command)).toBe(false);
  });

  it.each([
    '[core] fsmonitor = ./p\n',
    '[a][core]fsmonitor=./p\n',
    '\ufeff[core]\n\tfsmonitor = ./p\n',
    '[CORE]\r\nFsMonitor = ./p\r\n',
    '[x]\n\tk = a\\\n[y]\n',
    '[diff "a]b"] textconv = ./p\n',
    '[diff.evil]\n textconv = ./p\n',
    '[core]\n\tfsmonitor = "./p" ; yes\n',
    '[core]\n\tfsmonitor = 10\n',
    'not a setting at all\n',
  ])('asks for the configuration %j', async (text) => {
    writeFileSync(at('.git/config'), text, { flag: 'a' });
    expect(await isSafe('git status')).toBe(false);
  });

  it('asks also if only the worktree has them', async () => {
    git(['config', 'extensions.worktreeConfig', 'true']);
    git(['config', '--worktree', 'diff.external', planted]);
    expect(await isSafe('git diff')).toBe(false);
  });

  it('is told apart from git with harmless settings', async () => {
    for (const [name, value] of [
      ['core.fsmonitor', 'false'],
      ['remote.origin.url', 'https://example.org/a.git'],
      ['remote.origin.fetch', '+refs/heads/*:refs/remotes/origin/*'],
      ['branch.main.remote', 'origin'],
      ['user.name', 'a # b'],
      ['diff.renames', 'true'],
      ['pager.branch', 'false'],
      ['lfs.repositoryformatversion', '0'],
      ['pull.rebase', 'true'],
    ] as const)
      git(['config', name, value]);
    expect(await isSafe('git status')).toBe(true);
  });
});

it('git asks if core.hooksPath of the user leads to a hook of the project', async () => {
  writeFileSync(join(home, '.gitconfig'), '[core]\n\thooksPath = .githooks\n');
  mkdirSync(at('.githooks'));
  expect(await isSafe('git status')).toBe(true);
  cpSync(planted, at('.githooks/post-index-change'));
  expect(await isSafe('git status')).toBe(false);
});

it('git status asks if refreshing the index runs a hook', async () => {
  const touched = new Date(Date.now() - 60_000);
  git(['add', 'a.txt']);
  git(['config', 'core.hooksPath', '.husky']);
  mkdirSync(at('.husky'));
  expect(await isSafe('git status')).toBe(true);
  cpSync(planted, at('.husky/post-index-change'));
  utimesSync(at('a.txt'), touched, touched);
  expect(runs('git status')).toBe(true);
  expect(await isSafe('git status')).toBe(false);
  for (const value of ['"./.husky"', '".hus\\\\ky" # a']) {
    writeFileSync(at('.git/config'), `[core]\n\thooksPath = ${value}\n`);
    expect(await isSafe('git status')).toBe(false);
  }
});

describe('a git option that does more than show', () => {
  it.each([
    'git diff --ext-diff',
    'git diff --ext-d',
    'git log -p --ext',
    'git show --textconv',
    'git show --textc',
    'git diff --output=x',
    'git diff --outp x',
    'git log --output=x -p',
    'git diff -o x',
    'git diff --no-index a.txt /etc/passwd',
    'git diff --no-ind a.txt sub',
    'git log --show-signature',
    'git log --show-sig',
    'git log --format=%G?',
    'git log --pretty="%h %GG"',
    'git branch --format="%(signature)"',
    'git diff -Oorder',
    'git diff -O order',
    'git --paginate log',
    'git -p log',
    'git --git-dir=x log',
    'git --git-dir x log',
    'git --work-tree=/ status',
    'git -C sub status',
    'git -c core.pager=x log',
    'git --exec-path=. status',
    'git --config-env=a=b log',
    'git --bare log',
    'git log --remerge-diff',
    'git log --diff-merges=remerge -p',
    'git diff --submodule=diff',
    'git log --stdin',
    'git branch new',
    'git branch -d main',
    'git branch -m x',
    'git branch --edit-description',
    'git branch -- x',
    'git show HEAD:.env',
    'git show :0:.env',
    'git show :.envrc',
    'git diff -- ":(top).env"',
    'git log -L1,2:.env',
    'git diff /etc/passwd a.txt',
    'git log $X',
    'git diff *',
    'git stash',
    'git fetch',
  ])('asks: %s', async (command) => expect(await isSafe(command)).toBe(false));
});
