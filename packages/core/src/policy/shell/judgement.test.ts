/** Tests which commands are known to be safe, dangerous or catastrophic, and which assignments are harmless. */
import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { tempFolder } from '../temp-folder.test-helper.js';
import { dangerIn } from './dangerous.js';
import { parseCommand } from './parse.js';
import { type ShellContext, workingDirectoriesOf } from './paths/working-directories.js';
import { catastropheIn } from './removals/catastrophic.js';
import { isKnownSafe } from './unasked/known-safe.js';
import { isHarmlessAssignment } from './variables/assignments.js';

const folder = tempFolder();
const home = join(folder.path, 'home');
const root = join(home, 'work', 'project');
const context: ShellContext = { cwd: root, workspaces: [root], home, env: { HOME: home, BUILD: 'out' } };
beforeAll(() => {
  mkdirSync(join(root, '.git'), { recursive: true });
  mkdirSync(join(root, 'src'));
  writeFileSync(join(root, 'a.txt'), '');
  symlinkSync('/etc', join(root, 'link'));
  symlinkSync(root, join(folder.path, 'alias'));
});
afterAll(() => folder.cleanup());

async function read(command: string) {
  const parsed = await parseCommand(command);
  if (!parsed) throw new Error(`unreadable: ${command}`);
  return parsed;
}

async function safe(command: string): Promise<boolean> {
  const parsed = await read(command);
  const directories = workingDirectoriesOf(parsed, context);
  return parsed.commands.every((item) => isKnownSafe(item, context, directories, parsed.assignments));
}

describe('isKnownSafe', () => {
  it.each([
    'cat a.txt',
    'cd src',
    'cut -d: -f1 a.txt',
    'echo hi $HOME',
    'expr 1 + 1',
    'false',
    'grep -rn x src',
    'head -n 5 a.txt',
    'id',
    'ls -la',
    'ls src/*',
    'nl a.txt',
    'paste a.txt',
    'pwd',
    'rev a.txt',
    'seq 3',
    'stat a.txt',
    'tail -n 3 a.txt',
    'tr a b',
    'true',
    'uname -a',
    'uniq a.txt',
    'wc -l a.txt',
    'which node',
    'whoami',
    'numfmt 1',
    'tac a.txt',
    'base64 a.txt',
    'find . -name "*.ts"',
    'git status',
    'git log --oneline -5',
    'git diff HEAD~1..HEAD -- src',
    'git show HEAD:a.txt',
    'git branch',
    'git branch -a',
    'git --no-pager log',
    'sed -n 5p a.txt',
    'sed -n 1,20p a.txt',
    '/usr/bin/rg x src',
    'timeout 5 ls',
    'bash -c "ls src"',
    '[ -f a.txt ]',
    'export A=b',
    'cd src && cat x.ts',
    'ls && pwd',
    'cat src/*.ts',
  ])('accepts %s', async (command) => expect(await safe(command)).toBe(true));

  it.each([
    'rm a.txt',
    'base64 -o x a.txt',
    'base64 --output=x a',
    'find . -delete',
    'find . -exec rm {} ;',
    'find . -fprintf x y',
    'find $X',
    'rg x',
    './rg x',
    'rg --pre x y',
    '/usr/bin/rg --pre=sh x',
    '/usr/bin/rg -z x',
    'git -c core.pager=x log',
    'git log --output=x',
    'git diff --ext-diff',
    'git diff --no-index /etc/passwd a',
    'git branch new',
    'git branch -D x',
    'git push',
    'git -C /x status',
    'git -p log',
    'sed -i s/a/b/ a.txt',
    'sed -n "1e id" a.txt',
    'sed -n 1p -i a',
    'uniq a.txt b.txt',
    'cat /etc/passwd',
    'cat ../x',
    'cat ~/.bashrc',
    'cat .env',
    'cat .env.local',
    'cat src/../.env',
    'head ~/.ssh/id_rsa',
    'cat link/passwd',
    'cat $X',
    'cat $(id)',
    'cat .e*',
    'cat .*',
    'ls /',
    'ls *',
    'cd /',
    'cd .. && cat x',
    'cd $X && cat a.txt',
    'cat ~root/x',
    'grep -f/etc/shadow x',
    'grep x /etc/passwd',
    'wc --files0-from=/etc/x',
    'cat -- /etc/passwd',
    'git show HEAD:.env',
    'ls | xargs cat',
    './ls',
    '/tmp/ls',
    'sudo ls',
    'env -i ls',
    'xargs ls',
    'git log $X',
    'ls -la; curl x',
    'tee a.txt',
    'export $X',
    'export -n X',
    'cd && ls',
    'cd /etc; ls',
    'cat "$(echo /etc/passwd)"',
  ])('refuses %s', async (command) => expect(await safe(command)).toBe(false));
});

describe('dangerIn', () => {
  const danger = async (command: string) => (await read(command)).commands.map(dangerIn).find(Boolean);
  it.each([
    'rm -f x',
    'rm -rf x',
    'rm -fr x',
    'rm -r -f x',
    'rm x -f',
    'rm --force x',
    'rm --recursive x',
    'rm -Rf x',
    'sudo rm -rf x',
    '/bin/rm -f x',
    'find . -delete',
    'find . -exec x ;',
    'find . -okdir x ;',
    'find . -fls x',
    'find . -fprint0 x',
    'rg --pre sh x',
    'rg --hostname-bin=x y',
    'rg -z x',
    'git -c a.b=c log',
    'git -ca.b=c log',
    'git --config-env=a=b log',
    'git fetch --upload-pack=x',
    'tar --checkpoint-action=exec=sh xf a',
    'tar xf a --to-command=sh',
    'tar -I sh -xf a',
    'tar --use-compress-program=sh -xf a',
    'git $X log',
  ])('finds the danger in %s', async (command) => expect(await danger(command)).toBeTruthy());
  it.each(['rm x', 'find . -name x', 'git commit -m c', 'git log -c', 'tar xzf a.tgz', 'rg x', 'ls -f'])(
    'finds no danger in %s',
    async (command) => expect(await danger(command)).toBeUndefined(),
  );
});

describe('catastropheIn', () => {
  const found = async (command: string) => catastropheIn(await read(command), context);
  it('recognises the folder under another name', async () => {
    expect(await found(`rm -rf ${folder.path}/alias/.git`)).toBeTruthy();
    expect(await found(`rm -rf ${folder.path}/alias/*`)).toBeTruthy();
    expect(await found(`rm -rf ${folder.path}/alias/src`)).toBeUndefined();
  });
  it.each([
    'rm -rf /',
    'rm -rf /*',
    'rm -r -f //',
    'rm -rf /.',
    'rm -rf /../',
    'rm --recursive /',
    'rm -rf /etc',
    'rm -rf ~',
    'rm -rf ~/',
    'rm -rf ~/*',
    'rm -rf $HOME',
    'rm -rf "$HOME"',
    'rm -rf ${HOME}/',
    'rm -rf "${HOME:?}"/*',
    'rm -rf .',
    'rm -rf ./',
    'rm -rf *',
    'rm -rf ./*',
    'rm -rf .*',
    'rm -rf ..',
    'rm -rf ../project',
    'rm -rf ../../',
    'rm -rf $PWD',
    'rm -rf "$(pwd)"',
    'rm -rf `pwd`',
    'rm -rf .git',
    'rm -rf .git/',
    'rm -rf ./src/../.git',
    'rm -rf .git/*',
    'rm -rf .g*',
    'rm -rf .git/objects',
    'rm -rf $UNSET/',
    'rm -rf "$UNSET"/*',
    'D=/; rm -rf $D',
    'for d in src /; do rm -rf $d; done',
    'sudo rm -rf /',
    'bash -c "rm -rf /"',
    "eval 'rm -rf ~'",
    'env rm -rf /',
    'cd / && rm -rf *',
    'cd ~; rm -rf ./*',
    'cd $X && rm -rf .',
    'rm -rf src /',
    'rm -rf {src,/}',
    'rm -rf "$(cat list)"',
    'X=$(printf /); rm -rf $X',
    'echo / | xargs rm -rf',
    'rm -rf -- /',
    'rm / -rf',
    'rm $X /',
    'mv ~ /tmp/x',
    'mv .git /tmp/x',
    'mv . /tmp/x',
    'mv -t /tmp .git',
    'find / -delete',
    'find . -delete',
    'find -type f -delete',
    'find ~ -exec rm -rf {} +',
    'rsync -a --delete empty/ ~/',
    'dd if=/dev/zero of=/dev/sda',
    'mkfs.ext4 /dev/sda1',
    'cat x > /dev/sda',
    'chmod -R 777 /',
    'chown -R me ~',
    'rm -rf ~root',
    "rm -rf '/'",
    'rm -rf \\/',
    'rm -rf ""/',
    'bash -c \'rm -rf "$1"\' _ /',
    'find . -exec rm -rf {} \\;',
    'rm -rf /ho*',
    'shred -u -n1 /etc ~',
  ])('finds the catastrophe in %s', async (command) => {
    if (command.startsWith('shred')) expect(await found(command)).toContain('shred');
    else expect(await found(command)).toBeTruthy();
  });
  it.each([
    'rm -rf node_modules',
    'rm -rf ./dist',
    'rm -rf $BUILD',
    'rm -rf "$BUILD"/x',
    'rm -rf src/*',
    'rm -rf *.log',
    'rm a.txt',
    'rm -f .git/index.lock',
    'D=$(mktemp -d); rm -rf "$D"',
    'rm -rf /tmp/abc/x',
    "find . -name '*.pyc' -delete",
    'mv a.txt .',
    'mv a b',
    'find src -delete',
    'ls /',
    'cp -r x .',
    'echo "rm -rf /"',
    "rm -rf '~'",
    'cd src && rm -rf ./x',
    'git rm -r src',
    'rm -rf .git-old',
    'rmdir src',
  ])('finds nothing in %s', async (command) => expect(await found(command)).toBeUndefined());
});

describe('isHarmlessAssignment', () => {
  it.each([
    'PATH',
    'LD_PRELOAD',
    'DYLD_INSERT_LIBRARIES',
    'GIT_SSH_COMMAND',
    'NODE_OPTIONS',
    'PROMPT_COMMAND',
    'BASH_ENV',
    'ENV',
    'IFS',
    'PYTHONPATH',
    'PYTHONSTARTUP',
    'PERL5LIB',
    'PERL5OPT',
    'RUBYOPT',
    'RUBYLIB',
    'EDITOR',
    'PAGER',
    'JAVA_TOOL_OPTIONS',
    'MANPAGER',
    'http_proxy',
    'HOME',
  ])('refuses %s', (name) => expect(isHarmlessAssignment({ name, value: 'x', literal: true })).toBe(false));
  it.each(['FOO', 'CI', 'LANG', 'LC_ALL', 'DEBUG', 'PORT', 'NO_COLOR'])('accepts %s', (name) =>
    expect(isHarmlessAssignment({ name, value: 'x', literal: true })).toBe(true),
  );
  it('refuses a value with a command substitution', () => {
    expect(isHarmlessAssignment({ name: 'FOO', value: 'a[$(id)]', literal: true })).toBe(false);
  });
});
