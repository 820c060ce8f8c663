import { describe, expect, it } from 'vitest';
import { chooseEditor, installedEditors } from './editors.js';

const files = { before: '/t/old.ts', after: '/t/new.ts' };
const find = (program: string) => (program === 'missing' ? undefined : `/bin/${program}`);
const started = (choice: Parameters<typeof chooseEditor>[0]) => chooseEditor({ find, ...choice })?.(files);

describe('chooseEditor', () => {
  it.each([
    ['vscode', '/bin/code', ['--wait', '--diff', '/t/old.ts', '/t/new.ts'], false],
    ['cursor', '/bin/cursor', ['--wait', '--diff', '/t/old.ts', '/t/new.ts'], false],
    ['zed', '/bin/zed', ['--wait', '/t/new.ts'], false],
    ['sublimetext', '/bin/subl', ['--wait', '/t/new.ts'], false],
    ['hx', '/bin/hx', ['--vsplit', '/t/old.ts', '/t/new.ts'], true],
    ['nano', '/bin/nano', ['/t/new.ts'], true],
  ])('starts %s so that it waits', (preferred, file, args, isTerminal) => {
    expect(started({ preferred, env: {} })).toEqual({ name: preferred, file, args, isTerminal });
  });

  it('keeps contents from configuring the editor', () => {
    for (const preferred of ['vim', 'neovim'])
      expect(started({ preferred, env: {} })?.args.join(' ')).toContain(
        '--cmd set nomodeline -d /t/old.ts /t/new.ts',
      );
    for (const preferred of ['emacs', 'emacsclient']) {
      const args = started({ preferred, env: {} })?.args.join(' ');
      expect(args).toContain('enable-local-variables nil');
      expect(args).toContain('(ediff-files "/t/old.ts" "/t/new.ts")');
    }
  });

  it('opens a new window of the VS Code family on request', () => {
    expect(started({ preferred: 'vscode', newWindow: true, env: {} })?.args[0]).toBe('--new-window');
    expect(started({ preferred: 'vim', newWindow: true, env: {} })?.args).not.toContain('--new-window');
  });

  it('reads VISUAL before EDITOR, with options and quotes', () => {
    const env = { VISUAL: 'code --wait --profile "my own"', EDITOR: 'nano' };
    expect(started({ env })).toEqual({
      name: 'code',
      file: '/bin/code',
      args: ['--profile', 'my own', '--wait', '--diff', '/t/old.ts', '/t/new.ts'],
      isTerminal: false,
    });
    expect(started({ env: { EDITOR: '/opt/my-editor -x' } })).toEqual({
      name: 'my-editor',
      file: '/opt/my-editor',
      args: ['-x', '/t/new.ts'],
      isTerminal: true,
    });
  });

  it('returns undefined when no editor is installed', () => {
    expect(started({ env: {} })).toBeUndefined();
    expect(started({ env: { EDITOR: '  ' } })).toBeUndefined();
    expect(started({ env: { EDITOR: 'missing' } })).toBeUndefined();
    expect(started({ preferred: 'unheard-of', env: { EDITOR: 'vim' } })).toBeUndefined();
    expect(started({ preferred: 'vim', env: {}, isSandboxed: true })).toBeUndefined();
  });

  it('ignores relative entries of PATH', () => {
    expect(installedEditors({ PATH: '.:./node_modules/.bin:' })).toEqual([]);
  });
});
