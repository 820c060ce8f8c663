/** Makes repositories whose configuration starts a planted program wherever git allows it. */
import { execFileSync } from 'node:child_process';
import { appendFileSync, chmodSync, cpSync, mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

/** What the workspace's own repository is like: harmless, with a planted submodule, or itself starting programs. */
export type OwnRepository = 'plain' | 'submodule' | 'hostile';

/** The workspace's own repository, and in it bare and nested ones, a `.git` file and a submodule. */
export function plantRepositories(root: string, own: OwnRepository): void {
  const workspace = join(root, 'ws');
  const git = gitOf(root);
  const program = join(workspace, 'planted');

  writeFileSync(join(workspace, '.gitattributes'), '* filter=canary diff=canary\n');
  makeRepository(git, workspace, ['a.txt', 'src', '.gitattributes']);

  for (const name of ['nested', 'mod', 'src/deepnested']) {
    mkdirSync(join(workspace, name));
    writeFileSync(join(workspace, name, 'a.txt'), 'one\n');
    writeFileSync(join(workspace, name, '.gitattributes'), '* filter=canary diff=canary\n');
    makeRepository(git, join(workspace, name), ['.']);
    makeHostile(join(workspace, name, '.git'), program);
    appendFileSync(join(workspace, name, 'a.txt'), 'changed\n');
  }
  if (own === 'submodule') addSubmodule(git, workspace, 'mod');

  plantBare(workspace, program);
  writeFileSync(join(workspace, 'src/sub/.git'), `gitdir: ${join(workspace, 'embedded')}\n`);
  // A descriptor number or an assignment can make these folders HOME.
  for (const path of ['10/.gitconfig', '1/.gitconfig', '.gitconfig', 'git.config', 'src/.gitconfig'])
    writeFileSync(join(workspace, path), hostileConfig(program));
  if (own === 'hostile') makeHostile(join(workspace, '.git'), program);
  appendFileSync(join(workspace, 'a.txt'), 'changed\n');
}

type Git = (directory: string, ...args: string[]) => string;

function gitOf(root: string): Git {
  const env = {
    PATH: process.env['PATH'],
    HOME: join(root, 'home'),
    GIT_AUTHOR_DATE: '2024-01-01T00:00:00Z',
    GIT_COMMITTER_DATE: '2024-01-01T00:00:00Z',
  };
  return (directory, ...args) =>
    execFileSync('git', ['-c', 'init.defaultBranch=main', ...args], {
      cwd: directory,
      env,
      encoding: 'utf8',
    });
}

function makeRepository(git: Git, directory: string, files: readonly string[]): void {
  git(directory, 'init', '-q', '--template=');
  mkdirSync(join(directory, '.git/hooks'), { recursive: true });
  mkdirSync(join(directory, '.git/info'), { recursive: true });
  git(directory, 'add', ...files);
  git(directory, 'commit', '-q', '-m', 'first');
  writeFileSync(join(directory, files.includes('src') ? 'src/b.txt' : 'a.txt'), 'second\n');
  git(directory, 'commit', '-q', '-a', '-m', 'second');
}

function addSubmodule(git: Git, workspace: string, name: string): void {
  const head = git(join(workspace, name), '-c', 'core.fsmonitor=', 'rev-parse', 'HEAD').trim();
  git(workspace, 'update-index', '--add', '--cacheinfo', `160000,${head},${name}`);
  git(workspace, 'commit', '-q', '-m', 'submodule');
}

/** Bare repositories as a clone can contain them: plain folders with the files of a repository. */
function plantBare(workspace: string, program: string): void {
  for (const [name, extra] of [
    ['bare', '\tbare = true\n'],
    ['embedded', `\tbare = false\n\tworktree = ${join(workspace, 'src')}\n`],
    ['10', '\tbare = true\n'],
  ] as const) {
    const directory = join(workspace, name);
    mkdirSync(directory, { recursive: true });
    for (const part of ['HEAD', 'objects', 'refs'])
      cpSync(join(workspace, 'nested/.git', part), join(directory, part), { recursive: true });
    mkdirSync(join(directory, 'info'), { recursive: true });
    writeFileSync(join(directory, 'info/attributes'), '* diff=canary filter=canary\n');
    writeFileSync(
      join(directory, 'config'),
      `[core]\n\trepositoryformatversion = 0\n${extra}${hostileConfig(program)}`,
    );
  }
}

function makeHostile(gitDirectory: string, program: string): void {
  appendFileSync(join(gitDirectory, 'config'), hostileConfig(program));
  rmSync(join(gitDirectory, 'hooks'), { recursive: true, force: true });
  mkdirSync(join(gitDirectory, 'hooks'));
  for (const hook of ['post-index-change', 'fsmonitor-watchman', 'pre-commit', 'reference-transaction']) {
    const path = join(gitDirectory, 'hooks', hook);
    writeFileSync(path, `#!/bin/sh\nexec ${program}\n`);
    chmodSync(path, 0o755);
  }
}

function hostileConfig(program: string): string {
  return [
    '[core]',
    ...['fsmonitor', 'pager', 'editor', 'sshCommand', 'askPass'].map((key) => `\t${key} = ${program}`),
    '[diff]',
    `\texternal = ${program}`,
    '[diff "canary"]',
    ...['textconv', 'command'].map((key) => `\t${key} = ${program}`),
    '[filter "canary"]',
    ...['clean', 'smudge', 'process'].map((key) => `\t${key} = ${program}`),
    '[gpg]',
    `\tprogram = ${program}`,
    '[log]',
    '\tshowSignature = true',
    '[pager]',
    ...['log', 'status', 'diff', 'show', 'branch'].map((key) => `\t${key} = ${program}`),
    '[alias]',
    `\tst = !${program}`,
    '',
  ].join('\n');
}
