/** Rules about commands, and command lines made to bypass them (rows 1 to 6). */
import { execFileSync } from 'node:child_process';
import { expect, it } from 'vitest';
import { type TestRig, testRig } from '../test-utils.js';
import { attack, callOnce, expectDenied, plantProgram, setTraps, shellRule, userPolicy } from './attack.js';

const ALLOW_GIT = shellRule('allow', ['git']);
const DENY_CURL = shellRule('deny', ['curl'], 500);
const shell = 'run_shell_command';

it('without an attack the rules do what they say', async () => {
  const rig = await testRig();
  userPolicy(rig, ALLOW_GIT, DENY_CURL);
  expect((await callOnce(rig, shell, { command: 'git --version' })).answer.output).toContain('git version');
  const traps = setTraps(rig, ['curl', 'wget']);
  expectDenied(await callOnce(rig, shell, { command: 'curl x' }, { mode: 'yolo', env: traps.env }));
  await callOnce(rig, shell, { command: 'wget x' }, { mode: 'yolo', env: traps.env });
  expect(traps.sprung()).toEqual(['wget x']);
});

const CONTINUED = [
  'git status && touch ran',
  'git status; touch ran',
  'git nonsense || touch ran',
  'git status | tee ran',
  'git status\ntouch ran',
  'git status & touch ran',
  'git status > ran',
  'git status >> ran',
  'git status |& tee ran',
  'git status &> ran',
  'git status # x\ntouch ran',
  '{ git status; touch ran; }',
];
for (const command of CONTINUED) {
  attack(1, JSON.stringify(command), async (rig) => {
    execFileSync('git', ['init', '-q'], { cwd: rig.workspace });
    userPolicy(rig, ALLOW_GIT);
    expectDenied(await callOnce(rig, shell, { command }));
    expect(rig.exists('ran')).toBe(false);
  });
}

const FIFTY = Array.from({ length: 50 }, (_, index) => `echo ${index}`);
const BURIED: [string, string][] = [
  ['joined by &&', [...FIFTY, 'curl x'].join(' && ')],
  ['joined by ;', [...FIFTY, 'curl x'].join('; ')],
  ['on lines', [...FIFTY, 'curl x'].join('\n')],
  ['in a pipe', [...FIFTY, 'curl x'].join(' | ')],
  ['in the middle', [...FIFTY, 'curl x', ...FIFTY].join(' ; ')],
  ['in fifty brackets', `${'('.repeat(50)}curl x${')'.repeat(50)}`],
  ['behind five thousand words', `echo ${'word '.repeat(5000)}; curl x`],
];
for (const [how, command] of BURIED) {
  attack(2, how, (rig) => neverCurl(rig, command));
}

const WRAPPED = [
  'env curl x',
  'env -i A=b curl x',
  'sudo curl x',
  'sudo -u nobody curl x',
  'setsid curl x',
  'nohup curl x',
  'echo x | xargs curl',
  'timeout 5 curl x',
  'timeout -s KILL 5 curl x',
  'watch -n 1 curl x',
  'command curl x',
  'exec curl x',
  'nice -n 5 env nohup curl x',
  'builtin command curl x',
  'find . -name a.txt -exec curl {} ;',
];
for (const command of WRAPPED) {
  attack(3, command, (rig) => neverCurl(rig, command));
}

const ARMED: [string, string[]][] = [
  ['find . -name victim.txt -delete', ['find']],
  ['find . -name victim.txt -exec ./planted {} \\;', ['find']],
  ['find . -name victim.txt -execdir ../planted {} +', ['find']],
  ['find . -name victim.txt -fprint victim.txt', ['find']],
  ['git -c core.pager=./planted -p log', ['git']],
  ['git -c alias.x=!./planted x', ['git']],
  ['git --exec-path=. status', ['git']],
  ['tar cf /dev/null victim.txt --checkpoint=1 --checkpoint-action=exec=./planted', ['tar']],
  ['tar xf a.tar --to-command=./planted', ['tar']],
  ['tar cf /dev/null -I ./planted victim.txt', ['tar']],
  ['rg --pre ./planted x', ['rg']],
  ['rg --hostname-bin ./planted x', ['rg']],
];
for (const [command, prefixes] of ARMED) {
  attack(4, command, async (rig) => {
    execFileSync('git', ['init', '-q'], { cwd: rig.workspace });
    rig.write('victim.txt', 'keep me\n');
    const planted = plantProgram(rig, 'planted');
    userPolicy(rig, shellRule('allow', prefixes));
    expectDenied(await callOnce(rig, shell, { command }));
    expect(planted.ran()).toBe(false);
    expect(rig.read('victim.txt')).toBe('keep me\n');
  });
}

/** In yolo mode: what a deny rule must find anywhere in the line. */
const HIDDEN = [
  `eval 'curl x'`,
  `eval "cu""rl x"`,
  'echo $(curl x)',
  'echo `curl x`',
  'cat <(curl x)',
  'cu\\\nrl x',
  `bash -c 'curl x'`,
  `bash <<'END'\ncurl x\nEND`,
  'cat <<END\n$(curl x)\nEND',
  `$'\\x63url' x`,
  'f() { curl x; }; f',
  `echo \${Y:-$(curl x)}`,
  // Here the grammar reads the line break as a blank.
  `grep -n x y | cd src |& true\ncurl x\necho 'a b' || echo hi`,
  'grep -n x y | head -n 3 f | ls\nenv curl x 2>&1 & head -n 3 f',
];
for (const command of HIDDEN) {
  attack(5, JSON.stringify(command), (rig) => neverCurl(rig, command));
}
/** In default mode, with the outer programs allowed: lines that do not show what they run. */
const OPAQUE = [
  'echo Y3VybCB4 | base64 -d | bash',
  'echo Y3VybCB4 | base64 -d | sh -s',
  'X=curl; $X x',
  'eval "$(echo Y3VybCB4 | base64 -d)"',
  'bash -c "$(echo Y3VybCB4 | base64 -d)"',
  'echo "curl x" > s.sh; bash s.sh',
  'echo "unfinished $(curl x',
];
for (const command of OPAQUE) {
  attack(5, `with bash, echo and base64 allowed: ${command}`, async (rig) => {
    const traps = setTraps(rig, ['curl']);
    userPolicy(rig, shellRule('allow', ['echo', 'base64', 'bash -c', 'sh -s', 'eval']), DENY_CURL);
    expectDenied(await callOnce(rig, shell, { command }, { env: traps.env }));
    expect(traps.sprung()).toEqual([]);
  });
}

const ASSIGNED = [
  'PATH=.:$PATH git status',
  'LD_PRELOAD=./planted git status',
  'GIT_SSH_COMMAND=./planted git fetch',
  'GIT_EXTERNAL_DIFF=./planted git diff',
  'PAGER=./planted git log',
  'BASH_ENV=./planted git status',
  'export PATH=.:$PATH; git status',
  'env PATH=.:/usr/bin git status',
  'GIT_CONFIG_COUNT=1 GIT_CONFIG_KEY_0=alias.x GIT_CONFIG_VALUE_0=!./planted git x',
];
for (const command of ASSIGNED) {
  attack(6, command, (rig) => neverPlanted(rig, { command }));
}
for (const environment of [{ PATH: '.' }, { LD_PRELOAD: './planted' }, { GIT_SSH_COMMAND: './planted' }]) {
  attack(6, `as variables of the call: ${JSON.stringify(environment)}`, (rig) =>
    neverPlanted(rig, { command: 'git status', environment }),
  );
}

async function neverCurl(rig: TestRig, command: string): Promise<void> {
  rig.write('a.txt', 'x\n');
  const traps = setTraps(rig, ['curl']);
  userPolicy(rig, DENY_CURL);
  expectDenied(await callOnce(rig, shell, { command }, { mode: 'yolo', env: traps.env }));
  expect(traps.sprung()).toEqual([]);
}

async function neverPlanted(rig: TestRig, args: object): Promise<void> {
  execFileSync('git', ['init', '-q'], { cwd: rig.workspace });
  const programs = ['planted', 'git'].map((path) => plantProgram(rig, path));
  userPolicy(rig, ALLOW_GIT);
  expectDenied(await callOnce(rig, shell, args));
  expect(programs.map(({ ran }) => ran())).toEqual([false, false]);
}
