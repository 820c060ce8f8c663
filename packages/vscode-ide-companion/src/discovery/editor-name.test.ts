import { describe, expect, it } from 'vitest';
import { editorInfo, isManaged } from './editor-name.js';

describe('editorInfo', () => {
  it.each([
    [{ ANTIGRAVITY_CLI_ALIAS: 'agy', CURSOR_TRACE_ID: 'x' }, 'antigravity'],
    [{ __COG_BASHRC_SOURCED: '1' }, 'devin'],
    [{ REPLIT_USER: 'x' }, 'replit'],
    [{ CURSOR_TRACE_ID: 'x' }, 'cursor'],
    [{ CODESPACES: 'true' }, 'codespaces'],
    [{ CLOUD_SHELL: 'true' }, 'cloudshell'],
    [{ TERM_PRODUCT: 'Trae' }, 'trae'],
    [{ MONOSPACE_ENV: 'true' }, 'firebasestudio'],
    [{ POSITRON: '1' }, 'positron'],
    [{}, 'vscode'],
  ])('%o is %s', (env, name) => {
    expect(editorInfo(env, 'Visual Studio Code - Insiders').name).toBe(name);
  });

  it('calls an unknown editor by its own name', () => {
    expect(editorInfo({}, 'VSCodium')).toEqual({ name: 'vscodefork', displayName: 'VSCodium' });
  });

  it('knows where the owner of the machine installs extensions', () => {
    expect(isManaged(editorInfo({ EDITOR_IN_CLOUD_SHELL: 'true' }, ''))).toBe(true);
    expect(isManaged(editorInfo({}, ''))).toBe(false);
  });
});
