/** Skills of the whole program: `gemini skills`, the skill-creator, and skills in headless runs. */
import { execFileSync } from 'node:child_process';
import { existsSync, readdirSync, statSync } from 'node:fs';
import { pathToFileURL } from 'node:url';
import { describe, expect, it } from 'vitest';
import { callTool, type TestRig, testRig, text, toolResponses } from './test-utils.js';

/** As the founding documents print it. */
const CODE_REVIEWER = `---
name: code-reviewer
description: Reviews code for best practices and security issues
---

When reviewing code, check for:
1. Security vulnerabilities (injection, XSS, etc.)
2. Performance issues
3. Code style violations
...
`;
const MY_SKILL = `---
name: my-skill
description: What this skill does
---

Your skill instructions here. These become the system prompt
when the skill is activated.
`;

function system(rig: TestRig): string {
  const parts = rig.model.lastRequest().body.systemInstruction?.parts ?? [];
  return parts.map((part) => part.text ?? '').join('\n');
}

describe('Skills of user and project', () => {
  it('are listed to the model and activated, as the founding documents print them', async () => {
    const rig = await testRig();
    rig.write('.gemini/skills/code-reviewer/SKILL.md', CODE_REVIEWER);
    rig.writeHome('skills/my-skill/SKILL.md', MY_SKILL);
    rig.model.replies([callTool('activate_skill', { name: 'code-reviewer' })], [text('Reviewed.')]);
    const run = await rig.cli('-p', 'review', '--approval-mode', 'yolo');
    expect(run.stdout.trim()).toBe('Reviewed.');
    expect(system(rig)).toMatch(
      /<available_skills>[\s\S]*<name>code-reviewer<\/name>[\s\S]*<name>my-skill<\/name>/,
    );
    expect(toolResponses(rig)[0]?.response.output).toMatch(
      /^<activated_skill name="code-reviewer">\n {2}<instructions>\n {4}When reviewing code, check for:\n1\. Security/,
    );
  });

  it('are commands of headless runs, too', async () => {
    const rig = await testRig();
    rig.write('.agents/skills/code-reviewer/SKILL.md', CODE_REVIEWER);
    const refused = await rig.cli('-p', '/code-reviewer src');
    expect(refused.exitCode).toBe(42);
    expect(refused.stderr).toContain('needs your approval');
    expect(rig.model.requests).toHaveLength(0);
    rig.model.replies([text('Reviewed.')]);
    const run = await rig.cli('-p', '/code-reviewer src', '--approval-mode', 'yolo', '-o', 'stream-json');
    const types = run.stdout
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line).type);
    expect(types).toEqual(['init', 'message', 'tool_use', 'tool_result', 'message', 'result']);
    expect(toolResponses(rig)[0]?.response.output).toContain('When reviewing code');
  });

  it('are not declared in a headless run that could not activate them', async () => {
    const rig = await testRig();
    rig.write('.gemini/skills/code-reviewer/SKILL.md', CODE_REVIEWER);
    rig.model.replies([text('ok')]);
    await rig.cli('-p', 'x');
    expect(system(rig)).not.toContain('available_skills');
  });
});

describe('gemini skills', () => {
  it('knows the skills of extensions', async () => {
    const rig = await testRig();
    rig.writeHome('extensions/ext/gemini-extension.json', JSON.stringify({ name: 'ext', version: '1.0.0' }));
    rig.writeHome('extensions/ext/skills/my-skill/SKILL.md', MY_SKILL);
    expect((await rig.cli('skills', 'list')).stdout).toMatch(
      /^Discovered Agent Skills:\n\nmy-skill \[Enabled\] \[ext\]\n {2}Description: What this skill does\n {2}Location: {4}.*extensions\/ext\/skills\/my-skill\/SKILL\.md\n/,
    );
    const disabled = await rig.cli('skills', 'disable', 'my-skill', '--scope', 'user');
    expect(disabled.stdout).toContain('disabled (user settings)');
    expect((await rig.cli('skills', 'list')).stdout).toContain('my-skill [Disabled]');
  });

  it('lists, disables and enables', async () => {
    const rig = await testRig();
    const file = rig.write('.gemini/skills/code-reviewer/SKILL.md', CODE_REVIEWER);
    rig.write('.gemini/skills/broken/SKILL.md', 'no header');
    const list = await rig.cli('skills', 'list');
    expect(list.stdout).toBe(
      'Discovered Agent Skills:\n\ncode-reviewer [Enabled]\n' +
        `  Description: Reviews code for best practices and security issues\n  Location:    ${file}\n\n`,
    );
    expect(list.stderr).toContain('broken/SKILL.md does not begin with a header');
    expect((await rig.cli('skill', 'disable', 'code-reviewer')).stdout).toContain(
      'disabled (workspace settings)',
    );
    const all = (await rig.cli('skills', 'list', '--all')).stdout;
    expect(all).toMatch(/code-reviewer \[Disabled\]\n[\s\S]*skill-creator \[Enabled\] \[Built-in\]\n/);
    expect((await rig.cli('skills', 'enable', '--all')).stdout).toContain('All skills enabled');
    expect(await rig.cli('skills', 'enable', 'none')).toMatchObject({ exitCode: 1, stdout: '' });
    expect(await rig.cli('skills', 'frobnicate')).toMatchObject({ exitCode: 1, stdout: '' });
  });

  it('says in one line that there are none', async () => {
    const rig = await testRig();
    expect(await rig.cli('skills', 'list')).toMatchObject({ exitCode: 0, stdout: 'No skills discovered.\n' });
  });

  it('installs from a folder, an archive and a repository, links and uninstalls', async () => {
    const rig = await testRig();
    rig.write('source/my-skill/SKILL.md', MY_SKILL);
    const refused = await rig.cli('skills', 'install', 'source');
    expect(refused).toMatchObject({ exitCode: 1, stdout: '' });
    expect(refused.stderr).toContain('add --consent');
    const installed = await rig.cli('skills', 'install', 'source', '--consent');
    expect(installed.stdout).toMatch(
      /Installing a skill from source[\s\S]*\(1 item\)[\s\S]*Installed skill "my-skill" \(user\)/,
    );
    expect((await rig.cli('skills', 'uninstall', 'my-skill')).exitCode).toBe(0);
    expect(await rig.cli('skills', 'uninstall', 'my-skill')).toMatchObject({ exitCode: 1, stdout: '' });

    const git = (...args: string[]) =>
      execFileSync('git', ['-c', 'user.name=t', '-c', 'user.email=t@example.com', ...args], {
        cwd: rig.path('source'),
      });
    git('init', '-q');
    git('add', '.');
    git('commit', '-qm', 'one');
    const url = pathToFileURL(rig.path('source')).href;
    const cloned = await rig.cli(
      'skills',
      'install',
      url,
      '--path',
      'my-skill',
      '--scope',
      'workspace',
      '--consent',
    );
    expect(cloned.exitCode, cloned.stderr).toBe(0);
    expect(existsSync(rig.path('.gemini/skills/my-skill/SKILL.md'))).toBe(true);
    const linked = await rig.cli('skills', 'link', 'source', '--consent');
    expect(linked.stdout).toContain('Linked skill "my-skill" (user)');
  });
});

describe('The skill-creator', () => {
  it('comes with the program, and its scripts make a skill that the program installs', async () => {
    const rig = await testRig();
    const listed = (await rig.cli('skills', 'list', '--all')).stdout;
    const [, location = ''] = /Location: +(.+)\/SKILL\.md/.exec(listed) ?? [];
    const node = (script: string, ...args: string[]) =>
      execFileSync(process.execPath, [`${location}/scripts/${script}`, ...args], {
        cwd: rig.path('.'),
        encoding: 'utf8',
      });
    node('init_skill.cjs', 'my-skill', '--path', '.');
    expect(statSync(rig.path('my-skill/scripts/example_script.cjs')).mode & 0o777).toBe(0o755);
    for (const name of ['assets', 'references', 'scripts'])
      for (const file of readdirSync(rig.path(`my-skill/${name}`)))
        rig.write(`my-skill/${name}/${file}`, 'done\n');
    rig.write('my-skill/SKILL.md', MY_SKILL);
    node('package_skill.cjs', 'my-skill');
    const installed = await rig.cli('skills', 'install', 'my-skill.skill', '--consent');
    expect(installed.exitCode, installed.stderr).toBe(0);
    expect((await rig.cli('skills', 'list')).stdout).toContain('my-skill [Enabled]');
  });
});
