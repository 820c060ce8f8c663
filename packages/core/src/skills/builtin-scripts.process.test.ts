import { execFileSync, spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { tempDir } from '@gemini-cli/test-utils';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { builtinSkillsDir } from './builtin-dir.js';
import { extractArchive } from './install/archive.js';
import { loadSkillRoot } from './loader.js';
import { writeSkill, writeText } from './skills.test-helper.js';

const SCRIPTS = join(builtinSkillsDir(), 'skill-creator/scripts');
let dir: { path: string; cleanup: () => void };
beforeEach(() => {
  dir = tempDir();
});
afterEach(() => dir.cleanup());

function run(script: string, ...args: string[]) {
  const { status, stdout, stderr } = spawnSync(process.execPath, [join(SCRIPTS, script), ...args], {
    cwd: dir.path,
    encoding: 'utf8',
  });
  return { status, stdout, stderr };
}

describe('init_skill.cjs', () => {
  it('makes a folder that the program loads, with an example of each kind', async () => {
    expect(run('init_skill.cjs', 'my-skill', '--path', 'skills')).toMatchObject({ status: 0 });
    const folder = join(dir.path, 'skills/my-skill');
    expect(readdirSync(folder).sort()).toEqual(['SKILL.md', 'assets', 'references', 'scripts']);
    expect(existsSync(join(folder, 'references/example_reference.md'))).toBe(true);
    expect(existsSync(join(folder, 'assets/example_asset.txt'))).toBe(true);
    const script = join(folder, 'scripts/example_script.cjs');
    expect(statSync(script).mode & 0o777).toBe(0o755);
    expect(execFileSync(process.execPath, [script, 'x'], { encoding: 'utf8' })).toContain('my-skill');
    const { skills, problems } = await loadSkillRoot({ dir: join(dir.path, 'skills'), source: 'user' });
    expect(skills.map(({ name }) => name)).toEqual(['my-skill']);
    expect(problems).toEqual([]);
  });

  it.each([['../x'], ['a/b'], ['a\\b'], ['..'], ['Not Standard'], ['']])('refuses the name %j', (name) => {
    expect(run('init_skill.cjs', name, '--path', '.')).toMatchObject({ status: 1, stdout: '' });
    expect(readdirSync(dir.path)).toEqual([]);
  });

  it('refuses an existing folder and missing arguments', () => {
    mkdirSync(join(dir.path, 'there'));
    expect(run('init_skill.cjs', 'there', '--path', '.').stderr).toContain('exists already');
    expect(run('init_skill.cjs', 'x').stderr).toContain('Usage:');
  });
});

describe('validate_skill.cjs', () => {
  it('accepts the built-in skill and warns about what is left to do', () => {
    const own = run('validate_skill.cjs', join(SCRIPTS, '..'));
    expect(own).toMatchObject({ status: 0, stdout: 'The skill "skill-creator" is valid.\n' });
    run('init_skill.cjs', 'a', '--path', '.');
    expect(run('validate_skill.cjs', 'a')).toMatchObject({
      status: 0,
      stderr: expect.stringContaining('TODO: is left in SKILL.md'),
    });
  });

  it.each([
    ['no file', undefined, 'There is no SKILL.md'],
    ['no header', 'text', 'does not begin with a header'],
    ['no name', '---\ndescription: d\n---\n', 'no name'],
    ['a bad name', '---\nname: Bad_Name\ndescription: d\n---\n', 'must have 1 to 64'],
    ['no description', '---\nname: a\n---\n', 'no description'],
    ['a description of two lines', '---\nname: a\ndescription: >\n  d\n---\n', 'one line'],
    ['a long description', `---\nname: a\ndescription: ${'d'.repeat(1025)}\n---\n`, 'more than 1024'],
  ])('refuses a skill with %s', (_what, text, message) => {
    mkdirSync(join(dir.path, 'a'));
    if (text !== undefined) writeFileSync(join(dir.path, 'a/SKILL.md'), text);
    expect(run('validate_skill.cjs', 'a')).toMatchObject({
      status: 1,
      stderr: expect.stringContaining(message),
    });
  });

  it('can be used as a module', () => {
    writeSkill(dir.path, 'a');
    const { validateSkill } = createRequire(import.meta.url)(join(SCRIPTS, 'validate_skill.cjs'));
    expect(validateSkill(join(dir.path, 'a'))).toMatchObject({ valid: true, message: expect.any(String) });
    expect(validateSkill(join(dir.path, 'b'))).toMatchObject({ valid: false });
  });
});

describe('package_skill.cjs', () => {
  it('writes an archive that can be extracted, without node_modules and .git', async () => {
    writeSkill(dir.path, 'a', { body: 'Ünïcode' });
    writeText(join(dir.path, 'a/scripts/rün.sh'), 'x'.repeat(5_000));
    writeText(join(dir.path, 'a/node_modules/x/index.js'), '');
    writeText(join(dir.path, 'a/.git/config'), '');
    expect(run('package_skill.cjs', 'a', 'out')).toMatchObject({ status: 0 });
    const into = join(dir.path, 'into');
    mkdirSync(into);
    await extractArchive(join(dir.path, 'out/a.skill'), into);
    expect(readdirSync(into).sort()).toEqual(['SKILL.md', 'scripts']);
    expect(readFileSync(join(into, 'scripts/rün.sh'), 'utf8')).toHaveLength(5_000);
    expect(readFileSync(join(into, 'SKILL.md'), 'utf8')).toContain('Ünïcode');
  });

  it('refuses an invalid skill, and one that is not finished', () => {
    run('init_skill.cjs', 'a', '--path', '.');
    expect(run('package_skill.cjs', 'a')).toMatchObject({
      status: 1,
      stderr: expect.stringContaining('TODO:'),
    });
    rmSync(join(dir.path, 'a/SKILL.md'));
    expect(run('package_skill.cjs', 'a')).toMatchObject({ status: 1 });
    expect(existsSync(join(dir.path, 'a.skill'))).toBe(false);
  });
});
