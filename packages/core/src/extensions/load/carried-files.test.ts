import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { folderWith } from '../extension-folders.test-helper.js';
import { carriedFiles } from './carried-files.js';

const IDENTITY = { name: 'demo', version: '1' };

describe('what an extension carries', () => {
  it('is nothing in a folder with a manifest only', () => {
    expect(carriedFiles(folderWith({ 'gemini-extension.json': IDENTITY }), IDENTITY)).toEqual({
      contextFiles: [],
    });
  });

  it('is found in the folders of the layout', () => {
    const dir = folderWith({
      'GEMINI.md': '',
      'hooks/hooks.json': '{}',
      'hooks.json': '{}',
      'skills/one/SKILL.md': '',
      'skills/notes/readme.md': '',
      'agents/b.md': '',
      'agents/a.md': '',
      'agents/_draft.md': '',
      'agents/deep/c.md': '',
      'agents/readme.txt': '',
      'commands/x.toml': '',
      'policies/p.toml': '',
    });
    expect(carriedFiles(dir, IDENTITY)).toEqual({
      contextFiles: [join(dir, 'GEMINI.md')],
      hooks: join(dir, 'hooks', 'hooks.json'),
      skills: ['one'],
      agents: ['a.md', 'b.md'],
      commandsFolder: join(dir, 'commands'),
      policiesFolder: join(dir, 'policies'),
    });
  });

  it('has the context files that the manifest names and that exist, compared with their case', () => {
    const dir = folderWith({ 'GEMINI.md': '', 'docs/rules.md': '', 'Own.md': '' });
    const files = (contextFileName: readonly string[]) =>
      carriedFiles(dir, { ...IDENTITY, contextFileName }).contextFiles;
    expect(files([join('docs', 'rules.md'), 'own.md', 'missing.md', 'docs'])).toEqual([
      join(dir, 'docs', 'rules.md'),
    ]);
    expect(files([])).toEqual([]);
  });

  it('has skills in further folders of the manifest, and in the folder of skills itself', () => {
    const dir = folderWith({
      'skills/SKILL.md': '',
      'packs/a/SKILL.md': '',
      'packs/node_modules/SKILL.md': '',
    });
    expect(carriedFiles(dir, { ...IDENTITY, skills: ['packs'] })).toMatchObject({
      skills: ['a', 'skills'],
      skillFolders: [join(dir, 'packs')],
    });
  });
});
