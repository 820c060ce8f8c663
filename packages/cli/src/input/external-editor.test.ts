import { appendFileSync, existsSync } from 'node:fs';
import { delimiter } from 'node:path';
import { describe, expect, it } from 'vitest';
import { type EditorStart, editorCommand } from './editor-command.js';
import { editText } from './external-editor.js';

describe('editorCommand', () => {
  const find = (program: string) => (program === 'missing' ? undefined : `/bin/${program}`);
  const choose = (env: Record<string, string>, preferred?: string, platform: NodeJS.Platform = 'linux') =>
    editorCommand({ env, preferred, platform, find });

  it.each<[string, Record<string, string>, string | undefined, object]>([
    [
      'the setting before VISUAL',
      { VISUAL: 'nano' },
      'vscode',
      { file: '/bin/code', args: ['--wait'], isTerminal: false },
    ],
    [
      'VISUAL before EDITOR',
      { VISUAL: 'nano', EDITOR: 'vim' },
      undefined,
      { file: '/bin/nano', isTerminal: true },
    ],
    ['EDITOR with its options', { EDITOR: 'emacs -nw' }, undefined, { file: '/bin/emacs', args: ['-nw'] }],
    [
      'a quoted path with spaces',
      { EDITOR: '"/my apps/ed" -x' },
      undefined,
      { file: '/my apps/ed', args: ['-x'] },
    ],
    ['a window with --wait added', { EDITOR: 'code' }, undefined, { args: ['--wait'], isTerminal: false }],
    ['a window that already waits', { EDITOR: 'code -w' }, undefined, { args: ['-w'] }],
    ['vim without any choice', {}, undefined, { file: '/bin/vim', isTerminal: true }],
    ['vim when EDITOR is not installed', { EDITOR: 'missing' }, undefined, { file: '/bin/vim' }],
    ['EDITOR when the setting is unknown', { EDITOR: 'nano' }, 'constructor', { file: '/bin/nano' }],
  ])('chooses %s', (_, env, preferred, expected) => expect(choose(env, preferred)).toMatchObject(expected));

  it('chooses Notepad on Windows without a setting', () => {
    expect(choose({}, undefined, 'win32')).toMatchObject({ file: '/bin/notepad', isTerminal: false });
  });
});

describe('editText', () => {
  const env = { EDITOR: process.execPath, PATH: '' };

  it('returns the edited text without its last line end and removes the file', async () => {
    let seen = '';
    const start = async (_editor: EditorStart, file: string) => {
      seen = file;
      appendFileSync(file, ' more\r\nlines\n\n');
    };
    expect(await editText('text', { env, start })).toEqual({ kind: 'text', text: 'text more\nlines\n' });
    expect(existsSync(seen)).toBe(false);
  });

  it('reports that the editor failed and removes the file', async () => {
    let seen = '';
    const start = async (_editor: EditorStart, file: string) => {
      seen = file;
      throw new Error('it ended with exit code 3');
    };
    expect(await editText('text', { env, start })).toEqual({
      kind: 'problem',
      message: expect.stringMatching(/^The editor .* could not be used: it ended with exit code 3$/),
    });
    expect(existsSync(seen)).toBe(false);
  });

  it('says what to do when there is no editor', async () => {
    const start = () => Promise.reject(new Error('nothing to start'));
    const edited = await editText('x', { env: { PATH: ['', 'relative'].join(delimiter) }, start });
    expect(edited).toEqual({ kind: 'problem', message: expect.stringContaining('/editor') });
  });
});
