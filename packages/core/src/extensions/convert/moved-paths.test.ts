import { describe, expect, it } from 'vitest';
import { convertFiles, type Files } from './plugins.test-helper.js';

const skill = (name: string, body: string, more = '') =>
  `---\nname: ${name}\ndescription: D\n${more}---\n${body}\n`;
const DIR = '${CLAUDE_SKILL_DIR}';
const SHARED: Files = {
  'skills/_shared/rules.md': 'R',
  'skills/other/SKILL.md': skill('other', 'O'),
  'skills/other/guide.md': 'G',
  'scripts/run.py': '',
  'docs/x.md': 'X',
};
const BODY = `See [g](../other/guide.md#a), ../_shared/rules.md, \`../../scripts/run.py\`, ../none.md.\n\n\`\`\`bash\npython ${DIR}/../../scripts/run.py; cat ${DIR}/own.md ../_shared/\n\`\`\``;

describe('relative paths to files outside of a skill', () => {
  it('stay where the skill stays', async () => {
    const { text } = await convertFiles({ ...SHARED, 'skills/a/SKILL.md': skill('a', BODY) });
    expect(text('skills/a/SKILL.md')).toContain(
      'See [g](../other/guide.md#a), ../_shared/rules.md, `../../scripts/run.py`, ../none.md.',
    );
    expect(text('skills/a/SKILL.md')).toContain(
      'python ${extensionPath}/scripts/run.py; cat ${extensionPath}/skills/a/own.md ../_shared/',
    );
  });

  it('lead to the same files from a skill that was in a nested folder', async () => {
    const { text } = await convertFiles({
      'skills/web/css/SKILL.md': skill('css', `../shared.md ../html/SKILL.md ${DIR}/../../../docs/x.md`),
      'skills/web/css/refs/deep.md': 'Up: ../../shared.md, [r](../html/SKILL.md), ../SKILL.md\n',
      'skills/web/html/SKILL.md': skill('html', 'H'),
      'skills/web/shared.md': 'S',
      'docs/x.md': 'X',
    });
    expect(text('skills/css/SKILL.md')).toContain(
      '../web/shared.md ../html/SKILL.md ${extensionPath}/docs/x.md',
    );
    expect(text('skills/css/refs/deep.md')).toBe(
      'Up: ../../web/shared.md, [r](../html/SKILL.md), ../SKILL.md\n',
    );
  });

  it('become whole paths in a skill that became a command, and stay right in its other files', async () => {
    const { text } = await convertFiles({
      ...SHARED,
      'skills/a/SKILL.md': skill('a', BODY, 'disable-model-invocation: true\n'),
      'skills/a/refs/b.md': 'See ../../other/guide.md and ../own.md.\n',
      'skills/a/own.md': 'Own',
    });
    const command = text('commands/a.toml');
    expect(command).toContain(
      '[g](${extensionPath}/skills/other/guide.md#a), ${extensionPath}/skills/_shared/rules.md, ' +
        '`${extensionPath}/scripts/run.py`, ../none.md.',
    );
    expect(command).toContain(
      'python ${extensionPath}/scripts/run.py; cat ${extensionPath}/resources/a/own.md',
    );
    expect(text('resources/a/refs/b.md')).toBe('See ../../../skills/other/guide.md and ../own.md.\n');
  });

  it('lead to the support files of a plugin in the home folder', async () => {
    const { text } = await convertFiles(
      { ...SHARED, 'skills/a/SKILL.md': skill('a', BODY) },
      {},
      { kind: 'home', dir: '/g' },
    );
    expect(text('skills/a/SKILL.md')).toContain(
      'See [g](../other/guide.md#a), ../../demo/files/skills/_shared/rules.md, `../../demo/files/scripts/run.py`, ../none.md.',
    );
    expect(text('skills/a/SKILL.md')).toContain(
      'python /g/demo/files/scripts/run.py; cat /g/skills/a/own.md ../../demo/files/skills/_shared/',
    );
  });

  it('are not inserted by commands of the home folder, which is outside of the workspace', async () => {
    const files = { 'commands/c.md': 'By @${CLAUDE_PLUGIN_ROOT}/docs/x.md, @src/y.md', 'docs/x.md': 'X' };
    const home = await convertFiles(files, {}, { kind: 'home', dir: '/g' });
    expect(home.text('commands/c.toml')).toContain('By /g/demo/files/docs/x.md, @{src/y.md}');
    expect(home.lines.join('\n')).toMatch(/c\.md: files of the plugin are not inserted/);
    const extension = await convertFiles(files);
    expect(extension.text('commands/c.toml')).toContain('By @{${extensionPath}/docs/x.md}, @{src/y.md}');
    expect(extension.lines.join('\n')).not.toContain('not inserted');
  });
});
