import { chmodSync, existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { afterEach, describe, expect, it } from 'vitest';
import { editorCommand } from './editor-command.js';
import { editText } from './external-editor.js';

describe('which editor', () => {
  const find = (program: string) => (program === 'missing' ? undefined : `/bin/${program}`);
  const choose = (env: Record<string, string>, preferred?: string, platform: NodeJS.Platform = 'linux') =>
    editorCommand({ env, preferred, platform, find });

  it.each<[string, Record<string, string>, string | undefined, object]>([
    [
      'the setting first',
      { VISUAL: 'nano' },
      'vscode',
      { file: '/bin/code', args: ['--wait'], isTerminal: false },
    ],
    ['then VISUAL', { VISUAL: 'nano', EDITOR: 'vim' }, undefined, { file: '/bin/nano', isTerminal: true }],
    ['then EDITOR', { EDITOR: 'emacs -nw' }, undefined, { file: '/bin/emacs', args: ['-nw'] }],
    ['a path with blanks', { EDITOR: '"/my apps/ed" -x' }, undefined, { file: '/my apps/ed', args: ['-x'] }],
    ['a window that has to wait', { EDITOR: 'code' }, undefined, { args: ['--wait'], isTerminal: false }],
    ['what waits already', { EDITOR: 'code -w' }, undefined, { args: ['-w'] }],
    ['vim when nothing is said', {}, undefined, { file: '/bin/vim', isTerminal: true }],
    ['vim when EDITOR is not there', { EDITOR: 'missing' }, undefined, { file: '/bin/vim' }],
    ['nothing wrong by an unknown setting', { EDITOR: 'nano' }, 'constructor', { file: '/bin/nano' }],
  ])('%s', (_, env, preferred, expected) => expect(choose(env, preferred)).toMatchObject(expected));

  it('is Notepad on Windows when nothing is said', () => {
    expect(choose({}, undefined, 'win32')).toMatchObject({ file: '/bin/notepad', isTerminal: false });
  });
});

describe('editing elsewhere', () => {
  const directory = mkdtempSync(join(tmpdir(), 'editor-test-'));
  afterEach(() => rmSync(join(directory, 'seen'), { force: true }));
  /** An editor that is a program of its own; it writes down which file it was given. */
  function editor(body: string): string {
    const path = join(directory, `editor-${Math.abs(hash(body))}.cjs`);
    writeFileSync(
      path,
      `#!${process.execPath}\nconst fs = require('fs'); const file = process.argv[2];\n${body}\n`,
    );
    chmodSync(path, 0o755);
    return path;
  }
  const run = (text: string, program: string) => {
    const screen: string[] = [];
    const port = { giveAway: () => void screen.push('away'), takeBack: () => void screen.push('back') };
    return editText(text, { env: { EDITOR: program, PATH: '' }, screen: port }).then((edited) => ({
      edited,
      screen,
    }));
  };

  it('gives the text back without its last line end, the screen too, and leaves no file', async () => {
    const seen = join(directory, 'seen');
    const program = editor(
      `fs.writeFileSync(${JSON.stringify(seen)}, file); fs.writeFileSync(file, fs.readFileSync(file, 'utf8') + ' more\\r\\nlines\\n\\n');`,
    );
    const { edited, screen } = await run('text', program);
    expect(edited).toEqual({ kind: 'text', text: 'text more\nlines\n' });
    expect(screen).toEqual(['away', 'back']);
    expect(existsSync(readFileSync(seen, 'utf8'))).toBe(false);
  });

  it('keeps the prompt when the editor fails, and says so', async () => {
    const { edited, screen } = await run('text', editor('process.exit(3)'));
    expect(edited).toEqual({ kind: 'problem', message: expect.stringContaining('exit code 3') });
    expect(screen).toEqual(['away', 'back']);
  });

  it('says what to do when there is no editor', async () => {
    const screen = { giveAway: () => {}, takeBack: () => {} };
    const edited = await editText('x', { env: { PATH: ['', 'relative'].join(delimiter) }, screen });
    expect(edited).toEqual({ kind: 'problem', message: expect.stringContaining('/editor') });
  });
});

function hash(text: string): number {
  let value = 0;
  for (const char of text) value = (value * 31 + char.charCodeAt(0)) | 0;
  return value;
}
