/** The program works where the home directory cannot be written; the user is told once what is lost. */
import { spawnSync } from 'node:child_process';
import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { type CliOptions, callTool, type TestRig, testRig, text, toolResponses } from './test-utils.js';

const BWRAP: string = 'bwrap';
/** The machine as it is, but nothing below `path` can be changed. */
const readOnly = (path: string) => [BWRAP, '--dev-bind', '/', '/', '--ro-bind', path, path, '--'];
const canMount = spawnSync(BWRAP, ['--dev-bind', '/', '/', 'true']).status === 0;

const CHANGES = [
  ['write_file', { file_path: 'made/new.txt', content: 'new\n' }],
  ['replace', { file_path: 'old.txt', instruction: 'x', old_string: 'old', new_string: 'changed' }],
  ['run_shell_command', { command: 'echo ran > ran.txt' }],
] as const;

async function expectRunContinues(rig: TestRig, options: CliOptions = {}): Promise<void> {
  rig.model.replies(...CHANGES.map(([name, args]) => [callTool(name, args)]), [text('done')]);
  const run = await rig.cli('-p', 'go on', '--approval-mode', 'yolo', options);
  expect(run.exitCode, run.stderr).toBe(0);
  for (const index of [1, 2, 3]) expect(toolResponses(rig, index)[0]?.response.error).toBeUndefined();
  expect(rig.read('made/new.txt')).toBe('new\n');
  expect(rig.read('old.txt')).toBe('changed\n');
  expect(rig.read('ran.txt')).toBe('ran\n');
  expect(run.stderr.match(/cannot be undone/g), run.stderr).toHaveLength(1);
  expect(run.stderr.match(/no longer recorded/g), run.stderr).toHaveLength(1);
  expect(run.stdout).toBe('done\n');
}

const files = { 'old.txt': 'old\n' };

describe('The program works with a home directory that is not writable', () => {
  it.runIf(canMount)('because its file system is read-only', async () => {
    const rig = await testRig({ files });
    await expectRunContinues(rig, { under: readOnly(rig.home) });
  });

  it.runIf(canMount)(
    'because its file system is read-only, with the folders of an earlier session',
    async () => {
      const rig = await testRig({ files });
      rig.model.replies([callTool('write_file', { file_path: 'a', content: 'a' })], [text('first')]);
      expect((await rig.cli('-p', 'x', '--approval-mode', 'yolo')).exitCode).toBe(0);
      rig.model.requests.length = 0;
      await expectRunContinues(rig, { under: readOnly(rig.home) });
    },
  );

  it.runIf(canMount)('because it is missing and its parent is read-only', async () => {
    const rig = await testRig({ files });
    const parent = join(rig.home, 'empty');
    mkdirSync(parent);
    const home = join(parent, 'nobody/at/all');
    await expectRunContinues(rig, {
      under: readOnly(parent),
      env: { HOME: home, GEMINI_CLI_HOME: home, GEMINI_CLI_TRUST_WORKSPACE: 'true' },
    });
  });

  it('because it is a file', async () => {
    const rig = await testRig({ files });
    const home = join(rig.home, 'file');
    writeFileSync(home, '');
    await expectRunContinues(rig, {
      env: { HOME: home, GEMINI_CLI_HOME: home, GEMINI_CLI_TRUST_WORKSPACE: 'true' },
    });
  });

  it('because it is a file, on the screen', async () => {
    const rig = await testRig({ files });
    const home = join(rig.home, 'file');
    writeFileSync(home, '');
    rig.model.replies([callTool(...CHANGES[0])], [text('Finished.')]);
    const screen = await rig.screen(['--approval-mode', 'yolo'], {
      env: { HOME: home, GEMINI_CLI_HOME: home, GEMINI_CLI_TRUST_WORKSPACE: 'true' },
    });
    screen.type('go on\r');
    await screen.waitFor('✦ Finished.', { timeoutMs: 50_000 });
    expect(rig.read('made/new.txt')).toBe('new\n');
    await screen.waitFor('cannot be undone', { timeoutMs: 50_000 });
  });

  it('because ~/.gemini/history and ~/.gemini/tmp are files', async () => {
    const rig = await testRig({ files });
    for (const name of ['history', 'tmp']) {
      rmSync(join(rig.home, '.gemini', name), { recursive: true, force: true });
      rig.writeHome(name, '');
    }
    await expectRunContinues(rig);
  });
});
