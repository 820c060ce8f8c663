import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { convertPluginFolder } from './convert-folder.js';
import { convertFiles, temporaryFolder, writeFiles } from './plugins.test-helper.js';
import { readTree } from './read/plugin-tree.js';

describe('options of a conversion', () => {
  it('--context makes a file the context, --name names it, --exclude-skill leaves a skill out', async () => {
    const files = {
      'CLAUDE.md': 'Follow CLAUDE.md',
      'skills/a/SKILL.md': '---\nname: a\ndescription: A\n---\nA\n',
      'skills/b/SKILL.md': '---\nname: b\ndescription: B\n---\nB\n',
    };
    const { name, skills, text } = await convertFiles(files, {
      context: 'CLAUDE.md',
      name: 'Other Name',
      excludeSkills: ['b'],
    });
    expect([name, skills]).toEqual(['other-name', ['a']]);
    expect(text('GEMINI.md')).toContain('Follow GEMINI.md');
    expect(JSON.parse(text('gemini-extension.json'))).toMatchObject({ contextFileName: 'GEMINI.md' });
    for (const context of ['../x.md', 'skills', 'NO.md'])
      await expect(convertFiles(files, { context })).rejects.toThrow(`--context ${context}`);
  });

  it('--model-map translates models; without it those of Claude are inherited', async () => {
    const agent = (model: string) => `---\nname: a\ndescription: A\nmodel: ${model}\n---\nA\n`;
    const modelOf = async (model: string) => {
      const { text } = await convertFiles(
        { 'agents/a.md': agent(model) },
        { modelMap: { opus: 'gemini-x' } },
      );
      return /model: (.*)/.exec(text('agents/a.md'))?.[1];
    };
    expect(await modelOf('opus')).toBe('gemini-x');
    expect(await modelOf('sonnet')).toBe('inherit');
    expect(await modelOf('gemini-2.5-pro')).toBe('gemini-2.5-pro');
    expect(await modelOf('gpt-9')).toBe('inherit');
  });

  it('--all-files also copies folders that are left out otherwise', async () => {
    const files = {
      'commands/a.md': 'A',
      'node_modules/x/i.js': '1',
      '.github/w.yml': '2',
      '.git/HEAD': '3',
    };
    const paths = async (allFiles: boolean) => [...(await convertFiles(files, { allFiles })).files.keys()];
    expect(await paths(false)).toEqual(['commands/a.toml', 'gemini-extension.json']);
    expect(await paths(true)).toEqual([
      '.github/w.yml',
      'commands/a.toml',
      'gemini-extension.json',
      'node_modules/x/i.js',
    ]);
  });

  it('refuses a plugin of too many files before it reads them', () => {
    const root = writeFiles(temporaryFolder(), { 'd/1': '', 'd/2': '', 'd/3': '' });
    const read = (maxEntries: number) =>
      readTree(root, { skipNames: new Set(), skipFolders: [], maxEntries });
    expect(() => read(3)).toThrow(/too large for a plugin: over 3 files/);
    expect(read(4).files.size).toBe(3);
  });

  it('writes a folder for the installation completely or not at all', async () => {
    const root = temporaryFolder();
    const environment = { variables: {}, cwd: root, home: root };
    const folder = writeFiles(join(root, 'p'), { 'commands/a.md': 'A' });
    const checkCommands = () => Promise.resolve([{ level: 'warning' as const, message: 'wrong' }]);
    const into = join(root, 'new');
    await expect(convertPluginFolder({ folder, into, environment, checkCommands })).rejects.toThrow(
      /not valid, so nothing was written: wrong/,
    );
    expect(existsSync(into)).toBe(false);
    await convertPluginFolder({ folder, into, environment });
    expect(existsSync(join(into, 'commands/a.toml'))).toBe(true);
  });
});
