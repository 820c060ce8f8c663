import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, describe, expect, it } from 'vitest';
import type { AgentFolder } from '../definition/load-folder.js';
import { Acknowledgments } from './acknowledgments.js';
import { AgentFiles, type PendingAgent } from './agent-files.js';
import { AgentRegistry } from './agent-registry.js';

const folders: string[] = [];

afterEach(() => {
  for (const folder of folders.splice(0)) rmSync(folder, { recursive: true, force: true });
});

function makeProject(answer: boolean | 'nobody' = true) {
  const root = mkdtempSync(join(tmpdir(), 'agents-'));
  folders.push(root);
  const dirs = {
    user: join(root, 'home/agents'),
    project: join(root, 'p/.gemini/agents'),
    extension: join(root, 'e/agents'),
  };
  for (const dir of Object.values(dirs)) mkdirSync(dir, { recursive: true });
  const notices: string[] = [];
  const asked: PendingAgent[][] = [];
  const registry = new AgentRegistry({ warn: (message) => notices.push(message) });
  const store = join(root, 'home/acknowledgments/agents.json');
  const open = () =>
    new AgentFiles({
      registry,
      folders: (): AgentFolder[] => [
        { dir: dirs.user, kind: 'user' },
        { dir: dirs.project, kind: 'project', root: join(root, 'p') },
        { dir: dirs.extension, kind: 'extension', extensionName: 'ext', root: dirs.extension },
      ],
      acknowledgments: new Acknowledgments(store, join(root, 'p')),
      askToEnable: async (agents) => {
        asked.push([...agents]);
        return answer === 'nobody' ? undefined : answer;
      },
      notice: (message) => notices.push(message),
    });
  const write = (where: keyof typeof dirs, name: string, text: string) =>
    writeFileSync(join(dirs[where], name), text);
  return { root, dirs, notices, asked, registry, store, files: open(), open, write };
}

const agent = (name: string, description = 'Does it.') =>
  `---\nname: ${name}\ndescription: ${description}\n---\nWork.\n`;
const names = (registry: AgentRegistry) => registry.getAllAgents().map(({ name }) => name);

describe('agents of files', () => {
  it('asks once about two project files with one name, of which the last counts', async () => {
    const { open, registry, write, asked } = makeProject();
    write('project', 'a.md', agent('a', 'first'));
    write('project', 'b.md', agent('a', 'second'));
    await open().reload();
    expect(registry.getAgent('a')?.description).toBe('second');
    await open().reload();
    expect(asked.map((agents) => agents.map(({ description }) => description))).toEqual([['second']]);
    write('project', 'b.md', agent('a', 'third'));
    await open().reload();
    expect(asked[1]).toMatchObject([{ description: 'third', state: 'changed' }]);
  });

  it('registers user, project and extension files in this order', async () => {
    const { files, registry, write, notices } = makeProject();
    write('user', 'a.md', agent('a', 'user'));
    write('project', 'a.md', agent('a', 'project'));
    write('project', 'b.md', agent('b', 'project'));
    write('extension', 'b.md', agent('b', 'extension'));
    await files.reload();
    expect(registry.getAllAgents().map(({ name, description }) => `${name} ${description}`)).toEqual([
      'a project',
      'b extension',
    ]);
    expect(notices).toHaveLength(2);
    expect(notices.join()).toContain('b.md replaces that of');
  });

  it('reads direct files only, without those that begin with _', async () => {
    const { files, registry, write, dirs } = makeProject();
    write('user', '_draft.md', agent('draft'));
    write('user', 'note.txt', agent('note'));
    mkdirSync(join(dirs.user, 'sub'));
    writeFileSync(join(dirs.user, 'sub/nested.md'), agent('nested'));
    mkdirSync(join(dirs.user, 'folder.md'));
    await files.reload();
    expect(names(registry)).toEqual([]);
  });

  it('registers agents of the project only after the user has acknowledged them, once per content', async () => {
    const { files, open, registry, write, asked, store, root } = makeProject();
    write('project', 'a.md', agent('a'));
    await files.reload();
    expect(asked).toMatchObject([[{ name: 'a', description: 'Does it.', state: 'new' }]]);
    expect(names(registry)).toEqual(['a']);
    const saved = JSON.parse(readFileSync(store, 'utf8'));
    expect(saved).toEqual({ [join(root, 'p')]: { a: expect.stringMatching(/^[0-9a-f]{64}$/) } });

    await open().reload();
    expect(asked).toHaveLength(1);
    write('project', 'a.md', agent('a', 'Changed.'));
    await open().reload();
    expect(asked[1]).toMatchObject([{ name: 'a', state: 'changed' }]);
  });

  it('does not register agents that the user declines, and asks again next time', async () => {
    const { files, registry, write, asked, store, notices } = makeProject(false);
    write('project', 'a.md', agent('a'));
    write('user', 'b.md', agent('b'));
    expect((await files.reload()).skipped).toEqual(['a']);
    await files.reload();
    expect(names(registry)).toEqual(['b']);
    expect(asked).toHaveLength(2);
    expect(existsSync(store)).toBe(false);
    expect(notices).toEqual([]);
  });

  it('skips them with one line where no user can answer', async () => {
    const { files, registry, write, notices } = makeProject('nobody');
    write('project', 'a.md', agent('a'));
    await files.reload();
    await files.reload();
    expect(names(registry)).toEqual([]);
    expect(notices).toEqual([
      'The project agent a is not enabled: start gemini here without -p and acknowledge it first.',
    ]);
  });

  it('asks again when the file of acknowledgments is damaged, and keeps the damaged one', async () => {
    const { files, registry, write, asked, store, root } = makeProject();
    mkdirSync(join(root, 'home/acknowledgments'));
    writeFileSync(store, '{"broken');
    write('project', 'a.md', agent('__defineme__'));
    await files.reload();
    expect(asked).toHaveLength(1);
    expect(names(registry)).toEqual(['__defineme__']);
    expect(readFileSync(store, 'utf8')).toContain('"__defineme__": "');
    await files.reload();
    expect(asked).toHaveLength(1);
  });

  it('asks again when the credentials of an acknowledged remote agent change', async () => {
    const { files, write, asked } = makeProject();
    const remote = (more = '') =>
      `---\nkind: remote\nname: far\nagent_card_url: https://a.example/card\n${more}---\n`;
    write('project', 'far.md', remote());
    await files.reload();
    write('project', 'far.md', remote('description: New words.\n'));
    await files.reload();
    expect(asked).toHaveLength(1);
    write('project', 'far.md', remote('auth: {type: apiKey, key: "!curl evil.example"}\n'));
    await files.reload();
    expect(asked).toHaveLength(2);
  });

  it('reports totals and what is new, updated and deleted', async () => {
    const { files, write, dirs } = makeProject();
    write('user', 'a.md', agent('a'));
    write('user', 'b.md', agent('b'));
    expect(await files.reload()).toMatchObject({ total: 2, local: 2, remote: 0, added: ['a', 'b'] });
    write('user', 'a.md', agent('a', 'Better.'));
    rmSync(join(dirs.user, 'b.md'));
    write('user', 'c.md', '---\nkind: remote\nname: c\nagent_card_url: https://a.example\n---\n');
    write('user', 'd.md', 'nothing');
    expect(await files.reload()).toMatchObject({
      total: 2,
      local: 1,
      remote: 1,
      added: ['c'],
      updated: ['a'],
      deleted: ['b'],
      problems: [{ file: join(dirs.user, 'd.md') }],
    });
  });

  it('loads the other files when some are broken, and says each problem once', async () => {
    const { files, registry, write, notices } = makeProject();
    write('user', 'good.md', agent('good'));
    write('user', 'README.md', '# Our agents');
    for (const name of ['b1', 'b2', 'b3', 'b4', 'b5']) write('user', `${name}.md`, '---\ntools: x\n---\n');
    await files.reload();
    await files.reload();
    expect(names(registry)).toEqual(['good']);
    expect(notices).toHaveLength(4);
    expect(notices[0]).toMatch(/^Failed to load agent from .*b1\.md: the definition has 3 mistakes\./);
    expect(notices[3]).toContain('2 more agent files in');
  });

  it('says in one line that files of an extension are for Claude Code', async () => {
    const { files, write, notices } = makeProject();
    for (const name of ['x', 'y'])
      write('extension', `${name}.md`, `---\nname: ${name}\ndescription: D\ncolor: red\n---\n`);
    write('extension', 'AGENTS.md', 'For contributors.');
    write('extension', 'other.md', 'No header.');
    await files.reload();
    expect(notices).toEqual([
      "Extension ext: 2 agent files are in Claude Code's format; gemini extensions import converts them.",
    ]);
  });

  it('does not follow links out of the project, reads no devices, and refuses large files', async () => {
    const { files, registry, write, root, dirs } = makeProject();
    writeFileSync(join(root, 'secret.md'), agent('stolen'));
    symlinkSync(join(root, 'secret.md'), join(dirs.project, 'link.md'));
    symlinkSync('/dev/zero', join(dirs.project, 'zero.md'));
    symlinkSync(join(dirs.project, 'loop.md'), join(dirs.project, 'loop.md'));
    symlinkSync(join(root, 'secret.md'), join(dirs.user, 'own.md'));
    write('project', 'large.md', agent('large') + 'x'.repeat(10 * 1024 * 1024));
    const { problems } = await files.reload();
    // The user's own links are followed.
    expect(names(registry)).toEqual(['stolen']);
    expect(problems.map(({ issues }) => issues[0]?.message)).toEqual([
      'The file is larger than 1 MB',
      'The link leads out of the project',
      expect.stringContaining('loop'),
      'The link leads out of the project',
    ]);
  });

  it('keeps its state when a folder cannot be read', async () => {
    const { files, registry, write, dirs } = makeProject();
    write('user', 'a.md', agent('a'));
    chmodSync(dirs.extension, 0o000);
    await files.reload();
    chmodSync(dirs.extension, 0o700);
    expect(names(registry)).toEqual(['a']);
  });
});
