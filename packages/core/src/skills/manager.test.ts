import { join } from 'node:path';
import { tempDir } from '@gemini-cli/test-utils';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { Storage } from '../platform/storage/storage.js';
import { SkillManager } from './manager.js';
import { writeSkill } from './skills.test-helper.js';

let dir: { path: string; cleanup: () => void };
let storage: Storage;
beforeEach(() => {
  dir = tempDir();
  storage = new Storage({
    globalDir: join(dir.path, 'home/.gemini'),
    projectRoot: join(dir.path, 'project'),
    projectId: 'p',
  });
});
afterEach(() => dir.cleanup());

const ROOTS = [
  'extension/skills',
  'home/.gemini/skills',
  'home/.agents/skills',
  'project/.gemini/skills',
  'project/.agents/skills',
];
const extensions = () => [{ name: 'ext', path: join(dir.path, 'extension'), isActive: true }];

describe('the skills of a session', () => {
  it('tell their listeners when they are discovered again', async () => {
    const manager = new SkillManager();
    const seen: number[] = [];
    const stop = manager.onReload(() => seen.push(manager.getSkills().length));
    await manager.discoverSkills(storage);
    const first = manager.getSkills().length;
    expect(seen).toEqual([]);
    writeSkill(join(dir.path, 'project/.gemini/skills'), 'new');
    await manager.discoverSkills(storage);
    expect(seen).toEqual([first + 1]);
    stop();
    await manager.discoverSkills(storage);
    expect(seen).toHaveLength(1);
  });

  it('come from six roots, and of the same name the later one counts', async () => {
    const manager = new SkillManager();
    for (const [index, root] of ROOTS.entries()) {
      writeSkill(join(dir.path, root), 'same', { description: root });
      writeSkill(join(dir.path, root), `own-${index}`);
      await manager.discoverSkills(storage, extensions());
      expect(manager.getSkill('same')?.description, root).toBe(root);
    }
    expect(manager.getSkills().map(({ name }) => name)).toEqual([
      'own-0',
      'own-1',
      'own-2',
      'own-3',
      'own-4',
      'same',
      'skill-creator',
    ]);
    expect(manager.getSkill('own-0')).toMatchObject({ extensionName: 'ext', source: 'extension' });
    expect(manager.getSkillByName('SKILL-creator')).toMatchObject({ isBuiltin: true });
  });

  it('leave out a folder that is not trusted and an extension that is not active', async () => {
    for (const root of ROOTS) writeSkill(join(dir.path, root), root.replaceAll(/[/.]+/g, '-'));
    const manager = new SkillManager({ isTrusted: () => false });
    await manager.discoverSkills(storage, [
      { name: 'e', path: join(dir.path, 'extension'), isActive: false },
    ]);
    expect(manager.getActiveSkills().map(({ name }) => name)).toEqual([
      'home-agents-skills',
      'home-gemini-skills',
      'skill-creator',
    ]);
  });

  it('are warned about once when two have the same name, unless it is a built-in one', async () => {
    const warnings: string[] = [];
    const manager = new SkillManager({ warn: (line) => warnings.push(line) });
    const first = writeSkill(join(dir.path, 'home/.gemini/skills'), 'Twice');
    const second = writeSkill(join(dir.path, 'project/.gemini/skills'), 'twice');
    writeSkill(join(dir.path, 'project/.gemini/skills'), 'skill-creator');
    await manager.discoverSkills(storage);
    await manager.discoverSkills(storage);
    expect(warnings).toEqual([`Skill "twice" of ${second} replaces the one of ${first}.`]);
    expect(manager.getSkill('skill-creator')?.isBuiltin).toBeUndefined();
  });

  it('are not found twice when the project is the home folder', async () => {
    const home = new Storage({ globalDir: join(dir.path, '.gemini'), projectRoot: dir.path, projectId: 'p' });
    writeSkill(join(dir.path, '.gemini/skills'), 'a');
    const manager = new SkillManager({ isTrusted: () => true, warn: () => expect.unreachable() });
    await manager.discoverSkills(home);
    expect(manager.getSkill('a')?.source).toBe('user');
  });

  it('can be disabled by name in any case, also before they are discovered', async () => {
    writeSkill(join(dir.path, 'home/.gemini/skills'), 'a');
    writeSkill(join(dir.path, 'home/.gemini/skills'), 'b');
    const manager = new SkillManager();
    manager.setDisabledSkills(['A']);
    await manager.discoverSkills(storage);
    expect(manager.getSkills().map(({ name }) => name)).toEqual(['b', 'skill-creator']);
    expect(manager.getSkill('a')).toMatchObject({ disabled: true });
    manager.enableSkill('a');
    manager.disableSkill('B');
    expect(manager.getActiveSkills().map(({ name }) => name)).toEqual(['a', 'skill-creator']);
  });

  it('say what was added and removed when they are discovered again', async () => {
    const manager = new SkillManager();
    writeSkill(join(dir.path, 'home/.gemini/skills'), 'a');
    expect(await manager.discoverSkills(storage)).toEqual({ added: ['skill-creator', 'a'], removed: [] });
    writeSkill(join(dir.path, 'home/.gemini/skills'), 'b');
    expect(await manager.discoverSkills(storage)).toEqual({ added: ['b'], removed: [] });
    expect(await new SkillManager({ roots: () => [] }).loadSkills()).toEqual({ added: [], removed: [] });
  });
});
