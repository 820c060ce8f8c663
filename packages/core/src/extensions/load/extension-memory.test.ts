/** Whatever changes in an extension, a start that remembers sees what a start without memory sees. */
import { renameSync, rmSync, statSync, symlinkSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { loadAgentFolder } from '../../agents/definition/load-folder.js';
import { hooksFromExtension } from '../../hooks/sources/extension-files.js';
import { FileMemory } from '../../platform/files/file-memory.js';
import { loadPolicies } from '../../policy/files/sources.js';
import { loadSkillRoot } from '../../skills/loader.js';
import { addFiles, folderWith } from '../extension-folders.test-helper.js';
import type { GeminiCLIExtension } from '../types.js';
import { INSTALL_METADATA_FILE, MANIFEST_FILE } from '../types.js';
import { extensionParts } from './extension-parts.js';
import { type LoadOptions, loadExtensions } from './load-extensions.js';

const WORK = '/home/me/work';
const MANIFEST = { name: 'demo', version: '1.0.0' };
const FILES = {
  [MANIFEST_FILE]: MANIFEST,
  'GEMINI.md': 'Rule 1',
  'hooks/hooks.json': '{"Notification": [{"hooks": [{"type": "command", "command": "aaaa"}]}]}',
  'skills/one/SKILL.md': '---\nname: one\ndescription: First\n---\nDo it.\n',
  'agents/helper.md': '---\nname: helper\ndescription: First\n---\nHelp.\n',
  'policies/p.toml': '[[rule]]\ntoolName = "read_file"\ndecision = "deny"\npriority = 1\n',
};

function home(): { globalDir: string; extension: string } {
  const globalDir = folderWith();
  const extension = join(globalDir, 'extensions', 'demo');
  addFiles(extension, FILES);
  return { globalDir, extension };
}

/** As of a start long after the last change. */
function memoryIn(globalDir: string): FileMemory {
  const now = () => Date.now() + 60_000;
  return new FileMemory({ file: join(globalDir, 'tmp', 'known.json'), program: '1', now });
}

function load(globalDir: string, more: Partial<LoadOptions> = {}) {
  const options = { globalDir, home: '/home/me', workspacePath: WORK, isTrusted: true };
  return loadExtensions({ ...options, variables: {}, settings: {}, ...more });
}

/** All that a start reads of extensions. */
async function start(globalDir: string, memory?: FileMemory, workspacePath = WORK) {
  const loaded = load(globalDir, { workspacePath, ...(memory && { memory }) });
  const variables = { workspacePath };
  const given = memory ? { memory } : {};
  const parts = await Promise.all(
    loaded.extensions.map(async ({ name, path }: GeminiCLIExtension) => ({
      hooks: await hooksFromExtension({ dir: path, name, variables, ...given }),
      skills: (
        await loadSkillRoot({ dir: join(path, 'skills'), source: 'extension', variables, ...given })
      ).skills.map((skill) => ({ ...skill })),
      agents: (
        await loadAgentFolder({
          dir: join(path, 'agents'),
          kind: 'extension',
          extensionName: name,
          variables,
          ...given,
        })
      ).definitions,
      policies: await loadPolicies({
        globalDir,
        environment: { home: '/home/me', variables: {} },
        trusted: true,
        interactive: false,
        adminDir: join(globalDir, 'none'),
        extensions: [{ name, path, ...given }],
      }),
    })),
  );
  memory?.keep();
  return { loaded, parts };
}

function keptAt(globalDir: string): bigint {
  return statSync(join(globalDir, 'tmp', 'known.json'), { bigint: true }).mtimeNs;
}

/** Remembers, changes, and starts again. */
async function expectSeen(change: (extension: string) => void): Promise<void> {
  const { globalDir, extension } = home();
  const before = await start(globalDir, memoryIn(globalDir));
  const written = keptAt(globalDir);
  expect(await start(globalDir, memoryIn(globalDir))).toEqual(before);
  // Nothing had to be read anew.
  expect(keptAt(globalDir)).toBe(written);
  change(extension);
  const after = await start(globalDir, memoryIn(globalDir));
  expect(after).toEqual(await start(globalDir));
  expect(after).not.toEqual(before);
}

/** The same size, and the same time of modification. */
function replaceIn(file: string, from: string, to: string, text: string): void {
  const { atime, mtime } = statSync(file);
  writeFileSync(file, text.replace(from, to));
  utimesSync(file, atime, mtime);
}

describe('a change of an installed extension is seen at the next start', () => {
  it.each([
    ['manifest', MANIFEST_FILE, '1.0.0', '1.0.1', JSON.stringify(MANIFEST)],
    ['hook', 'hooks/hooks.json', 'aaaa', 'bbbb', FILES['hooks/hooks.json']],
    ['skill', 'skills/one/SKILL.md', 'First', 'Other', FILES['skills/one/SKILL.md']],
    ['agent', 'agents/helper.md', 'First', 'Other', FILES['agents/helper.md']],
    ['policy', 'policies/p.toml', 'read_file', 'edit_file', FILES['policies/p.toml']],
  ])('of its %s, with the same size and the old time', async (_, name, from, to, text) => {
    await expectSeen((extension) => replaceIn(join(extension, name), from, to, text));
  });

  it.each([
    ['a skill', { 'skills/two/SKILL.md': '---\nname: two\ndescription: x\n---\n' }],
    ['an agent', { 'agents/second.md': '---\nname: second\ndescription: x\n---\nx' }],
    ['a policy', { 'policies/q.toml': '[[rule]]\ntoolName = "x"\ndecision = "deny"\npriority = 1\n' }],
    ['where it comes from', { [INSTALL_METADATA_FILE]: { source: 'https://x.example', type: 'git' } }],
    ['a folder of commands', { 'commands/c.toml': 'prompt = "x"' }],
  ])('when it gets %s', async (_, files) => {
    await expectSeen((extension) => addFiles(extension, files));
  });

  it.each(['GEMINI.md', 'hooks', 'skills/one', 'agents/helper.md', 'policies/p.toml', MANIFEST_FILE])(
    'when it loses %s',
    async (name) => {
      await expectSeen((extension) => rmSync(join(extension, name), { recursive: true }));
    },
  );

  it('when its folder is replaced by another version', async () => {
    await expectSeen((extension) => {
      renameSync(extension, `${extension}.old`);
      addFiles(extension, { ...FILES, [MANIFEST_FILE]: { ...MANIFEST, version: '2' } });
      rmSync(`${extension}.old`, { recursive: true });
    });
  });

  it('when its manifest is a link, and the file behind it changes', async () => {
    const { globalDir, extension } = home();
    const real = join(extension, 'real.json');
    renameSync(join(extension, MANIFEST_FILE), real);
    symlinkSync('real.json', join(extension, MANIFEST_FILE));
    await start(globalDir, memoryIn(globalDir));
    replaceIn(real, '1.0.0', '1.0.1', JSON.stringify(MANIFEST));
    const { loaded } = await start(globalDir, memoryIn(globalDir));
    expect(loaded.extensions[0]?.version).toBe('1.0.1');
  });

  it('when it is a link that leads elsewhere now', async () => {
    const { globalDir, extension } = home();
    const [one, two] = ['1', '2'].map((version) =>
      folderWith({ ...FILES, [MANIFEST_FILE]: { ...MANIFEST, version } }),
    );
    rmSync(extension, { recursive: true });
    symlinkSync(one ?? '', extension);
    await start(globalDir, memoryIn(globalDir));
    rmSync(extension);
    symlinkSync(two ?? '', extension);
    const { loaded } = await start(globalDir, memoryIn(globalDir));
    expect(loaded.extensions).toMatchObject([{ version: '2', path: two }]);
  });
});

describe('what a start remembers of extensions', () => {
  it('is of this workspace where a text names it, and of any other one elsewhere', async () => {
    const { globalDir, extension } = home();
    const server = { command: 'node', args: ['${workspacePath}/x.js'] };
    addFiles(extension, {
      [MANIFEST_FILE]: { ...MANIFEST, mcpServers: { server } },
      'agents/helper.md': '---\nname: helper\ndescription: In ${workspacePath}\n---\nHelp.\n',
      'skills/one/SKILL.md': '---\nname: one\ndescription: In ${workspacePath}\n---\nDo it.\n',
    });
    for (const workspace of ['/one', '/two', '/two'])
      expect(await start(globalDir, memoryIn(globalDir), workspace)).toEqual(
        await start(globalDir, undefined, workspace),
      );
  });

  it('does not decide: sources, enablement and variables are judged anew', async () => {
    const { globalDir, extension } = home();
    addFiles(extension, {
      [MANIFEST_FILE]: { ...MANIFEST, plan: { directory: '$PLANS' } },
      [INSTALL_METADATA_FILE]: { source: 'https://x.example', type: 'git' },
    });
    const loadAgain = (more: Partial<LoadOptions>) => {
      const memory = memoryIn(globalDir);
      const loaded = load(globalDir, { ...more, memory });
      memory.keep();
      return loaded;
    };
    expect(loadAgain({ variables: { PLANS: 'one' } }).extensions[0]?.plan).toEqual({ directory: 'one' });
    expect(loadAgain({ variables: { PLANS: 'two' } }).extensions[0]?.plan).toEqual({ directory: 'two' });
    expect(loadAgain({ settings: { security: { blockGitExtensions: true } } }).extensions).toEqual([]);
    expect(loadAgain({ settings: { extensions: { disabled: ['demo'] } } }).extensions[0]?.isActive).toBe(
      false,
    );
    expect(loadAgain({ settings: { admin: { extensions: { enabled: false } } } }).extensions).toEqual([]);
    addFiles(globalDir, { 'extensions/extension-enablement.json': { demo: { overrides: ['!/home/*'] } } });
    expect(loadAgain({}).extensions[0]?.isActive).toBe(false);
  });

  it('leaves out what is broken, which is reported each time', async () => {
    const { globalDir, extension } = home();
    addFiles(extension, { [MANIFEST_FILE]: '{', 'policies/p.toml': '[[rule' });
    for (const _ of [1, 2]) expect(load(globalDir, { memory: memoryIn(globalDir) }).problems).toHaveLength(1);
  });

  it('is in one file below the user’s folder', async () => {
    const { globalDir } = home();
    const request = { globalDir, home: '/home/me', workspacePath: WORK, isTrusted: true };
    const parts = await extensionParts({ ...request, variables: {}, settings: {}, readsSettings: true });
    expect(parts.extensionMemory?.file).toBe(join(globalDir, 'tmp', 'extension-files.json'));
  });
});
