import { execFileSync } from 'node:child_process';
import {
  appendFileSync,
  chmodSync,
  existsSync,
  mkdirSync,
  readdirSync,
  rmSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { tempDir } from '@gemini-cli/test-utils';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { GitError, runGit } from './git.js';

let dir: ReturnType<typeof tempDir>;
const at = (...names: string[]) => join(dir.path, ...names);
const repo = () => at('repo');
const identity = { name: 'Test', email: 'test@example.com' };

/** Plain git, without the settings of this machine. */
function plainGit(...args: string[]): string {
  return gitIn(repo(), ...args);
}

function gitIn(cwd: string, ...args: string[]): string {
  return execFileSync('git', args, {
    cwd,
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'ignore'],
    env: {
      PATH: process.env['PATH'],
      HOME: at('home'),
      GIT_CONFIG_NOSYSTEM: '1',
      GIT_CONFIG_GLOBAL: '/dev/null',
      GIT_AUTHOR_NAME: 'T',
      GIT_AUTHOR_EMAIL: 't@example.com',
      GIT_COMMITTER_NAME: 'T',
      GIT_COMMITTER_EMAIL: 't@example.com',
    },
  });
}

/** A program that leaves a mark, then behaves like `cat`. */
function trap(name: string): string {
  const path = at('traps', name);
  writeFileSync(path, `#!/bin/sh\n: > '${at('marks', name)}'\ncat 2>/dev/null\n`);
  chmodSync(path, 0o755);
  return path;
}

const user = { variables: process.env };
const config = (text: string) => appendFileSync(at('repo', '.git', 'config'), `\n${text}\n`);
const attributes = (text: string) => appendFileSync(at('repo', '.gitattributes'), `${text}\n`);
const marks = () => readdirSync(at('marks'));

beforeEach(() => {
  dir = tempDir('git-');
  for (const folder of ['repo', 'home', 'traps', 'marks']) mkdirSync(at(folder));
  plainGit('init', '-q');
  writeFileSync(at('repo', 'file.txt'), 'one\n');
  plainGit('add', '.');
  plainGit('commit', '-qm', 'first');
  // Changed, but of the same size: git must read the content to know.
  writeFileSync(at('repo', 'file.txt'), 'two\n');
  utimesSync(at('repo', 'file.txt'), new Date(0), new Date(0));
});
afterEach(() => {
  vi.unstubAllEnvs();
  dir.cleanup();
});

/** All git commands that we run in a user's repository. */
async function everything(): Promise<void> {
  const run = (args: string[]) => runGit(args, { ...user, cwd: repo(), identity });
  const reading = [
    ['status', '--porcelain'],
    ['diff'],
    ['diff', 'HEAD'],
    ['log', '-p', '-1'],
    ['show', 'HEAD'],
    ['ls-files', '-m'],
    ['hash-object', '--path=file.txt', 'file.txt'],
    ['branch', '--show-current'],
    ['remote', 'get-url', 'origin'],
  ];
  await Promise.all(reading.map(run));
  for (const args of [
    ['add', '.'],
    ['commit', '-qm', 'second'],
    ['checkout-index', '-f', '-a'],
  ])
    await run(args);
}

const hook = (name: string) => {
  writeFileSync(at('repo', '.git', 'hooks', name), `#!/bin/sh\n: > '${at('marks', name)}'\n`, {
    mode: 0o755,
  });
};

/** Each configures a program and names a plain git command that would run it. */
const TRICKS: [string, () => string[] | undefined][] = [
  [
    'fsmonitor',
    () => {
      config(`[core]\nfsmonitor = ${trap('fsmonitor')}`);
      return ['status'];
    },
  ],
  [
    'hooks',
    () => {
      mkdirSync(at('repo', '.git', 'hooks'), { recursive: true });
      for (const name of ['pre-commit', 'post-commit', 'post-index-change', 'reference-transaction'])
        hook(name);
      return ['commit', '-qam', 'x'];
    },
  ],
  [
    'hooksPath',
    () => {
      mkdirSync(at('repo', 'evil'));
      writeFileSync(at('repo', 'evil', 'pre-commit'), `#!/bin/sh\n: > '${at('marks', 'h')}'\n`, {
        mode: 0o755,
      });
      config('[core]\nhooksPath = evil');
      return ['commit', '-qam', 'x'];
    },
  ],
  [
    'an external diff',
    () => {
      config(`[diff]\nexternal = ${trap('external')}`);
      return ['diff'];
    },
  ],
  [
    'a diff driver',
    () => {
      attributes('*.txt diff=d');
      config(`[diff "d"]\ncommand = ${trap('driver')}`);
      return ['diff'];
    },
  ],
  [
    'textconv',
    () => {
      attributes('*.txt diff=d');
      config(`[diff "d"]\ntextconv = ${trap('textconv')}`);
      return ['diff'];
    },
  ],
  [
    'a clean filter',
    () => {
      attributes('*.txt filter=f');
      config(`[filter "f"]\nclean = ${trap('clean')}\nrequired = true`);
      return ['diff'];
    },
  ],
  [
    'a filter with an odd name',
    () => {
      attributes('*.txt filter=a.b=c');
      config(`[filter "a.b=c"]\nclean = ${trap('odd')}\nsmudge = ${trap('odd-smudge')}`);
      return ['diff'];
    },
  ],
  [
    'a filter process',
    () => {
      attributes('*.txt filter=p');
      config(`[filter "p"]\nprocess = ${trap('process')}`);
      return ['add', '.'];
    },
  ],
  [
    'an included file',
    () => {
      writeFileSync(
        at('repo', 'more.cfg'),
        `[core]\nfsmonitor = ${trap('included')}\n[filter "i"]\nclean = ${trap('i')}\n`,
      );
      attributes('*.txt filter=i');
      config(
        `[include]\npath = ${at('repo', 'more.cfg')}\n[includeIf "gitdir:**"]\npath = ${at('repo', 'more.cfg')}`,
      );
      return ['status'];
    },
  ],
  [
    'a pager',
    () => {
      config(`[core]\npager = ${trap('pager')}\n[pager]\nlog = ${trap('pager-log')}\nstatus = true`);
      return undefined;
    },
  ],
  [
    'an alias of a known command',
    () => {
      config(`[alias]\nstatus = !${trap('alias')}\nzz = !${trap('zz')}`);
      return ['zz'];
    },
  ],
  [
    'signatures',
    () => {
      config(`[commit]\ngpgSign = true\n[gpg]\nprogram = ${trap('gpg')}\n[log]\nshowSignature = true`);
      return ['commit', '-qam', 'x'];
    },
  ],
  [
    'an editor',
    () => {
      config(`[core]\neditor = ${trap('editor')}`);
      return ['commit', '-qa'];
    },
  ],
];

describe.skipIf(process.platform === 'win32')('git in a hostile repository', () => {
  it.each(TRICKS)('does not run %s', async (_name, set) => {
    const springs = set();
    if (springs) {
      try {
        plainGit(...springs);
      } catch {
        // The program may break the command; only its mark counts.
      }
      expect(marks()).not.toEqual([]);
      rmSync(at('marks'), { recursive: true });
      mkdirSync(at('marks'));
      writeFileSync(at('repo', 'file.txt'), 'six\n');
      utimesSync(at('repo', 'file.txt'), new Date(0), new Date(0));
    }
    await everything();
    expect(marks()).toEqual([]);
  });

  it('does not fetch missing objects', async () => {
    config(
      `[core]\nrepositoryformatversion = 1\nsshCommand = ${trap('ssh')}\n[extensions]\npartialClone = origin\n` +
        `[protocol "ext"]\nallow = always\n[remote "origin"]\nurl = ext::${trap('ext')}\npromisor = true\nuploadpack = ${trap('pack')}`,
    );
    const missing = '1'.repeat(40);
    const { exitCode } = await runGit(['cat-file', '-p', missing], { ...user, cwd: repo() });
    expect([exitCode === 0, marks()]).toEqual([false, []]);
  });

  it('does not read submodules', async () => {
    const inner = at('repo', 'inner');
    mkdirSync(inner);
    gitIn(inner, 'init', '-q');
    gitIn(inner, 'commit', '-q', '--allow-empty', '-m', 'x');
    plainGit('add', 'inner');
    appendFileSync(join(inner, '.git', 'config'), `[core]\nfsmonitor = ${trap('submodule')}\n`);
    await runGit(['status', '--porcelain'], { ...user, cwd: repo() });
    await runGit(['diff'], { ...user, cwd: repo() });
    expect(marks()).toEqual([]);
  });

  it('ignores a bare repository among the files', async () => {
    const bare = at('repo', 'bare');
    mkdirSync(bare);
    gitIn(bare, 'init', '-q', '--bare');
    appendFileSync(
      join(bare, 'config'),
      `[core]\nfsmonitor = ${trap('bare')}\nworktree = ${repo()}\nbare = false\n`,
    );
    await runGit(['status'], { ...user, cwd: bare }).catch((error) => expect(error).toBeInstanceOf(GitError));
    expect(marks()).toEqual([]);
  });

  it('refuses a repository that claims files elsewhere', async () => {
    config(`[core]\nworktree = ${at('home')}`);
    await expect(runGit(['status'], { ...user, cwd: repo() })).rejects.toThrow(/elsewhere \(core.worktree\)/);
  });

  it('ignores variables of the environment and passes on no secret', async () => {
    vi.stubEnv('GIT_EXTERNAL_DIFF', trap('variable'));
    vi.stubEnv('GIT_SSH_COMMAND', trap('ssh-variable'));
    vi.stubEnv('GIT_DIR', at('home'));
    vi.stubEnv('GEMINI_API_KEY', 'secret');
    const { stdout } = await runGit(['diff'], { ...user, cwd: repo() });
    expect(stdout).toContain('+two');
    expect(marks()).toEqual([]);
  });
});

describe('git for our own use', () => {
  it('reads and writes as usual, also with a separate repository folder', async () => {
    expect((await runGit(['status', '--porcelain'], { ...user, cwd: repo() })).stdout).toBe(' M file.txt\n');
    const own = { ...user, cwd: repo(), gitDir: at('own'), workTree: repo(), identity };
    for (const args of [
      ['init', '-q'],
      ['add', 'file.txt'],
      ['commit', '-qm', 'kept'],
    ])
      expect((await runGit(args, own)).exitCode).toBe(0);
    expect((await runGit(['show', 'HEAD:file.txt'], own)).stdout).toBe('two\n');
    expect(existsSync(at('own', 'HEAD'))).toBe(true);
  });

  it('refuses commands that are not on the list of safe ones', async () => {
    for (const command of ['clone', 'fetch', 'push', 'submodule', 'difftool', 'zz', '-c', ''])
      await expect(runGit([command], { ...user, cwd: repo() })).rejects.toThrow('not among the commands');
  });

  it('finds all filters, even with a small output limit', async () => {
    attributes('*.txt filter=f');
    config(`[filter "f"]\nclean = ${trap('clean')}`);
    const { stdout } = await runGit(['diff'], { ...user, cwd: repo(), maxOutputBytes: 4 });
    expect([stdout, marks()]).toEqual([expect.stringMatching(/^.{4}$/s), []]);
  });

  it('returns the output and exit code of git', async () => {
    const { exitCode, stderr } = await runGit(['rev-parse', 'no-such-thing'], { ...user, cwd: repo() });
    expect([exitCode, stderr.includes('no-such-thing')]).toEqual([128, true]);
  });
});
