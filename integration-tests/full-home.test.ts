/** A full home directory: files can be restored without a record of the undo. */
import { spawnSync } from 'node:child_process';
import { cpSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { callTool, type TestRig, testRig, text } from './test-utils.js';

/** @returns false where mounting is not possible */
function mountSmallHome(rig: TestRig): boolean {
  const before = join(rig.workspace, '../home-before');
  cpSync(rig.home, before, { recursive: true });
  if (spawnSync('mount', ['-t', 'tmpfs', '-o', 'size=2m', 'tmpfs', rig.home]).status !== 0) return false;
  onTestFinished(() => {
    spawnSync('umount', ['-l', rig.home]);
  });
  cpSync(before, rig.home, { recursive: true });
  return true;
}

function fill(rig: TestRig): void {
  for (const [name, size] of Object.entries({ large: 65_536, small: 1 })) {
    try {
      for (let index = 0; ; index++) writeFileSync(join(rig.home, `${name}-${index}`), Buffer.alloc(size));
    } catch (error) {
      expect(error).toMatchObject({ code: 'ENOSPC' });
    }
  }
}

it('gemini undo says how to continue without a record, and then restores the files', async () => {
  const rig = await testRig({ isFirstRun: true, files: { 'a.txt': 'one\n', 'd/b.txt': 'b\n' } });
  if (!mountSmallHome(rig)) return;
  const command = 'echo two > a.txt; rm -r d; echo new > new.txt';
  rig.model.replies([callTool('run_shell_command', { command })], [text('done')]);
  expect((await rig.cli('-p', 'x', '--approval-mode', 'yolo')).exitCode).toBe(0);
  fill(rig);
  const preview = await rig.cli('undo', '--preview');
  expect(preview.exitCode, preview.stderr).toBe(0);
  expect(preview.stdout).toContain('d/b.txt');
  const refused = await rig.cli('undo', '--yes');
  expect(refused.exitCode).toBe(1);
  expect(refused.stderr).toContain('gemini undo --no-record');
  expect(rig.read('a.txt')).toBe('two\n');
  const undo = await rig.cli('undo', '--yes', '--no-record');
  expect(undo.exitCode, undo.stderr).toBe(0);
  expect(undo.stdout).toContain('cannot be undone');
  expect([rig.read('a.txt'), rig.read('d/b.txt'), rig.exists('new.txt')]).toEqual(['one\n', 'b\n', false]);
});

it('an agent whose transcript finds no space on the disk works on to its report', async () => {
  const rig = await testRig({ isFirstRun: true, files: { 'a.txt': 'one\n' } });
  const head = '---\nname: reader\ndescription: Reads.\ntools: [read_file]\n---\n';
  rig.writeHome('agents/reader.md', `${head}You are the reader.\n`);
  if (!mountSmallHome(rig)) return;
  let turn = 0;
  rig.model.otherwise(({ body }) => {
    const isReader = JSON.stringify(body['systemInstruction']).includes('You are the reader.');
    if (!isReader)
      return turn === 0
        ? [callTool('invoke_agent', { agent_name: 'reader', prompt: 'read' })]
        : [text('It has read.')];
    turn++;
    if (turn === 2) fill(rig);
    return turn < 4
      ? [callTool('read_file', { file_path: 'a.txt', start_line: turn })]
      : [callTool('complete_task', { result: 'one' })];
  });
  const run = await rig.cli('-p', 'read it');
  expect(run.exitCode, run.stderr).toBe(0);
  expect(run.stdout).toContain('It has read.');
  expect(JSON.stringify(rig.model.lastRequest().body.contents.at(-1))).toContain('Result: one');
  expect(run.stderr).toMatch(/no space|disk is full|not recorded|not saved/i);
});
