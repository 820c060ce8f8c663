/**
 * Commands that would destroy what undo cannot restore are refused in a headless yolo run (row 7). Should a
 * judgement ever fail, nothing is lost: `rm` and its like are traps here, and home and project are temporary.
 */
import { mkdirSync } from 'node:fs';
import { expect, it } from 'vitest';
import { testRig } from '../test-utils.js';
import { attack, callOnce, expectDenied, setTraps, shellRule, userPolicy } from './attack.js';

const TRAPS = ['rm', 'mv', 'find', 'shred', 'sudo', 'rsync', 'cp', 'dd'];
const shell = 'run_shell_command';

it('a removal of something else runs in yolo mode', async () => {
  const rig = await testRig({ files: { 'build/x': '' } });
  const traps = setTraps(rig, TRAPS);
  await callOnce(rig, shell, { command: 'rm -rf build' }, { mode: 'yolo', env: traps.env });
  expect(traps.sprung()).toEqual(['rm -rf build']);
});

const COMMANDS = [
  'rm -rf /',
  'rm -rf /*',
  'rm -rf --no-preserve-root //',
  'rm -r -f ~',
  'rm -rf ~/',
  'rm -rf $HOME',
  'rm --recursive --force "$HOME"/*',
  `rm -fr "\${HOME}/."`,
  'rm -rf .',
  'rm -rf ./',
  'rm -rf *',
  'rm -rf "$PWD"',
  'rm -rf .git',
  'rm -rf ./.git/',
  'rm -rf .git/*',
  'cd / && rm -rf *',
  'cd .. && rm -rf workspace',
  'sudo rm -rf ~',
  `bash -c 'rm -rf ~'`,
  'env X=1 nohup rm -rf "$HOME"',
  'echo ~ | xargs rm -rf',
  'find . -delete',
  'find ~ -exec rm -rf {} +',
  'mv .git /dev/null',
  'mv ~ elsewhere',
];
for (const command of COMMANDS) {
  attack(7, command, async (rig) => {
    mkdirSync(rig.path('.git'));
    rig.write('.git/HEAD', 'ref: refs/heads/main\n');
    rig.write('precious.txt', 'precious\n');
    const traps = setTraps(rig, TRAPS);
    expectDenied(await callOnce(rig, shell, { command }, { mode: 'yolo', env: traps.env }));
    expect(traps.sprung()).toEqual([]);
    expect([rig.read('precious.txt'), rig.exists('.git/HEAD')]).toEqual(['precious\n', true]);
  });
}

attack(7, 'although a rule of the user allows rm', async (rig) => {
  const traps = setTraps(rig, TRAPS);
  userPolicy(rig, shellRule('allow', ['rm', 'rm -rf'], 999));
  for (const mode of ['default', 'auto_edit', 'yolo'] as const) {
    expectDenied(await callOnce(rig, shell, { command: 'rm -rf ~' }, { mode, env: traps.env }), /destroy/);
  }
  expect(traps.sprung()).toEqual([]);
});

attack(7, 'said in the words of the root that the call itself chooses', async (rig) => {
  rig.write('sub/x', '');
  const traps = setTraps(rig, TRAPS);
  const args = { command: 'rm -rf ../*', dir_path: 'sub' };
  expectDenied(await callOnce(rig, shell, args, { mode: 'yolo', env: traps.env }), /destroy/);
  expect(traps.sprung()).toEqual([]);
});
