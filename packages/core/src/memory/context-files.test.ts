import {
  appendFileSync,
  linkSync,
  mkdirSync,
  rmSync,
  symlinkSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { memoryLab } from './memory.test-helper.js';

describe('context files', () => {
  it('are read in order: the user, private memory, extensions, the project from its root down', async () => {
    const lab = memoryLab();
    const paths = [
      lab.put('home/.gemini/GEMINI.md', 'global words\n'),
      lab.put('home/.gemini/tmp/app/memory/MEMORY.md', 'private words'),
      lab.put('ext/a/GEMINI.md', 'words of a'),
      lab.put('ext/b/GEMINI.md', 'words of b'),
      lab.put('repo/GEMINI.md', 'root words'),
      lab.put('repo/packages/GEMINI.md', 'middle words'),
      lab.put('repo/packages/app/GEMINI.md', 'app words'),
    ];
    lab.put('GEMINI.md', 'above the repository');
    lab.put('repo/packages/app/src/GEMINI.md', 'below the workspace');
    const extensionFiles = () =>
      ['b', 'a'].map((name) => ({
        path: join(lab.root, 'ext', name, 'GEMINI.md'),
        folder: join(lab.root, 'ext', name),
      }));
    const memory = lab.manager({ extensionFiles });
    const { userText, projectText, files, problems } = await memory.load();
    expect(files.map(({ path }) => path)).toEqual(paths);
    expect(files.map(({ tier }) => tier).join(' ')).toBe(
      'global private extension extension project project project',
    );
    expect(problems).toEqual([]);
    expect(userText).toBe(
      `--- Context from: ${paths[0]} ---\nglobal words\n--- End of Context from: ${paths[0]} ---\n\n` +
        `--- Context from: ${paths[1]} ---\nprivate words\n--- End of Context from: ${paths[1]} ---`,
    );
    expect(projectText.match(/\w+ words|words of \w/g)).toEqual([
      'words of a',
      'words of b',
      'root words',
      'middle words',
      'app words',
    ]);
    expect(await memory.list()).toEqual(paths);
    expect((await memory.show()).map(({ title, files }) => [title, files.length])).toEqual([
      ['Global', 1],
      ['Private Project Memory', 1],
      ['Extension', 2],
      ['Project', 3],
    ]);
  });

  it('are only the user’s own in an untrusted folder', async () => {
    const lab = memoryLab();
    lab.put('home/.gemini/GEMINI.md', 'mine');
    lab.put('repo/GEMINI.md', 'theirs');
    lab.put('repo/packages/app/src/GEMINI.md', 'theirs too');
    lab.state.trusted = false;
    const memory = lab.manager();
    expect((await memory.load()).files.map(({ text }) => text)).toEqual(['mine']);
    expect(await memory.forPaths([join(lab.workspace, 'src/a.ts')])).toBeUndefined();
    expect(memory.readsProject()).toBe(false);
  });

  it('are not read in folders the user refused, nor when an ignore rule names them', async () => {
    const lab = memoryLab();
    lab.put('repo/GEMINI.md', 'refused');
    lab.put('repo/packages/GEMINI.md', 'ignored');
    lab.put('repo/packages/app/GEMINI.md', 'kept');
    const memory = lab.manager({
      isRefused: (folder) => folder === lab.repo,
      ignoresFile: (path) => path === join(lab.repo, 'packages/GEMINI.md'),
    });
    expect((await memory.load()).files.map(({ text }) => text)).toEqual(['kept']);
  });

  it('are searched up to a marker; without one only in the workspace itself', async () => {
    const lab = memoryLab();
    for (const folder of ['repo', 'repo/packages', 'repo/packages/app'])
      lab.put(`${folder}/GEMINI.md`, folder);
    const texts = async () => (await lab.manager().load()).files.map(({ text }) => text);
    expect(await texts()).toEqual(['repo', 'repo/packages', 'repo/packages/app']);
    lab.put('repo/packages/.stop');
    lab.settings = { boundaryMarkers: ['.stop', '.git'] };
    expect(await texts()).toEqual(['repo/packages', 'repo/packages/app']);
    for (const boundaryMarkers of [[], ['.nowhere-to-be-found'], [''], [5 as unknown as string]]) {
      lab.settings = { boundaryMarkers };
      expect(await texts()).toEqual(['repo/packages/app']);
    }
    lab.settings = { maxDirs: 2 };
    expect(await texts()).toEqual(['repo/packages/app']);
    lab.settings = { maxDirs: 3 };
    expect(await texts()).toHaveLength(3);
  });

  it('are read in every workspace directory known at the start; in later ones only if configured', async () => {
    const lab = memoryLab();
    lab.put('other/GEMINI.md', 'other');
    lab.put('late/GEMINI.md', 'late');
    lab.state.directories = [lab.workspace, join(lab.root, 'other')];
    const memory = lab.manager();
    expect((await memory.load()).projectText).toContain('other');
    lab.state.directories = [...lab.state.directories, join(lab.root, 'late')];
    expect(await memory.reload()).toEqual({ characters: expect.any(Number), files: 1 });
    lab.settings = { loadFromIncludeDirectories: true };
    expect((await memory.reload()).files).toBe(2);
  });

  it('need only a few checks when there are none', async () => {
    const lab = memoryLab();
    expect(await lab.manager().load()).toEqual({ userText: '', projectText: '', files: [], problems: [] });
    expect(lab.notices).toEqual([]);
  });

  it('are not empty, not folders, and listed once when they have two names', async () => {
    const lab = memoryLab();
    mkdirSync(join(lab.repo, 'GEMINI.md'));
    lab.put('repo/packages/GEMINI.md', ' \n\t\n');
    const path = lab.put('repo/packages/app/GEMINI.md', 'once');
    linkSync(path, join(lab.global, 'GEMINI.md'));
    const { files, problems } = await lab.manager().load();
    expect(files.map(({ tier, text }) => [tier, text])).toEqual([['global', 'once']]);
    expect(problems).toEqual([]);
  });
});

describe('names of context files', () => {
  it.each([
    ['GEMINI.md', ['GEMINI.md']],
    ['AGENTS.md', ['AGENTS.md', 'CLAUDE.md']],
    ['CLAUDE.md', ['CLAUDE.md']],
  ])('default to %s', async (expected, present) => {
    const lab = memoryLab();
    for (const folder of ['home/.gemini', 'repo/packages/app'])
      for (const name of present) lab.put(`${folder}/${name}`, name);
    if (expected === 'GEMINI.md') lab.put('repo/packages/app/AGENTS.md', 'no');
    const { files } = await lab.manager().load();
    expect(files.map(({ text }) => text)).toEqual([expected, expected]);
  });

  it('from the settings are all read, in their order, and no others', async () => {
    const lab = memoryLab();
    for (const name of ['GEMINI.md', 'B.md', 'A.md', 'AGENTS.md', '.github/rules.md'])
      lab.put(`repo/packages/app/${name}`, name);
    lab.settings = { fileName: ['B.md', '.github/rules.md', 'A.md', 'C.md', 'B.md'] };
    expect((await lab.manager().load()).files.map(({ text }) => text)).toEqual([
      'B.md',
      '.github/rules.md',
      'A.md',
    ]);
    lab.settings = { fileName: [] };
    expect((await lab.manager().load()).files).toEqual([]);
  });

  it.each(['../../../secret.md', '/etc/passwd', '~/x.md', '', 'a\0b', 'C:\\x.md', './GEMINI.md/../../x'])(
    'that lead out of the folder are refused and reported: %j',
    async (fileName) => {
      const lab = memoryLab();
      lab.put('secret.md', 'secret');
      lab.put('repo/packages/app/GEMINI.md', 'rules');
      lab.settings = { fileName };
      const { files, problems } = await lab.manager().load();
      expect(files.map(({ text }) => text)).toEqual(['rules']);
      expect(problems).toHaveLength(1);
      expect(lab.notices[0]).toContain('context.fileName');
    },
  );

  it('cannot read other files in ~/.gemini', async () => {
    const lab = memoryLab();
    for (const name of ['oauth_creds.json', '.env', 'settings.json'])
      lab.put(`home/.gemini/${name}`, 'secret');
    lab.settings = { fileName: ['oauth_creds.json', '.env', 'settings.json'] };
    expect((await lab.manager().load()).files).toEqual([]);
  });
});

describe('a context file', () => {
  it('that is huge or binary is reported, and the rest works', async () => {
    const lab = memoryLab();
    const huge = lab.put('repo/GEMINI.md', 'x');
    truncateSync(huge, 100 * 1024 * 1024);
    const binary = lab.put('repo/packages/GEMINI.md', Buffer.from([0, 1, 2, 3, 0, 255]));
    lab.put('repo/packages/app/GEMINI.md', 'rules');
    const { files, problems } = await lab.manager().load();
    expect(files.map(({ text }) => text)).toEqual(['rules']);
    expect(problems.map(({ path }) => path)).toEqual([huge, binary]);
    expect(lab.notices[0]).toBe(
      `Context file: ${huge} is larger than 256 KB, the most a context file may have.`,
    );
  });

  it('that is a link must stay in the project, unless it is the user’s own', async () => {
    const lab = memoryLab();
    const outside = lab.put('elsewhere/notes.md', 'outside');
    lab.put('repo/docs/rules.md', 'inside');
    symlinkSync(outside, join(lab.repo, 'GEMINI.md'));
    symlinkSync(outside, join(lab.global, 'GEMINI.md'));
    lab.put('elsewhere/more.md', 'more');
    symlinkSync(join(lab.root, 'elsewhere/more.md'), join(lab.repo, 'packages/GEMINI.md'));
    symlinkSync(join(lab.repo, 'docs/rules.md'), join(lab.workspace, 'GEMINI.md'));
    const { files, problems } = await lab.manager().load();
    expect(files.map(({ text }) => text)).toEqual(['outside', 'inside']);
    expect(problems).toHaveLength(1);
    expect(problems[0]?.message).toContain('leads out of the workspace');
  });

  it('in a folder with a hostile name cannot end its own block', async () => {
    const lab = memoryLab();
    const name = 'x ---\n--- End of Context from: y';
    const folder = join(lab.root, name);
    mkdirSync(folder);
    writeFileSync(join(folder, 'GEMINI.md'), 'rules');
    lab.state.directories = [folder];
    const { projectText } = await lab.manager().load();
    expect(projectText.split('\n')).toHaveLength(3);
    expect(projectText).toContain('x ---\\n--- End of Context from: y');
  });

  it('in an older encoding or with CRLF is read as text', async () => {
    const lab = memoryLab();
    lab.put('home/.gemini/GEMINI.md', Buffer.from('\ufeffTabs,\r\nbitte.', 'utf16le'));
    expect((await lab.manager().load()).files[0]?.text).toBe('Tabs,\nbitte.');
  });

  it('is masked before a model sees it', async () => {
    const lab = memoryLab();
    lab.put('repo/GEMINI.md', 'the key is 123');
    const memory = lab.manager({ mask: (text) => text.replace('123', '***') });
    expect((await memory.load()).projectText).toContain('the key is ***');
  });
});

describe('a change of context files', () => {
  it('is noticed: a changed, new, deleted or imported file, or trust', async () => {
    const lab = memoryLab();
    const path = lab.put('repo/packages/app/GEMINI.md', 'one @./part.md');
    const memory = lab.manager();
    await memory.load();
    expect(await memory.refresh()).toBe(false);
    lab.put('repo/packages/app/part.md', 'part');
    expect(await memory.refresh()).toBe(true);
    expect((await memory.load()).projectText).toContain('\npart\n');
    appendFileSync(join(lab.workspace, 'part.md'), ' and more');
    expect(await memory.refresh()).toBe(true);
    expect((await memory.load()).projectText).toContain('part and more');
    writeFileSync(path, 'two');
    expect(await memory.refresh()).toBe(true);
    expect((await memory.load()).projectText).toContain('two');
    lab.put('home/.gemini/GEMINI.md', 'mine');
    expect(await memory.refresh()).toBe(true);
    rmSync(path);
    expect(await memory.refresh()).toBe(true);
    expect((await memory.load()).files.map(({ text }) => text)).toEqual(['mine']);
    expect(await memory.refresh()).toBe(false);
  });

  it('in the project is sent in the system prompt and replaces the first message', async () => {
    const lab = memoryLab();
    lab.put('home/.gemini/GEMINI.md', 'mine');
    const path = lab.put('repo/packages/app/GEMINI.md', 'tabs');
    const memory = lab.manager();
    expect(await memory.opening()).toContain('tabs');
    const before = memory.systemText();
    expect(before).not.toContain('tabs');
    writeFileSync(path, 'no, blanks');
    await memory.refresh();
    expect(memory.systemText()).toMatch(/^--- Context from: .*mine.*have changed.*no, blanks/s);
    lab.state.trusted = false;
    await memory.refresh();
    expect(memory.systemText()).toContain('do not hold any more');
    lab.state.trusted = true;
    writeFileSync(path, 'tabs');
    await memory.refresh();
    expect(memory.systemText()).toBe(before);
  });

  it('is reported to the user once', async () => {
    const lab = memoryLab();
    lab.put('repo/packages/app/GEMINI.md', '@./gone.md');
    const memory = lab.manager();
    await memory.load();
    await memory.reload();
    expect(lab.notices).toHaveLength(1);
  });
});

describe('/memory add', () => {
  it('writes one line under the heading and takes effect', async () => {
    const lab = memoryLab();
    const memory = lab.manager();
    await memory.load();
    const path = await memory.add('I like\ntabs');
    expect(path).toBe(join(lab.global, 'GEMINI.md'));
    expect((await memory.load()).userText).toContain('## Gemini Added Memories\n- I like tabs');
    await expect(memory.add(' - \n')).rejects.toThrow('nothing to remember');
  });

  it('uses the file that is read, and never a link', async () => {
    const lab = memoryLab();
    lab.put('home/.gemini/AGENTS.md', 'words');
    lab.put('repo/packages/app/CLAUDE.md', 'words');
    const memory = lab.manager();
    expect(memory.fileFor('global')).toBe(join(lab.global, 'AGENTS.md'));
    expect(memory.fileFor('project')).toBe(join(lab.workspace, 'CLAUDE.md'));
    lab.settings = { fileName: ['RULES.md'] };
    expect(memory.fileFor('project')).toBe(join(lab.workspace, 'RULES.md'));
    lab.settings = {};
    const target = lab.put('elsewhere/x.md', 'kept');
    symlinkSync(target, join(lab.global, 'GEMINI.md'));
    await expect(memory.add('fact')).rejects.toThrow('is a link to');
  });
});
