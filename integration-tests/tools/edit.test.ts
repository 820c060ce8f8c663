import { chmodSync, statSync, symlinkSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { callTool, runTool, runTools, testRig } from '../test-utils.js';

describe('write_file', () => {
  it('creates a file with its folders', async () => {
    const rig = await testRig();
    const { answer, result } = await runTool(
      rig,
      'write_file',
      { file_path: 'new/deep/a.txt', content: 'x\ny' },
      'auto_edit',
    );
    expect(rig.read('new/deep/a.txt')).toBe('x\ny');
    expect(answer.output).toContain(rig.path('new/deep/a.txt'));
    expect(result['status']).toBe('success');
  });

  it('overwrites, keeping mode, line ends and BOM', async () => {
    const rig = await testRig({ files: { 'run.sh': '\ufeffold\r\nlines\r\n' } });
    chmodSync(rig.path('run.sh'), 0o754);
    await runTool(rig, 'write_file', { file_path: 'run.sh', content: 'new\nlines\n' });
    expect(rig.read('run.sh')).toBe('\ufeffnew\r\nlines\r\n');
    expect(statSync(rig.path('run.sh')).mode & 0o777).toBe(0o754);
  });

  it('leaves no temporary file behind', async () => {
    const rig = await testRig();
    await runTool(rig, 'write_file', { file_path: 'a.txt', content: 'x' });
    const { readdirSync } = await import('node:fs');
    expect(readdirSync(rig.workspace)).toEqual(['a.txt']);
  });

  it('refuses content with an omission placeholder', async () => {
    const rig = await testRig({ files: { 'a.ts': 'whole' } });
    const { answer, result } = await runTool(rig, 'write_file', {
      file_path: 'a.ts',
      content: 'start\n// rest of code ...\n',
    });
    expect(answer.error).toMatch(/placeholder|omi/i);
    expect(result).toMatchObject({ error: { type: 'invalid_tool_params' } });
    expect(rig.read('a.ts')).toBe('whole');
  });

  it.each([
    ['a path above the workspace', '../escape.txt'],
    ['an absolute path elsewhere', '/tmp/gemini-escape.txt'],
    ['a linked folder that leads outside', 'link/escape.txt'],
    ['the home directory', '~/escape.txt'],
  ])('refuses %s', async (_what, file_path) => {
    const rig = await testRig();
    symlinkSync('/tmp', rig.path('link'));
    const { answer } = await runTool(rig, 'write_file', { file_path, content: 'x' });
    expect(answer.error).toContain('Path not in workspace');
    const { existsSync } = await import('node:fs');
    expect(
      ['/tmp/escape.txt', '/tmp/gemini-escape.txt', `${rig.home}/escape.txt`].filter((path) =>
        existsSync(path),
      ),
    ).toEqual([]);
  });
});

describe('replace', () => {
  it('changes one place and says so', async () => {
    const rig = await testRig({ files: { 'a.txt': 'one two three\n' } });
    const { answer } = await runTool(
      rig,
      'replace',
      { file_path: 'a.txt', instruction: 'count', old_string: 'two', new_string: '2' },
      'auto_edit',
    );
    expect(rig.read('a.txt')).toBe('one 2 three\n');
    expect(answer.output).toContain(`Successfully modified file: ${rig.path('a.txt')} (1 replacements).`);
  });

  it('applies two edits of one file in one turn, in order', async () => {
    const rig = await testRig({ files: { 'a.txt': 'alpha\nbeta\n' } });
    const { answers } = await runTools(rig, [
      callTool('replace', { file_path: 'a.txt', old_string: 'alpha', new_string: 'gamma' }),
      callTool('replace', { file_path: 'a.txt', old_string: 'gamma\nbeta', new_string: 'delta' }),
    ]);
    expect(answers.map(({ response }) => response.error)).toEqual([undefined, undefined]);
    expect(rig.read('a.txt')).toBe('delta\n');
  });

  it('takes $ in the new text literally', async () => {
    const rig = await testRig({ files: { 'a.txt': 'price: X\n' } });
    await runTool(rig, 'replace', { file_path: 'a.txt', old_string: 'X', new_string: "$& $1 $$ $'" });
    expect(rig.read('a.txt')).toBe("price: $& $1 $$ $'\n");
  });

  it.each([
    [
      'text that is not there',
      { old_string: 'absent words here', new_string: 'x' },
      'edit_no_occurrence_found',
    ],
    [
      'text that is there twice',
      { old_string: 'same', new_string: 'x' },
      'edit_expected_occurrence_mismatch',
    ],
    ['no change', { old_string: 'once', new_string: 'once' }, 'edit_no_change'],
    ['creating what exists', { old_string: '', new_string: 'x' }, 'attempt_to_create_existing_file'],
  ])('%s is an error and changes nothing', async (_what, args, type) => {
    const content = 'same\nsame\nonce\n';
    const rig = await testRig({ files: { 'a.txt': content } });
    const { result } = await runTool(rig, 'replace', { file_path: 'a.txt', ...args });
    expect(result).toMatchObject({ status: 'error', error: { type } });
    expect(rig.read('a.txt')).toBe(content);
  });

  it('replaces all with allow_multiple, and exactly n with the older parameter', async () => {
    const rig = await testRig({ files: { 'a.txt': 'x x', 'b.txt': 'x x' } });
    const { answers } = await runTools(rig, [
      callTool('replace', { file_path: 'a.txt', old_string: 'x', new_string: 'y', allow_multiple: true }),
      callTool('replace', { file_path: 'b.txt', old_string: 'x', new_string: 'y', expected_replacements: 2 }),
    ]);
    expect(answers.map(({ response }) => response.error)).toEqual([undefined, undefined]);
    expect([rig.read('a.txt'), rig.read('b.txt')]).toEqual(['y y', 'y y']);
  });

  it('creates a file from an empty old_string', async () => {
    const rig = await testRig();
    await runTool(rig, 'replace', { file_path: 'new.txt', old_string: '', new_string: 'made' });
    expect(rig.read('new.txt')).toBe('made');
  });

  const utf16 = (text: string) => Buffer.concat([Buffer.from([0xff, 0xfe]), Buffer.from(text, 'utf16le')]);
  it.each([
    ['CRLF', Buffer.from('one\r\ntwo\r\nthree\r\n'), Buffer.from('one\r\n2\r\nthree\r\n')],
    ['mixed line ends', Buffer.from('one\r\ntwo\nthree\r\nfour\n'), Buffer.from('one\r\n2\nthree\r\nfour\n')],
    ['a UTF-8 BOM', Buffer.from('\ufeffone\ntwo\n'), Buffer.from('\ufeffone\n2\n')],
    ['UTF-16LE', utf16('eins\r\ntwo\r\nüber'), utf16('eins\r\n2\r\nüber')],
    [
      'Latin-1',
      Buffer.from('caf\xe9 au lait d\xe9j\xe0 vu\ntwo\n\xfcber alles\n', 'latin1'),
      Buffer.from('caf\xe9 au lait d\xe9j\xe0 vu\n2\n\xfcber alles\n', 'latin1'),
    ],
    [
      'GBK',
      Buffer.from('c4e3bac3cac0bde7a3acd5e2cac7d2bbb8f6b2e2cad4cec4bcfea1a30a74776f0ac4e3bac30a', 'hex'),
      Buffer.from('c4e3bac3cac0bde7a3acd5e2cac7d2bbb8f6b2e2cad4cec4bcfea1a30a320ac4e3bac30a', 'hex'),
    ],
    ['no final newline', Buffer.from('one\ntwo'), Buffer.from('one\n2')],
  ])('touches only the edited line of a file with %s', async (_what, before, after) => {
    const rig = await testRig({ files: { 'a.txt': before } });
    const { answer } = await runTool(rig, 'replace', {
      file_path: 'a.txt',
      old_string: 'two',
      new_string: '2',
    });
    expect(answer.error).toBeUndefined();
    expect(rig.readBytes('a.txt').equals(after), rig.readBytes('a.txt').toString('hex')).toBe(true);
  });
});
