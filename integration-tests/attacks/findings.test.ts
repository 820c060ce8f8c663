/** Attacks that got through an earlier version (rows 31 to 49), against the whole program. */
import { execFileSync } from 'node:child_process';
import { mkdirSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'vitest';
import type { TestRig } from '../test-utils.js';
import { attack, callOnce, expectDenied, plantProgram, setTraps, shellRule, userPolicy } from './attack.js';

const shell = 'run_shell_command';

/** A folder beside the workspace, and links to it and to the hooks. */
function plantLinks(rig: TestRig): string {
  execFileSync('git', ['init', '-q'], { cwd: rig.workspace });
  const outside = join(rig.home, 'outside');
  mkdirSync(join(outside, 'sub'), { recursive: true });
  mkdirSync(join(rig.workspace, '.git/hooks'), { recursive: true });
  symlinkSync(join(outside, 'sub'), join(rig.workspace, 'deep'));
  symlinkSync('.git/hooks', join(rig.workspace, 'hk'));
  symlinkSync(rig.home, join(rig.workspace, 'lhome'));
  return outside;
}

const SET_BY_DESCRIPTOR = [
  'true {PATH}>/dev/null; git status',
  'true {PATH}>&1; git status',
  'git log {PATH}>/dev/null; git status',
  '{ git log; } {PATH}>/dev/null; git status',
  'git status "$(git log {PATH}>/dev/null; git status)"',
  'git log {HOME}>/dev/null; git diff',
];
for (const command of SET_BY_DESCRIPTOR) {
  attack(31, `with git and true allowed: ${command}`, async (rig) => {
    execFileSync('git', ['init', '-q'], { cwd: rig.workspace });
    const planted = plantProgram(rig, '10/git');
    userPolicy(rig, shellRule('allow', ['git', 'true']));
    expectDenied(await callOnce(rig, shell, { command }));
    expect(planted.ran()).toBe(false);
  });
}

const WRITTEN_BEHIND_LINK = [
  'echo x > deep/../new',
  'echo x >> deep/../../.bashrc',
  'echo x > hk/pre-commit',
  'echo x > hk/../config',
  'cd deep; echo x > ../new',
  'cd -P deep/..; echo x > new',
  'cd hk && echo x > ../config',
  'echo x > lhome/new',
];
for (const command of WRITTEN_BEHIND_LINK) {
  attack(33, `with echo and cd allowed in auto_edit mode: ${command}`, async (rig) => {
    plantLinks(rig);
    const before = listing(rig);
    userPolicy(rig, shellRule('allow', ['echo', 'cd']));
    expectDenied(await callOnce(rig, shell, { command }, { mode: 'auto_edit' }));
    expect(listing(rig)).toBe(before);
  });
}

const REMOVED_BEHIND_LINK = [
  'rm -rf deep/../..',
  'rm -rf lhome/.',
  'rm -rf hk/..',
  'cd hk; rm -rf ../objects',
  'find deep/../.. -delete',
];
for (const command of REMOVED_BEHIND_LINK) {
  attack(33, `in yolo mode: ${command}`, async (rig) => {
    plantLinks(rig);
    const before = listing(rig);
    expectDenied(await callOnce(rig, shell, { command }, { mode: 'yolo' }));
    expect(listing(rig)).toBe(before);
  });
}

const WRAPPED = [
  'env - curl x',
  'timeout --sig KILL 5 curl x',
  "env --split='curl x'",
  'flock --time 5 f curl x',
  'linux64 curl x',
  'setarch -R curl x',
  'bash //dev/stdin <<< "curl x"',
  'cd /dev && bash stdin <<< "curl x"',
  'ssh-agent curl x',
  'eval -- curl x',
  "npx --call='curl x'",
  'made-up-wrapper -- curl x',
];
for (const command of WRAPPED) {
  attack(35, command, async (rig) => {
    const traps = setTraps(rig, ['curl']);
    userPolicy(rig, shellRule('deny', ['curl'], 500));
    expectDenied(await callOnce(rig, shell, { command }, { mode: 'yolo', env: traps.env }));
    expect(traps.sprung()).toEqual([]);
  });
}

const STARTED_BY_OPTION = [
  'git fetch --upload-p=./planted .',
  'git clone -u ./planted . x',
  'git rebase --exe=./planted HEAD',
  'git grep -nO./planted x',
  "git config alias.x '!./planted'; git x",
  'git config core.hooksPath hk; git commit --allow-empty -m x',
  'tar cIf ./planted o a.txt',
  'tar cf o a.txt --checkpoint=1 --checkpoint-a=exec=./planted',
];
for (const command of STARTED_BY_OPTION) {
  attack(36, `with git and tar allowed: ${command}`, async (rig) => {
    execFileSync('git', ['init', '-q'], { cwd: rig.workspace });
    rig.write('a.txt', 'x\n');
    const planted = plantProgram(rig, 'planted');
    userPolicy(rig, shellRule('allow', ['git', 'tar']));
    expectDenied(await callOnce(rig, shell, { command }));
    expect(planted.ran()).toBe(false);
  });
}

const PROTECTED = [
  'node_modules/p/i.js',
  '.vscode/tasks.json',
  '.envrc',
  '.env.local',
  'src/.env',
  'nested/.git/config',
];
for (const path of PROTECTED) {
  attack(40, `echo x > ${path}, with echo allowed in auto_edit mode`, async (rig) => {
    rig.write(path, 'before\n');
    userPolicy(rig, shellRule('allow', ['echo']));
    expectDenied(await callOnce(rig, shell, { command: `echo x > ${path}` }, { mode: 'auto_edit' }));
    expect(rig.read(path)).toBe('before\n');
  });
}

/** Names and sizes of the home folder and the repository. */
function listing(rig: TestRig): string {
  const paths = [join(rig.home, 'outside'), join(rig.workspace, '.git')];
  return execFileSync('find', [...paths, '-printf', '%p %s\n'], { encoding: 'utf8' });
}
