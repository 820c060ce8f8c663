/** Names and paths that are too long for the file system: the model is told which part, and the limit. */
import { describe, expect, it } from 'vitest';
import { callTool, testRig, text, toolResponses } from '../test-utils.js';

const NAMES = {
  'a name of 256 bytes': 'n'.repeat(256),
  'a name of 300 bytes in 100 characters': '\u20ac'.repeat(100),
  'a folder of 300 bytes': `${'f'.repeat(300)}/a.txt`,
};
const NAME_MESSAGE = /The name is too long: \d+ bytes, at most 255 are possible: [nf\u20ac]+/;
const LONG_PATH = `${'d'.repeat(100)}/`.repeat(50);
const PATH_MESSAGE = /The path is too long: \d+ bytes, at most 4095 are possible: /;

const calls = (path: string): [string, Record<string, unknown>][] => [
  ['write_file', { file_path: path, content: 'x' }],
  ['replace', { file_path: path, instruction: 'x', old_string: 'a', new_string: 'b' }],
  ['replace', { file_path: path, instruction: 'x', old_string: '', new_string: 'b' }],
  ['read_file', { file_path: path }],
  ['list_directory', { dir_path: path }],
  ['glob', { pattern: '*', dir_path: path }],
  ['grep_search', { pattern: 'x', dir_path: path }],
  ['run_shell_command', { command: 'pwd', dir_path: path }],
];

async function expectAllSay(path: string, message: RegExp): Promise<void> {
  const rig = await testRig();
  const all = calls(path);
  rig.model.replies(...all.map(([name, args]) => [callTool(name, args)]), [text('done')]);
  const run = await rig.cli('-p', 'x', '--approval-mode', 'yolo');
  expect(run.exitCode, run.stderr).toBe(0);
  for (const [index, [name]] of all.entries())
    expect(`${name}: ${toolResponses(rig, index + 1)[0]?.response.error}`).toMatch(message);
  expect(run.stderr).not.toContain('snapshot');
}

describe('tools that are given', () => {
  it.each(Object.entries(NAMES))('%s name it and the limit', (_case, path) =>
    expectAllSay(path, NAME_MESSAGE),
  );

  it('a path of 5,000 bytes name it and the limit', () => expectAllSay(LONG_PATH, PATH_MESSAGE));

  it('a name of 255 bytes take it', async () => {
    const rig = await testRig();
    const path = 'n'.repeat(255);
    rig.model.replies([callTool('write_file', { file_path: path, content: 'x' })], [text('done')]);
    const run = await rig.cli('-p', 'x', '--approval-mode', 'yolo');
    expect(run.exitCode, run.stderr).toBe(0);
    expect(rig.read(path)).toBe('x');
    expect((await rig.cli('undo', '--yes')).exitCode).toBe(0);
    expect(rig.exists(path)).toBe(false);
  });
});
