import { describe, expect, it } from 'vitest';
import { convertFiles } from './plugins.test-helper.js';

const skill = (body: string, more = '') => `---\nname: s\ndescription: D\n${more}---\n${body}\n`;
const LENGTH = 300_000;

/** Each would keep an expression busy that looks for something from every place, until the test is ended. */
const TEXTS: readonly string[] = [
  ...[
    'a/',
    '../',
    '{',
    '$',
    '@',
    '@a/',
    '`',
    '~',
    '!`a\n',
    '!`',
    '/a:',
    'mcp__',
    '@agent-',
    'Task ',
    'Task a(',
  ],
  ...[
    '${CLAUDE_SKILL_DIR}/',
    '$ARGUMENTS[',
    '*',
    '- ',
    '```\n',
    '.claude/',
    'CLAUDE',
    '${user_config.',
    "'",
    '"(',
  ],
];

describe('a text made to keep the converter busy', () => {
  it.each(TEXTS)('%j is converted at once, as command, skill and agent', async (unit) => {
    const text = unit.repeat(LENGTH / unit.length);
    const { files } = await convertFiles({
      'commands/c.md': text,
      'agents/a.md': text,
      'skills/s/SKILL.md': skill(text),
      'skills/t/SKILL.md': skill(text, 'disable-model-invocation: true\narguments: [a]\n'),
      'skills/t/a.md': text,
      'docs/x.md': 'X',
    });
    for (const path of ['commands/c.toml', 'commands/t.toml', 'skills/s/SKILL.md', 'agents/a.md'])
      expect([...files.keys()]).toContain(path);
  });

  it('is also a command line', async () => {
    for (const unit of ['${', '#', '"$ARGUMENTS', "' #"]) {
      const { text } = await convertFiles({
        'commands/c.md': `!\`x ${unit.repeat(LENGTH / unit.length)} $ARGUMENTS\``,
      });
      expect(text('commands/c.toml')).not.toContain('!{');
    }
  });

  it('is also the matcher of a hook', async () => {
    const matcher = '(((\\w+)+)+)+!|Bash';
    const hook = { matcher, hooks: [{ type: 'command', command: 'x', if: 'Bash(git *)' }] };
    const { text } = await convertFiles({ 'hooks/hooks.json': { hooks: { PreToolUse: [hook] } } });
    expect(text('hooks/hooks.json')).toContain('"matcher": "run_shell_command"');
  });
});
