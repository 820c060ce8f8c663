/** Tests reading commands in a workspace with links: those that run unasked show nothing from outside. */
import { spawnSync } from 'node:child_process';
import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { tempFolder } from '../../temp-folder.test-helper.js';
import { parseCommand } from '../parse.js';
import { type ShellContext, workingDirectoriesOf } from '../paths/working-directories.js';
import { isKnownSafe } from './known-safe.js';

const folder = tempFolder();
const home = join(folder.path, 'home');
const root = join(home, 'project');
const CANARY = 'CANARY-OUTSIDE';
const env = { HOME: home, PATH: process.env['PATH'] ?? '', API_KEY: CANARY, PLAIN: 'plain' };
const context: ShellContext = { cwd: root, workspaces: [root], home, env };

beforeAll(() => {
  const write = (path: string, text: string) => {
    mkdirSync(join(path, '..'), { recursive: true });
    writeFileSync(path, text);
  };
  write(join(root, 'src/deep/a.ts'), 'a\n');
  write(join(root, 'a.txt'), 'text\n');
  write(join(root, 'links/list'), `${join(home, 'outside/secret')}\0`);
  write(join(root, 'dashes/-R'), '');
  write(join(root, '.envrc'), CANARY);
  write(join(home, 'outside/secret'), CANARY);
  write(join(home, 'outside/deep/CANARY-OUTSIDE'), CANARY);
  write(join(home, '.ssh/CANARY-OUTSIDE'), CANARY);
  symlinkSync(join(home, 'outside/deep'), join(root, 'links/out'));
  symlinkSync('../../outside/deep', join(root, 'links/relative'));
  symlinkSync('out', join(root, 'links/twice'));
  symlinkSync(join(root, 'src/deep'), join(root, 'inner'));
  symlinkSync('..', join(root, 'src/deep/up'));
  symlinkSync('..', join(root, 'src/up'));
  symlinkSync('..', join(root, 'links/up'));
  symlinkSync('..', join(root, 'src/deep/step'));
  symlinkSync('../links', join(root, 'src/step'));
  symlinkSync('../..', join(root, 'links/step'));
  symlinkSync('../..', join(root, 'links/away'));
});
afterAll(() => folder.cleanup());

async function isSafe(command: string, where: Partial<ShellContext> = {}): Promise<boolean> {
  const parsed = await parseCommand(command);
  if (!parsed) return false;
  const there = { ...context, ...where };
  const directories = workingDirectoriesOf(parsed, there);
  return parsed.commands.every((item) => isKnownSafe(item, there, directories, parsed.assignments));
}

/** Runs the command in a real bash and returns what it prints. */
function shows(command: string, cwd = root): string {
  const { stdout, stderr } = spawnSync('bash', ['-c', command], {
    cwd,
    env,
    encoding: 'utf8',
    timeout: 5_000,
  });
  return stdout + stderr;
}

describe('a command with a path through a link', () => {
  it.each([
    'cat links/out/../secret',
    'cat links/relative/../secret',
    'cat ./links/twice/..//secret',
    'cat links/out/../../outside/secret',
    'head -1 links/up/links/out/../secret',
    'cd links/out/.. && cat secret',
    'cd -P links/out/.. && cat secret',
    'cd links/out; cat ../secret',
    'cd links && cd -P out && cd .. && cat secret',
    'cd links/out && cd -P .. && cat secret',
    'set -P; cd links/out/..; cat secret',
    'set -o physical; cd links/out/..; cat secret',
    'bash -P -c "cd links/out/.. && cat secret"',
    'pushd links/out; cat ../secret',
    '(cd links/out; cat ../secret)',
    'echo $(cd links/out && cat ../secret)',
    'env -C links/out cat ../secret',
    'cat links/o*/../secret',
    'cat links/*/../secret',
    'grep -r CANARY links/out/..',
    'find links/out/.. -type f',
    'ls links/relative/..',
    'cat missing/../a.txt',
    'cat /proc/self/cwd/../outside/secret',
    'cat links/away/outside/secret',
    'sed -n 1p links/out/../secret',
    'cat ~/outside/secret',
    'cat ~+/../outside/secret',
  ])('asks: %s', async (command) => expect(await isSafe(command)).toBe(false));

  it.each([
    'cat inner/../../a.txt',
    'cat inner/a.ts',
    'cat src/deep/up/up/a.txt',
    'cd inner && cat a.ts',
    'cd src && ls',
    'cd src/deep && cat a.ts',
    'cat src/../a.txt',
    'cat src/deep/../../a.txt | grep t | head -3',
    'ls src',
    'cat "$PWD"/a.txt || cat a.txt',
  ])('runs unasked if the path stays inside: %s', async (command) => {
    if (!command.includes('$')) expect(await isSafe(command)).toBe(true);
    expect(shows(command)).not.toContain(CANARY);
  });
});

describe('a command in another working directory', () => {
  const deep = { cwd: join(root, 'src/deep') };
  it.each([
    'for i in 1 2 3; do cd ..; done; cat secret',
    'f() { cd ..; ls; }; f; f; f',
    'while true; do cd ..; ls; done',
    'for i in 1 2 3; do cd step; done; ls',
    'until false; do cd ./step; cat secret; done',
  ])('asks if a cd may run more than once: %s', async (command) =>
    expect(await isSafe(command, deep)).toBe(false),
  );

  it('runs unasked if .. stays inside', async () => {
    expect(await isSafe('cat ../../a.txt', deep)).toBe(true);
    expect(await isSafe('cat ../../../outside/secret', deep)).toBe(false);
  });

  it('is judged by the real path of the directory in the call', async () => {
    expect(await isSafe('ls', { cwd: join(root, 'links/out') })).toBe(false);
    expect(await isSafe('cat ../secret', { cwd: join(root, 'links/out') })).toBe(false);
    expect(await isSafe('cat a.ts', { cwd: join(root, 'inner') })).toBe(true);
  });

  it('is judged by the inherited PWD, too', async () => {
    symlinkSync(root, join(home, 'outside/alias'));
    const named = { env: { ...env, PWD: join(home, 'outside/alias') } };
    expect(await isSafe('cd .. && cat secret', named)).toBe(false);
    expect(await isSafe('cd src && cat deep/a.ts', named)).toBe(true);
    expect(await isSafe('PWD=/proc/self/cwd bash -c "cd src; cat a"')).toBe(false);
  });

  it('is judged by CDPATH, too', async () => {
    mkdirSync(join(home, 'outside/src'));
    expect(await isSafe('cd src && cat x', { env: { ...env, CDPATH: join(home, 'outside') } })).toBe(false);
    expect(await isSafe('cd ./src && cat x', { env: { ...env, CDPATH: join(home, 'outside') } })).toBe(true);
  });
});

describe('a command that may show names or values from outside', () => {
  it.each([
    'ls -LR .',
    'ls -lL links',
    'ls -1RL',
    'ls --dereference links',
    'ls --deref -R',
    'ls links/*',
    'ls -d links/*/*',
    'find -L .',
    'find . -follow',
    'find -L links -type f',
    'grep -R CANARY .',
    'grep -rnR CANARY .',
    'grep --der CANARY .',
    'grep --dereference-r CANARY links',
    'echo ~/.ssh/*',
    'echo ../outside/*',
    'echo links/out/*',
    'echo links/*/*',
    'which /*',
    'expr ~/.s*/* : x',
    '[ -e ~/.ssh/id ]',
    'test -f ../outside/secret',
    '[[ -d /etc/ssl ]]',
    '[ -e "$HOME/.ssh/x" ]',
    'f=~/.ssh/x; [ -e "$f" ]',
    'for f in ../outside/*; do [ -e "$f" ] && echo yes; done',
    'cat .envrc',
    'cat .ENVRC',
    'cat ./.envrc.local',
    'head .e?vrc',
    'bash -O dotglob -c "cat *"',
    'bash -O globstar -c "cat **"',
    'bash -k -c "ls A=b"',
    'stat links/out/../secret',
    'ls links/out/',
    'wc --files0-from=links/list',
    'wc --files0=links/list',
    'cd dashes && ls *',
    'cd dashes && grep x *',
    'grep -flinks/out/../secret x a.txt',
    'grep --file=links/out/../secret a.txt',
    'grep --exclude-from links/out/../secret x a.txt',
    'uniq - b.txt',
    'uniq -- a.txt b.txt',
    'uniq a.txt -c b.txt',
    'export',
    'export -p',
  ])('asks: %s', async (command) => expect(await isSafe(command)).toBe(false));

  it.each([
    'echo ${API_KEY:0:4} ${API_KEY:4}',
    'echo $API_KEY',
    'echo "${API_KEY}"',
    'echo ${API_KEY#C}',
    'echo ${API_KEY%E}',
    'echo ${API_KEY/C/D}',
    'echo ${API_KEY^^}',
    'echo ${API_KEY,,}',
    'n=API_KEY; echo ${!n}',
    'echo ${!API*}',
    'x=$API_KEY; echo $x',
    'x=$API_KEY; y=a$x; echo "$y"',
    'x=$PLAIN; echo ${x:1}',
    'echo ${PLAIN:-${API_KEY:0:3}}',
    'expr substr "$API_KEY" 1 4',
    'echo ${#API_KEY}',
    '[ "$API_KEY" = CANARY ]',
  ])('asks: %s', async (command) => expect(await isSafe(command)).toBe(false));

  it.each([
    'echo src/*',
    'echo *',
    'ls src/*',
    'ls -la src',
    'ls -R src',
    'find . -name "*.ts"',
    'grep -rn text src a.txt',
    'grep -A3 text a.txt',
    '[ -f src/deep/a.ts ]',
    '[ -n "$PLAIN" ]',
    'test -d src',
    'for d in src/*; do [ -f "$d/a.ts" ] && echo $d; done',
    '[ -z "$HOME" ]',
    'wc -l a.txt',
    'wc -l *.txt',
    'echo $PLAIN ${PLAIN} ${PLAIN:-x} ${#PLAIN} $?',
    'for i in 1 2; do echo $i; done',
    'uniq -c a.txt',
    'uniq',
    'bash -lc "ls src"',
    'bash -euo pipefail -c "cat a.txt | head -1"',
    'stat -c %s a.txt',
    'tail -n 3 a.txt',
    'cut -d: -f1 a.txt',
  ])('runs unasked if it shows none: %s', async (command) => {
    expect(await isSafe(command)).toBe(true);
    expect(shows(command)).not.toContain(CANARY);
  });
});

describe('a glob in a folder with links that lead outside', () => {
  const cwd = join(root, 'mixed');
  beforeAll(() => {
    mkdirSync(join(cwd, 'sub'), { recursive: true });
    writeFileSync(join(cwd, 'a.txt'), '');
    writeFileSync(join(cwd, 'sub/b.txt'), '');
    for (const name of ['out', 'Notes.TXT', 'ümlaut']) symlinkSync(join(home, 'outside'), join(cwd, name));
  });

  it.each(['ls a*.txt', 'ls s*', 'cat s*/b.txt', 'cat s*/b.t*', 'wc -l *.md'])(
    'runs unasked if it matches none of them: %s',
    async (command) => {
      expect(await isSafe(command, { cwd })).toBe(true);
    },
  );

  it.each([
    'ls *',
    'ls o*',
    'ls ou?',
    'ls *.txt',
    'ls n*',
    'cat */secret',
    'cat o*/secret',
    'ls [[:alpha:]]ut',
    'ls [!a]*',
    'ls z?t',
    'ls ü*',
    'bash -O extglob -c "ls +(o)*"',
  ])(
    'asks if it matches one of them, or may in another locale or with other settings: %s',
    async (command) => {
      expect(await isSafe(command, { cwd })).toBe(false);
    },
  );
});
