/** Commands that look harmless and are not: none runs unasked in default or auto_edit mode. */
import { afterAll, describe, expect, it } from 'vitest';
import type { FuzzMode } from './fuzz/canaries.test-helper.js';
import { judgesOf } from './fuzz/judges.test-helper.js';
import { makeFuzzLab } from './fuzz/lab.test-helper.js';

/** A workspace with links to folders outside, planted programs, and repositories that start them. */
const lab = makeFuzzLab('plain');
const judges = judgesOf(lab);
afterAll(() => lab.cleanup());

const isAllowed = (mode: FuzzMode, command: string, directory = 'ws') =>
  judges.allow({ mode, command: command.replaceAll('LAB', lab.root), directory });

describe('a line that stores a descriptor number in a variable (attack 31)', () => {
  it.each([
    'true {PATH}>/dev/null; git status',
    'true {PATH}>&1; git status',
    'true {PATH}<&0 && git diff',
    'true {PATH}>>/dev/null; ls',
    'true {PATH}>|/dev/null; ls',
    'true {PATH}<>/dev/null; ls',
    'true {PATH}<<<x; ls',
    'true {PATH}<<E\nx\nE\nls',
    '{PATH}>/dev/null; ls',
    '{PATH}>/dev/null true; ls',
    '( true {PATH}>/dev/null; ls )',
    '{ true; } {PATH}>/dev/null; ls',
    'if true; then true; fi {PATH}>/dev/null; ls',
    'while false; do true; done {PATH}>/dev/null; ls',
    'case a in a) true;; esac {PATH}>/dev/null; ls',
    '[[ a ]] {PATH}>/dev/null; ls',
    'f() { true; } {PATH}>/dev/null; f; ls',
    'time true {PATH}>/dev/null; ls',
    'echo "$(true {PATH}>/dev/null; ls)"',
    'true 2>/dev/null {PATH}>&2; ls',
    'cd . {PATH}>/dev/null; ls',
    'true {PATH[0]}>/dev/null; ls',
    'true {PA\\\nTH}>/dev/null; ls',
    "eval 'true {PATH}>/dev/null'; ls",
    'eval true {PATH}\\>/dev/null; ls',
    "eval 'true {PATH}''>/dev/null'; ls",
    'eval "true {PATH}"\'>/dev/null\'; ls',
    "bash -c 'true {PATH}>/dev/null; ls'",
    'true {HOME}>/dev/null; git diff',
    'true {GIT_DIR}>/dev/null; git log -p',
    'true {PATH}>/dev/null {x}>/dev/null; ls',
    'echo a {PATH}>/dev/null b; ls',
  ])('asks: %j', async (command) => expect(await isAllowed('default', command)).toBe(false));

  it.each([
    'echo {PATH} >/dev/null',
    'echo {a,b}',
    'echo "{PATH}">/dev/null && ls',
    'echo {PATH\\}>/dev/null',
  ])('runs if it sets nothing: %j', async (command) =>
    expect(await isAllowed('default', command)).toBe(true),
  );
});

describe("git in a repository that is not the workspace's own (attack 32)", () => {
  it.each([
    'cd bare && git log -p -1',
    'cd bare; git show',
    'cd embedded && git status',
    'cd nested && git diff',
    'cd nested && git status -s',
    'cd mod; git log -p',
    'cd src/sub && git show',
    'cd here && git log -p',
    'cd src/deepnested; git diff',
    '(cd nested; git diff)',
    'cd src && cd ../nested && git diff',
    'pushd bare; git log -p',
    'cd nested || true; git diff',
    'cd none || cd nested; git diff',
    'cd 10; git log -p -1',
    'cd .git; git log -p',
    'cd src/self/../nested; git diff',
    "bash -c 'cd nested; git diff'",
    'git -C nested diff',
    'git --git-dir=bare log -p',
    'git --git-dir bare log -p',
    'git --gi=bare log -p',
    'env -C nested git diff',
    'env --chdir=nested git diff',
    'GIT_DIR=bare git log -p',
    'export GIT_DIR=bare; git log -p',
  ])('asks: %j', async (command) => expect(await isAllowed('default', command)).toBe(false));

  it.each([
    'ws/bare',
    'ws/embedded',
    'ws/nested',
    'ws/mod',
    'ws/src/sub',
    'ws/src/deepnested',
    'ws/10',
    'ws/here',
  ])('asks in the folder %s of the call', async (directory) =>
    expect(await isAllowed('default', 'git log -p -1', directory)).toBe(false),
  );
});

describe('a path with `..` after a link (attack 33)', () => {
  it.each([
    'cat link/../secret.txt',
    'cat deep/../secret.txt',
    'cat chain/../a.txt',
    'cat ./deep/.././secret.txt',
    'cat deep//..//secret.txt',
    'cat "deep"/../secret.txt',
    "cat $'deep'/../secret.txt",
    'cat dee\\p/../secret.txt',
    'cat src/out/../secret.txt',
    'cat src/up/../secret.txt',
    'cat src/self/up/../secret.txt',
    'cat LAB/ws/deep/../secret.txt',
    'cat none/../deep/../secret.txt',
    'head -n1 lhome/../secret.txt',
    'grep -r . inner/../..',
    'grep -f deep/../secret.txt a.txt',
    'wc --files0-from=deep/../secret.txt',
    'ls deep/..',
    'stat link/..',
    'find deep/.. -type f',
    'cat d*/../secret.txt',
    'cat {deep,src}/../secret.txt',
    'cd -P deep/.. && cat secret.txt',
    'cd deep && cat ../secret.txt',
    'cd -P link/..; ls',
    'cd src/out; cat ../secret.txt',
    'set -P; cd src/up/..; ls',
    'cat /proc/self/cwd/../secret.txt',
    'cat /dev/fd/../cwd/../secret.txt',
    'git diff --no-index a.txt deep/../secret.txt',
    'git diff a.txt deep/../secret.txt',
    'cat < deep/../secret.txt',
    'echo "$(<deep/../secret.txt)"',
    'cat file-link',
  ])('asks in default mode: %j', async (command) => expect(await isAllowed('default', command)).toBe(false));

  it.each([
    'echo x > link/../.bashrc',
    'echo x > deep/../new.txt',
    'echo x >> lhome/../home/.bashrc',
    'echo x > hk/../config',
    'echo x > hk/pre-commit',
    'echo x > gitlink/config',
    'echo x > dangling',
    'echo x &> src/up/../new.txt',
    'echo x >| src/out/../new.txt',
    'echo x <> inner/../new.txt',
    'cd deep; echo x > ../new.txt',
    'cd -P deep/..; echo x > new.txt',
    'cd hk && echo x > ../config',
    'cd src/up && echo x > ../new.txt',
    'echo x > /proc/self/cwd/../new.txt',
    'true {x}> deep/../new.txt',
    '> deep/../new.txt',
    'echo x > ring/../link/../new.txt',
  ])('asks in auto_edit mode: %j', async (command) =>
    expect(await isAllowed('auto_edit', command)).toBe(false),
  );

  it.each([
    'rm -rf link/../home',
    'rm -rf deep/../../home',
    'rm -rf "inner/../../../home"',
    'rm -rf lhome/../home',
    'find src/up/../home -delete',
    'find deep/../../home -type f -delete',
    'cd hk; rm -rf ../objects',
    'cd hk && rm -rf ..',
    'rm -rf hk/..',
    'rm -rf hk/../../.git',
    'rm -rf gitlink/../.git',
    'rm -rf /proc/self/cwd/.git',
    'rm -rf link/../ws',
    'cd -P link/..; rm -rf home',
    'cd -P src/up/..; rm -rf ws',
    'mv link/../home q',
    'mv hk/../objects q',
    'rm -rf {link/../home,x}',
    'rm -rf lhome/',
    'for x in deep/../../home; do rm -rf $x; done',
    'for x in {.git,x}; do rm -rf $x; done',
    'rm -rf {${HOME},x}',
    'rm -rf .gi*/*',
    'rm -rf .[g]it/*',
    'rm -rf *link/',
    'rm -rf ~+/.git',
    'cd .g?t; rm -rf ../.git',
    'cd ${PWD}/.git; rm -rf ../.git',
  ])('asks in yolo mode: %j', async (command) =>
    expect(await isAllowed('yolo-removal', command)).toBe(false),
  );
});

describe('an everyday command', () => {
  it.each([
    'ls src',
    'git status',
    'git diff HEAD~1 -- a.txt',
    'cat a.txt | grep o | head -3',
    'cd src && ls',
    'cat src/../a.txt',
    'cat here/c.txt',
    'grep -rn one src/sub',
    'find src/sub -name "*.txt"',
    'git log --oneline -5',
  ])('runs unasked: %j', async (command) => expect(await isAllowed('default', command)).toBe(true));
});

describe('a redirection to a file that tools may not write (attack 40)', () => {
  it.each([
    'echo x > node_modules/p/i.js',
    'echo x > nm/i.js',
    'echo x > nm/../q.js',
    'echo x > src/node_modules/i.js',
    'echo x > .vscode/tasks.json',
    'echo x > src/../.vscode/tasks.json',
    'echo x > .VSCODE/tasks.json',
    'echo x > .env',
    'echo x >> .env.local',
    'echo x > .envrc',
    'echo x > src/.env.production',
    'echo x > .gemini/settings.json',
    'echo x > gem/settings.json',
    'echo x > .git/hooks/pre-commit',
    'echo x > .git/info/attributes',
    'echo x > nested/.git/config',
    'echo x > mod/.git/hooks/pre-commit',
    'echo x > src/.git',
    'cd node_modules && echo x > p/i.js',
    'cd .vscode; echo x > tasks.json',
    'cd nested/.git; echo x > config',
    'echo x >.g"i"t/config',
    'echo x 2> .git/config',
    'cat a.txt > node_modules/.bin/x',
  ])('asks in auto_edit mode: %j', async (command) =>
    expect(await isAllowed('auto_edit', command)).toBe(false),
  );

  it.each(['echo x > new.txt', 'cat a.txt >> src/b.txt', 'cd src && echo x > b.txt'])(
    'into an ordinary file is allowed: %j',
    async (command) => expect(await isAllowed('auto_edit', command)).toBe(true),
  );
});

describe('a command that shows other folders or secrets (attack 48)', () => {
  it.each([
    'ls -LR .',
    'ls -RL',
    'ls --recursive --dereference .',
    'ls --recur --deref .',
    'ls -R --dereference-command-line src/out',
    'find -L .',
    'find . -follow',
    'find -L src -name x',
    'find -H src/out',
    'echo ~/.ssh/*',
    'echo ~/*',
    'echo LAB/outside/*',
    'echo ../*',
    'echo link/*',
    'cat .envrc',
    'cat .env',
    'head -1 .env.local',
    'grep -h . .envrc',
    'git diff --no-index .env a.txt',
    '[ -f ~/.ssh/id_rsa ] && echo ~/.ssh/id_*',
    'grep -R o .',
    'cd link && ls',
  ])('asks: %j', async (command) => expect(await isAllowed('default', command)).toBe(false));
});

describe('a shell whose options change what its script means', () => {
  it.each([
    "bash -k -c 'git status PATH=.'",
    "bash -kc 'git status PATH=.'",
    "bash -ck 'git status PATH=.'",
    "bash -o keyword -c 'git status PATH=.'",
    "bash -eo keyword -c 'git status PATH=.'",
    "/bin/bash -k -c 'git status PATH=.'",
    "sh -k -c 'git status PATH=.'",
    "env bash -k -c 'git status PATH=.'",
    "timeout 5 bash -k -c 'git status PATH=.'",
    `bash -c "bash -k -c 'git status PATH=.'"`,
    'eval bash -k -c "\'git status PATH=.\'"',
    "bash -O dotglob -c 'cat a*'",
    'bash -i -c ls',
    'bash -s -c ls',
  ])('asks: %j', async (command) => expect(await isAllowed('default', command)).toBe(false));

  it.each([
    'bash -c ls',
    'bash -lc ls',
    'bash -euxc ls',
    "bash -euo pipefail -c 'ls | cat'",
    'bash --norc --noprofile -c ls',
    'bash --login -c ls',
    'sh -ec ls',
    'bash -c -- ls',
  ])('runs otherwise: %j', async (command) => expect(await isAllowed('default', command)).toBe(true));
});
