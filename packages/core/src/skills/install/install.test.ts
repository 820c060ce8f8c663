import {
  existsSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  statSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { tempDir } from '@gemini-cli/test-utils';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { loadSkillsFromDir } from '../loader.js';
import { writeSkill, writeText } from '../skills.test-helper.js';
import { installSkill, linkSkill, planInstallation, type SkillScope, uninstallSkill } from './install.js';
import { openFolder, openSource, type SourceRequest } from './source.js';
import { zipOf } from './zip.test-helper.js';

let dir: { path: string; cleanup: () => void };
let places: { globalDir: string; projectRoot: string };
beforeEach(() => {
  dir = tempDir();
  places = { globalDir: join(dir.path, 'home/.gemini'), projectRoot: join(dir.path, 'project') };
  mkdirSync(places.projectRoot, { recursive: true });
});
afterEach(() => dir.cleanup());

const request = (source: string, more: Partial<SourceRequest> = {}): SourceRequest => ({
  source,
  cwd: dir.path,
  home: join(dir.path, 'home'),
  variables: { TMPDIR: dir.path },
  ...more,
});

async function install(source: string, scope: SkillScope = 'user', more: Partial<SourceRequest> = {}) {
  const opened = await openSource(request(source, more));
  try {
    const planned = planInstallation(opened.skills, scope, places);
    for (const skill of planned) installSkill(skill);
    return planned;
  } finally {
    opened.close();
  }
}

describe('installing skills', () => {
  it('copies all skills of a folder into the folder of the scope', async () => {
    writeSkill(join(dir.path, 'source'), 'a');
    writeSkill(join(dir.path, 'source'), 'b');
    writeText(join(dir.path, 'source/a/scripts/run.sh'), 'x');
    writeText(join(dir.path, 'source/a/.git/config'), 'x');
    expect((await install('source')).map(({ to }) => to)).toEqual([
      join(places.globalDir, 'skills/a'),
      join(places.globalDir, 'skills/b'),
    ]);
    expect(readdirSync(join(places.globalDir, 'skills/a')).sort()).toEqual(['SKILL.md', 'scripts']);
    await install('source/a', 'workspace');
    expect(existsSync(join(places.projectRoot, '.gemini/skills/a/SKILL.md'))).toBe(true);
  });

  it('takes the skills of an archive, whose top is one skill', async () => {
    const entries = [
      { name: 'SKILL.md', data: '---\nname: packed\ndescription: d\n---\n' },
      { name: 'scripts/run.cjs', data: '1', mode: 0o100755 },
    ];
    writeFileSync(join(dir.path, 'packed.skill'), zipOf(entries));
    await install('packed.skill');
    expect(statSync(join(places.globalDir, 'skills/packed/scripts/run.cjs')).mode & 0o777).toBe(0o755);
    expect(readdirSync(dir.path).filter((name) => name.startsWith('gemini-skill-'))).toEqual([]);
  });

  it('looks into the usual folders of a repository, and --path chooses one', async () => {
    writeSkill(join(dir.path, 'repo/skills'), 'a');
    writeSkill(join(dir.path, 'repo/more/skills'), 'b');
    expect((await install('repo')).map(({ name }) => name)).toEqual(['a']);
    expect((await install('repo', 'user', { path: 'more/skills/b' })).map(({ name }) => name)).toEqual(['b']);
    await expect(install('repo', 'user', { path: 'more' })).rejects.toThrow('No skill found');
    await expect(install('repo', 'user', { path: 'none' })).rejects.toThrow('There is no folder "none"');
  });

  it('refuses a path that leaves the source', async () => {
    writeSkill(join(dir.path, 'other'), 'a');
    writeSkill(join(dir.path, 'repo'), 'b');
    symlinkSync(join(dir.path, 'other'), join(dir.path, 'repo/link'));
    for (const path of ['..', '../other', join(dir.path, 'other'), 'link'])
      await expect(install('repo', 'user', { path }), path).rejects.toThrow('must stay inside');
  });

  it('replaces an installed skill, and keeps it when the new one cannot be copied', async () => {
    writeSkill(join(dir.path, 'source'), 'a', { body: 'one' });
    await install('source');
    writeText(join(places.globalDir, 'skills/a/old.txt'), '');
    writeSkill(join(dir.path, 'source'), 'a', { body: 'two' });
    const [planned] = await install('source');
    expect(planned?.replaces).toBe('folder');
    expect(readdirSync(join(places.globalDir, 'skills/a'))).toEqual(['SKILL.md']);
    symlinkSync('/etc/passwd', join(dir.path, 'source/a/link'));
    await expect(install('source')).rejects.toThrow('is a link that leaves the skill');
    expect(readFileSync(join(places.globalDir, 'skills/a/SKILL.md'), 'utf8')).toContain('two');
    expect(readdirSync(places.globalDir)).toEqual(['skills']);
  });

  it('can be killed at any moment: the old skill or the new one is loaded, and the next installation cleans up', async () => {
    writeSkill(join(dir.path, 'source'), 'a', { body: 'new' });
    const root = join(places.globalDir, 'skills');
    const bodies = async () => (await loadSkillsFromDir(root)).map(({ body }) => body);
    // Killed after the old one was set aside.
    writeSkill(root, '.old-a', { name: 'a', body: 'old' });
    expect(await bodies()).toEqual(['old']);
    const [planned] = await install('source');
    expect(planned?.replaces).toBeUndefined();
    expect(await bodies()).toEqual(['new']);
    // Killed before the old one was removed: of one name the later folder counts.
    writeSkill(root, '.old-a', { name: 'a', body: 'old' });
    expect(await bodies()).toEqual(['old', 'new']);
    // Killed while copying, long ago and just now.
    const copies = ['.skill-1', '.skill-2'].map((name) => join(places.globalDir, name));
    for (const copy of copies) mkdirSync(copy);
    utimesSync(copies[0] ?? '', 1, 1);
    await install('source');
    expect(readdirSync(root)).toEqual(['a']);
    expect(readdirSync(places.globalDir).sort()).toEqual(['.skill-2', 'skills']);
    writeSkill(root, '.old-a', { name: 'a', body: 'old' });
    await uninstallSkill('a', 'user', places);
    expect(readdirSync(root)).toEqual([]);
  });

  it('copies links that stay inside, and gives no file more rights than it needs', async () => {
    writeSkill(join(dir.path, 'source'), 'a');
    symlinkSync('SKILL.md', join(dir.path, 'source/a/README.md'));
    writeFileSync(join(dir.path, 'source/a/tool'), '', { mode: 0o777 });
    await install('source');
    expect(readlinkSync(join(places.globalDir, 'skills/a/README.md'))).toBe('SKILL.md');
    expect(statSync(join(places.globalDir, 'skills/a/tool')).mode & 0o777).toBe(0o755);
  });

  it('stays in the folder of skills whatever a skill calls itself', async () => {
    writeText(join(dir.path, 'source/x/SKILL.md'), '---\nname: "../../x"\ndescription: d\n---\n');
    writeText(join(dir.path, 'source/y/SKILL.md'), '---\nname: .hidden name\ndescription: d\n---\n');
    expect((await install('source')).map(({ to }) => to)).toEqual([
      join(places.globalDir, 'skills/-..-x'),
      join(places.globalDir, 'skills/hidden-name'),
    ]);
  });

  it('refuses two skills with one name, and a project folder that leads elsewhere', async () => {
    writeSkill(join(dir.path, 'source'), 'a', { name: 'same' });
    writeSkill(join(dir.path, 'source'), 'b', { name: 'Same' });
    await expect(install('source')).rejects.toThrow('Two skills are called "Same"');
    writeSkill(join(dir.path, 'single'), 'a');
    mkdirSync(join(places.projectRoot, '.gemini'));
    symlinkSync(dir.path, join(places.projectRoot, '.gemini/skills'));
    await expect(install('single', 'workspace')).rejects.toThrow('leads out of the project');
    await expect(uninstallSkill('single', 'workspace', places)).rejects.toThrow('leads out of the project');
  });

  it('says what is wrong with a source', async () => {
    await expect(install('nowhere')).rejects.toThrow('There is no such folder');
    await expect(install('nowhere.skill')).rejects.toThrow('There is no such archive');
    await expect(install('.', 'user', { ref: 'main' })).rejects.toThrow('--ref is for git repositories only');
    writeText(join(dir.path, 'broken/a/SKILL.md'), 'no header');
    await expect(install('broken')).rejects.toThrow(/No skill found.*\n.*does not begin with a header/);
  });
});

describe('linking and removing skills', () => {
  it('links each skill of a folder, replaces a link, and never a folder', async () => {
    writeSkill(join(dir.path, 'source'), 'a');
    const plan = async () => planInstallation((await openFolder(request('source'))).skills, 'user', places);
    for (const skill of await plan()) linkSkill(skill);
    for (const skill of await plan()) linkSkill(skill);
    expect(readlinkSync(join(places.globalDir, 'skills/a'))).toBe(join(dir.path, 'source/a'));
    await uninstallSkill('a', 'user', places);
    await install('source');
    const [again] = await plan();
    expect(() => again && linkSkill(again)).toThrow('Remove it first: gemini skills uninstall a');
    await expect(openFolder(request('https://x.example/r.git'))).rejects.toThrow(
      'Only a folder can be linked',
    );
  });

  it('removes by the name in the header, else by the folder name; of a link only the link', async () => {
    writeSkill(join(dir.path, 'source'), 'a', { name: 'named' });
    const root = join(places.globalDir, 'skills');
    mkdirSync(root, { recursive: true });
    symlinkSync(join(dir.path, 'source/a'), join(root, 'folder'));
    writeText(join(root, 'broken/SKILL.md'), 'no header');
    expect(await uninstallSkill('NAMED', 'user', places)).toEqual({
      path: join(root, 'folder'),
      wasLink: true,
    });
    expect(existsSync(join(dir.path, 'source/a/SKILL.md'))).toBe(true);
    expect(await uninstallSkill('broken', 'user', places)).toMatchObject({ wasLink: false });
    expect(readdirSync(root)).toEqual([]);
  });

  it.each(['..', '.', '', '../victim', 'a/b', 'none'])('does not remove %j', async (name) => {
    writeText(join(places.globalDir, 'victim/file'), '');
    writeSkill(join(places.globalDir, 'skills/a'), 'b');
    await expect(uninstallSkill(name, 'user', places)).rejects.toThrow('is not installed');
    expect(lstatSync(join(places.globalDir, 'victim/file')).isFile()).toBe(true);
  });
});
