import { describe, expect, it } from 'vitest';
import { callTool, chunks, testRig, text, thought, waitUntil } from '../test-utils.js';

describe('text format', () => {
  it('prints the answer and one newline, and nothing else anywhere', async () => {
    const rig = await testRig();
    rig.model.replies([chunks(['Hel', 'lo, ', 'world'])]);
    const { exitCode, stdout, stderr } = await rig.cli('-p', 'greet');
    expect({ exitCode, stdout, stderr }).toEqual({ exitCode: 0, stdout: 'Hello, world\n', stderr: '' });
  });

  it('adds no newline to an answer that ends with one', async () => {
    const rig = await testRig();
    rig.model.replies([text('line\n')]);
    expect((await rig.cli('-p', 'x')).stdout).toBe('line\n');
  });

  it('omits thoughts and tool calls and ends the line before a call', async () => {
    const rig = await testRig({ files: { 'a.txt': 'content' } });
    rig.model.replies(
      [thought('**Plan** secret reasoning'), text('Looking'), callTool('read_file', { file_path: 'a.txt' })],
      [text('Found')],
    );
    const run = await rig.cli('-p', 'x');
    expect(run.stdout).toBe('Looking\nFound\n');
    expect(run.stderr).toBe('');
  });

  it('prints text as it comes, not at the end', async () => {
    const rig = await testRig();
    let release = () => {};
    const released = new Promise<void>((resolve) => {
      release = resolve;
    });
    rig.model.replies([text('early '), waitUntil(released), text('late')]);
    const run = rig.spawn('-p', 'x');
    await run.waitForStdout('early');
    release();
    expect((await run.done).stdout).toBe('early late\n');
  });

  it('removes terminal sequences, also when a chunk boundary splits them', async () => {
    const rig = await testRig();
    rig.model.replies([
      chunks(['a\x1b[31mred\x1b[0m b', '\x1b', '[2Jc\x1b]52;c;', 'ZXZpbA==\x07d', '\x1b]0;title\x1b', '\\e']),
    ]);
    expect((await rig.cli('-p', 'x')).stdout).toBe('ared bcde\n');
  });

  it('keeps terminal sequences with --raw-output and warns; not when the risk is accepted', async () => {
    const rig = await testRig();
    rig.model.repeat(2, [text('\x1b[31mred\x1b[0m')]);
    const raw = await rig.cli('-p', 'x', '--raw-output');
    expect(raw.stdout).toBe('\x1b[31mred\x1b[0m\n');
    expect(raw.stderr).toMatch(/\[WARNING\].*raw/i);
    const accepted = await rig.cli('-p', 'x', '--accept-raw-output-risk');
    expect(accepted.stdout).toBe('\x1b[31mred\x1b[0m\n');
    expect(accepted.stderr).toBe('');
  });

  it('names a failing tool on stderr and continues', async () => {
    const rig = await testRig();
    rig.model.replies([callTool('read_file', { file_path: 'absent.txt' })], [text('sorry')]);
    const run = await rig.cli('-p', 'x');
    expect(run.exitCode).toBe(0);
    expect(run.stdout).toBe('sorry\n');
    expect(run.stderr).toMatch(/^Error executing tool read_file: .*absent\.txt/m);
  });

  it('keeps debug output off stdout', async () => {
    const rig = await testRig();
    rig.model.replies([text('answer')]);
    const run = await rig.cli('-p', 'x', '--debug');
    expect(run.stdout).toBe('answer\n');
  });
});
