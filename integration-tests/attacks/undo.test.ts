/** In a folder without git, a session's changes are undone after a preview; later changes of the user are kept. */
import {
  chmodSync,
  existsSync,
  lstatSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  symlinkSync,
} from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { callTool, type TestRig, testRig, text } from '../test-utils.js';

const FILES = {
  'notes.txt': 'my notes\n',
  'src/a.js': 'a();\n',
  'src/deep/b.js': 'b();\n',
  'old/c.txt': 'c\n',
  'old/d.bin': Buffer.from([0, 1, 2, 255, 254]),
  'tool.sh': '#!/bin/sh\n',
};
const COMMAND = [
  'echo rewritten > notes.txt',
  "sed -i 's/a/z/' src/a.js",
  'rm -r old',
  'mkdir moved && mv src/deep/b.js moved/b.js',
  'chmod 644 tool.sh',
  'ln -sf /etc/passwd link',
  'echo new > made.txt',
].join(' && ');

async function folder(): Promise<TestRig> {
  const rig = await testRig({ files: FILES });
  chmodSync(rig.path('tool.sh'), 0o755);
  symlinkSync('notes.txt', rig.path('link'));
  return rig;
}

/** Every entry with kind, mode and content. */
function pictureOf(dir: string, below = ''): Record<string, string> {
  const picture: Record<string, string> = {};
  for (const name of readdirSync(join(dir, below)).sort()) {
    const path = join(below, name);
    const stats = lstatSync(join(dir, path));
    if (stats.isDirectory()) Object.assign(picture, pictureOf(dir, path));
    else if (stats.isSymbolicLink()) picture[path] = `-> ${readlinkSync(join(dir, path))}`;
    else
      picture[path] = `${(stats.mode & 0o777).toString(8)} ${readFileSync(join(dir, path)).toString('hex')}`;
  }
  return picture;
}

async function runCommand(rig: TestRig, command: string, more: object = {}): Promise<void> {
  rig.model.replies([callTool('run_shell_command', { command, ...more })], [text('done')]);
  const run = await rig.cli('-p', 'x', '--approval-mode', 'yolo');
  expect(run.exitCode, run.stderr).toBe(0);
}

describe('gemini undo in a folder without git', () => {
  it('restores everything that a command rewrote, deleted and moved, after a preview that changes nothing', async () => {
    const rig = await folder();
    const before = pictureOf(rig.workspace);
    await runCommand(rig, COMMAND);
    const changed = pictureOf(rig.workspace);
    expect(changed).not.toEqual(before);
    const preview = await rig.cli('undo', '--preview');
    expect(preview.exitCode, preview.stderr).toBe(0);
    for (const name of ['notes.txt', 'src/a.js', 'old/c.txt', 'old/d.bin', 'tool.sh', 'made.txt', 'b.js'])
      expect(preview.stdout).toContain(name);
    expect(preview.stdout).toContain('+my notes');
    expect(pictureOf(rig.workspace)).toEqual(changed);
    const undo = await rig.cli('undo', '--yes');
    expect(undo.exitCode, undo.stderr).toBe(0);
    expect(pictureOf(rig.workspace)).toEqual(before);
    expect(existsSync(rig.path('moved'))).toBe(false);
    expect(existsSync(rig.path('.git'))).toBe(false);
  });

  it('does nothing without a yes where it cannot ask the user', async () => {
    const rig = await folder();
    await runCommand(rig, 'echo x > notes.txt');
    const run = await rig.cli('undo');
    expect(run.exitCode).toBe(1);
    expect(run.stderr).toContain('--yes');
    expect(rig.read('notes.txt')).toBe('x\n');
  });

  it('asks on a terminal and accepts only a yes', async () => {
    const rig = await folder();
    await runCommand(rig, 'echo x > notes.txt');
    for (const [answer, content] of [
      ['n\r', 'x\n'],
      ['y\r', 'my notes\n'],
    ] as const) {
      const screen = await rig.screen(['undo']);
      await screen.waitFor('(y/N)');
      screen.type(answer);
      await screen.exit;
      expect(rig.read('notes.txt')).toBe(content);
    }
  });

  it('skips and names a file that the user edited in between', async () => {
    const rig = await folder();
    await runCommand(rig, 'echo x > notes.txt; echo y > src/a.js');
    rig.write('notes.txt', 'mine again\n');
    const { stdout } = await rig.cli('undo', '--preview');
    expect(stdout).toMatch(/skip\s+notes\.txt/);
    const undo = await rig.cli('undo', '--yes');
    expect(undo.stdout).toMatch(/skip\s+notes\.txt/);
    expect([rig.read('notes.txt'), rig.read('src/a.js')]).toEqual(['mine again\n', 'a();\n']);
  });

  it('undoes an undo', async () => {
    const rig = await folder();
    await runCommand(rig, COMMAND);
    const changed = pictureOf(rig.workspace);
    const { stdout } = await rig.cli('undo', '--yes');
    const [, id = ''] = /gemini undo ([0-9a-f]+)/.exec(stdout) ?? [];
    expect((await rig.cli('undo', id, '--yes')).exitCode).toBe(0);
    expect(pictureOf(rig.workspace)).toEqual(changed);
  });

  it('undoes one call of several by its id', async () => {
    const rig = await folder();
    await runCommand(rig, 'echo first > notes.txt');
    await runCommand(rig, 'echo second > src/a.js');
    const { stdout } = await rig.cli('undo', '--list');
    const first = stdout.split('\n').find((line) => line.includes('echo first'));
    expect((await rig.cli('undo', first?.slice(0, 8) ?? '', '--yes')).exitCode).toBe(0);
    expect([rig.read('notes.txt'), rig.read('src/a.js')]).toEqual(['my notes\n', 'second\n']);
  });

  it('undoes what a background command did after its call had ended', async () => {
    const rig = await folder();
    const command = 'until [ -e go ]; do sleep 0.02; done; echo late > notes.txt; echo $? > finished';
    rig.model.replies([callTool('run_shell_command', { command, is_background: true })], () => {
      rig.write('go', '');
      return [
        callTool('run_shell_command', {
          command: 'until [ -s finished ]; do sleep 0.02; done; cat notes.txt',
        }),
      ];
    }, [text('done')]);
    const run = await rig.cli('-p', 'x', '--approval-mode', 'yolo');
    expect(run.exitCode, run.stderr).toBe(0);
    expect(rig.read('notes.txt')).toBe('late\n');
    for (let times = 0; times < 3 && rig.read('notes.txt') !== 'my notes\n'; times++)
      await rig.cli('undo', '--yes');
    expect(rig.read('notes.txt')).toBe('my notes\n');
  });
});

describe('gemini undo in one run', () => {
  it('restores a folder that a command replaced by a link', async () => {
    const rig = await folder();
    const before = pictureOf(rig.workspace);
    await runCommand(rig, 'mv old older && ln -s older old && rm -r src && ln -s moved src');
    const undo = await rig.cli('undo', '--yes');
    expect(undo.exitCode, undo.stdout + undo.stderr).toBe(0);
    expect(pictureOf(rig.workspace)).toEqual(before);
  });

  it('names a nested repository that it cannot restore, after the command and at the undo', async () => {
    const rig = await testRig({ files: { 'n/a.txt': 'a\n', 'n/.git/HEAD': 'ref: refs/heads/main\n' } });
    rig.model.replies([callTool('run_shell_command', { command: 'rm -rf n' })], [text('done')]);
    const run = await rig.cli('-p', 'x', '--approval-mode', 'yolo');
    expect(run.stderr).toMatch(
      /An undo cannot restore: \S*n\/\.git \(repositories \(\.git\) are not copied\)/,
    );
    const undo = await rig.cli('undo', '--yes');
    expect(undo.stdout).toContain('n/.git: repositories (.git) are not copied');
    expect(undo.exitCode).toBe(1);
    expect(rig.read('n/a.txt')).toBe('a\n');
  });
});
