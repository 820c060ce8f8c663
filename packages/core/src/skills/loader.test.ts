import { mkdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { tempDir } from '@gemini-cli/test-utils';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { loadSkillFromFile, loadSkillRoot, loadSkillsFromDir } from './loader.js';
import { writeSkill, writeText } from './skills.test-helper.js';

let dir: { path: string; cleanup: () => void };
beforeEach(() => {
  dir = tempDir();
});
afterEach(() => dir.cleanup());

const load = () => loadSkillRoot({ dir: dir.path, source: 'user' });

describe('a skill file', () => {
  it('is read as the founding documents print it', async () => {
    const text =
      '---\nname: code-reviewer\ndescription: Reviews code for best practices and security issues\n---\n\n' +
      'When reviewing code, check for:\n1. Security vulnerabilities (injection, XSS, etc.)\n...\n';
    const file = writeText(join(dir.path, 'code-reviewer/SKILL.md'), text);
    const skill = await loadSkillFromFile(file);
    expect({ ...skill }).toMatchObject({
      name: 'code-reviewer',
      description: 'Reviews code for best practices and security issues',
      location: file,
      body: 'When reviewing code, check for:\n1. Security vulnerabilities (injection, XSS, etc.)\n...',
    });
  });

  it('gives its instructions without having read them before', async () => {
    const file = writeSkill(dir.path, 'late', { body: 'old' });
    const [skill] = await loadSkillsFromDir(dir.path);
    writeFileSync(file, '---\nname: late\ndescription: d\n---\nnew');
    expect(skill?.body).toBe('new');
    rmSync(file);
    expect(skill?.body).toBe('new');
    expect(await loadSkillFromFile(file)).toBeNull();
  });

  it('is read line by line when its header is not valid YAML', async () => {
    writeText(
      join(dir.path, 'a/SKILL.md'),
      '---\nname: a\ndescription: Use when: the user asks\n  for colons\n---\nBody',
    );
    const { skills, problems } = await load();
    expect(skills[0]).toMatchObject({
      name: 'a',
      description: 'Use when: the user asks for colons',
      body: 'Body',
    });
    expect(problems).toMatchObject([
      { severity: 'warning', message: expect.stringContaining('line by line') },
    ]);
  });

  it('may have a byte order mark, CRLF and a header that is longer than the first read', async () => {
    const filler = `# ${'x'.repeat(6_000)}\r\n`;
    const text = `\ufeff---\r\nname: a\r\n${filler}description: "d: e"\r\n---\r\n\r\nBody\r\n`;
    writeText(join(dir.path, 'a/SKILL.md'), text);
    expect((await load()).skills[0]).toMatchObject({ name: 'a', description: 'd: e', body: 'Body' });
  });

  it.each([
    ['no header at all', 'Just text', 'does not begin with a header'],
    ['an open header', '---\nname: a\n', 'is not closed'],
    ['an empty header', '---\n---\nBody', 'has no description'],
    ['a list as header', '---\n- a\n---\n', 'has no description'],
    ['no description', '---\nname: a\n---\n', 'has no description'],
    ['an empty description', '---\nname: a\ndescription: ""\n---\n', 'has no description'],
    ['a description of another kind', '---\nname: a\ndescription: {a: b}\n---\n', 'has no description'],
    ['a name of dots', '---\nname: ".."\ndescription: d\n---\n', 'name that cannot be used'],
    ['a very long name', `---\nname: ${'n'.repeat(500)}\ndescription: d\n---\n`, 'name that cannot be used'],
    ['a huge header', `---\nname: a\ndescription: ${'d'.repeat(70_000)}\n---\n`, 'is not closed'],
    ['binary content', '\0\x01\x02', 'does not begin with a header'],
  ])('with %s is a problem and nothing else', async (_what, text, message) => {
    writeText(join(dir.path, 'a/SKILL.md'), text);
    writeSkill(dir.path, 'b');
    const { skills, problems } = await load();
    expect(skills.map(({ name }) => name)).toEqual(['b']);
    expect(problems).toMatchObject([{ severity: 'error', file: join(dir.path, 'a/SKILL.md') }]);
    expect(problems[0]?.message).toContain(message);
  });

  it('of more than 512 KB is refused without being read', async () => {
    writeText(join(dir.path, 'a/SKILL.md'), `---\nname: a\ndescription: d\n---\n${'x'.repeat(600_000)}`);
    expect((await load()).problems).toMatchObject([{ message: 'is larger than 512 KB' }]);
  });

  it('gets a name that is safe in paths and prompts', async () => {
    writeText(join(dir.path, 'a/SKILL.md'), '---\nname: "../../x"\ndescription: d\n---\n');
    writeText(join(dir.path, 'b/SKILL.md'), '---\nname: "a<b>:\\"c\\"\\n|d"\ndescription: d\n---\n');
    expect((await load()).skills.map(({ name }) => name)).toEqual(['..-..-x', 'a-b---c- -d']);
  });

  it('without a name is named after its folder, with a warning', async () => {
    writeText(join(dir.path, 'my-folder/SKILL.md'), '---\ndescription: d\n---\n');
    const { skills, problems } = await load();
    expect(skills[0]?.name).toBe('my-folder');
    expect(problems).toMatchObject([{ severity: 'warning', message: expect.stringContaining('no name') }]);
  });

  it('has its switches and the fields of the open standard read', async () => {
    writeText(
      join(dir.path, 'a/SKILL.md'),
      '---\nname: a\ndescription: d\nuser-invocable: false\ndisable-model-invocation: true\nlicense: MIT\n' +
        'allowed-tools: [Read, Bash]\nmetadata: {author: me}\nunknown: 1\n---\n',
    );
    expect((await load()).skills[0]).toMatchObject({
      userInvocable: false,
      disableModelInvocation: true,
      details: { license: 'MIT', 'allowed-tools': 'Read, Bash', metadata: 'author: me' },
    });
  });

  it('is warned about when it exceeds the limits of the standard', async () => {
    writeSkill(dir.path, 'a', { name: 'Not_Standard', description: 'd'.repeat(5_000) });
    const { skills, problems } = await load();
    expect(skills[0]?.description).toHaveLength(4_097);
    expect(problems.map(({ severity }) => severity)).toEqual(['warning', 'warning']);
  });

  it('gets the variables of its extension, and unknown placeholders stay', async () => {
    writeSkill(dir.path, 'a', { description: 'In ${extensionPath}', body: '${extensionPath}${/}x ${other}' });
    const variables = { extensionPath: '/ext', '/': '/' };
    const { skills } = await loadSkillRoot({
      dir: dir.path,
      source: 'extension',
      extensionName: 'e',
      variables,
    });
    expect({ ...skills[0] }).toMatchObject({
      description: 'In /ext',
      body: '/ext/x ${other}',
      extensionName: 'e',
    });
  });
});

describe('a folder of skills', () => {
  it('has its own skill and those one level below, but not of node_modules and .git', async () => {
    writeText(join(dir.path, 'SKILL.md'), '---\nname: top\ndescription: d\n---\n');
    writeSkill(dir.path, 'below');
    writeSkill(dir.path, 'below/deeper');
    writeSkill(dir.path, 'node_modules');
    writeSkill(dir.path, '.git');
    mkdirSync(join(dir.path, 'empty'));
    writeFileSync(join(dir.path, 'file'), '');
    expect((await load()).skills.map(({ name }) => name)).toEqual(['top', 'below']);
  });

  it('reports a file whose name is in lower case', async () => {
    writeText(join(dir.path, 'a/skill.md'), '---\nname: a\ndescription: d\n---\n');
    expect(await load()).toMatchObject({
      skills: [],
      problems: [
        { file: join(dir.path, 'a/skill.md'), message: 'must be called SKILL.md', severity: 'error' },
      ],
    });
  });

  it('follows links to skills, and a link to / or in a circle does no harm', async () => {
    writeSkill(dir.path, 'elsewhere/real');
    mkdirSync(join(dir.path, 'root'));
    symlinkSync(join(dir.path, 'elsewhere/real'), join(dir.path, 'root/linked'));
    symlinkSync('/', join(dir.path, 'root/slash'));
    symlinkSync('.', join(dir.path, 'root/self'));
    symlinkSync('missing', join(dir.path, 'root/dangling'));
    const { skills, problems } = await loadSkillRoot({ dir: join(dir.path, 'root'), source: 'user' });
    expect(skills.map(({ location }) => location)).toEqual([join(dir.path, 'root/linked/SKILL.md')]);
    expect(problems).toEqual([]);
    symlinkSync('/', join(dir.path, 'slash-root'));
    expect(await loadSkillRoot({ dir: join(dir.path, 'slash-root'), source: 'user' })).toMatchObject({
      skills: [],
    });
  });

  it('that does not exist has no skills and no problems', async () => {
    expect(await loadSkillRoot({ dir: join(dir.path, 'none'), source: 'user' })).toEqual({
      skills: [],
      problems: [],
    });
  });
});
