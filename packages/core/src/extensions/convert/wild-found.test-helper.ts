/** Shapes of a second survey of public plugins: marketplaces, hooks, servers and texts that went wrong here once. */
import type { WildPlugin } from './wild-plugins.test-helper.js';

const MANIFEST = '.claude-plugin/plugin.json';
const MARKET = '.claude-plugin/marketplace.json';
const hook = (command: string, more: object = {}) => ({ hooks: [{ type: 'command', command, ...more }] });
const skill = (name: string) => `---\nname: ${name}\ndescription: Does ${name}\n---\nDo it.\n`;

export const WILD_MARKETS: readonly WildPlugin[] = [
  {
    shape: 'an entry that lists two of three skills of the repository and is its own manifest',
    files: {
      [MARKET]: {
        name: 'm',
        plugins: [{ name: 'one', source: './', strict: false, skills: ['./skills/a', 'skills/b'] }],
      },
      'skills/a/SKILL.md': skill('a'),
      'skills/b/SKILL.md': skill('b'),
      'skills/c/SKILL.md': skill('c'),
      'skills/c/run.sh': 'echo\n',
    },
    has: ['skills/a/SKILL.md', 'skills/b/SKILL.md', 'skills/c/run.sh'],
    lacks: ['skills/c/SKILL.md'],
    losses: [/skipped file skills\/c\/SKILL\.md: it would be loaded as a skill/],
  },
  {
    shape: 'a plugin beside a marketplace file without plugins',
    files: { [MARKET]: { name: 'm', plugins: [] }, [MANIFEST]: { name: 'a' }, 'commands/x.md': 'X' },
    has: ['commands/x.toml'],
    losses: [/warned plugin .claude-plugin\/marketplace\.json: .*lists no plugins/],
  },
  {
    shape: 'a plugin beside a marketplace file that is no JSON',
    files: { [MARKET]: '{ nope', [MANIFEST]: { name: 'a' }, 'commands/x.md': 'X' },
    has: ['commands/x.toml'],
    losses: [/warned plugin .claude-plugin\/marketplace\.json: .*line 1, column 3/],
  },
  {
    shape: 'a marketplace whose plugins are a map from names to folders',
    files: {
      [MARKET]: { plugins: { aw: { path: './kit', version: '0.1.0' } } },
      'kit/commands/x.md': 'X',
    },
    has: ['commands/x.toml'],
    texts: { 'gemini-extension.json': [/"name": "aw"/, /"version": "0\.1\.0"/] },
  },
  {
    shape: 'a marketplace whose source is an object with a folder',
    files: {
      [MARKET]: { plugins: [{ name: 'd', source: { source: 'directory', path: './kit' } }] },
      'kit/commands/x.md': 'X',
    },
    has: ['commands/x.toml'],
  },
];

export const WILD_HOOKS: readonly WildPlugin[] = [
  {
    shape: 'hooks that read CLAUDE_PLUGIN_ROOT from their environment',
    files: {
      'hooks/hooks.json': {
        hooks: {
          Stop: [hook(`node -e "require(process.env.CLAUDE_PLUGIN_ROOT + '/x.js')"`)],
          SessionStart: [hook(`py -3 -c "import os; r = os.environ.get('CLAUDE_PLUGIN_ROOT')"`)],
          PreToolUse: [hook('"${CLAUDE_PLUGIN_ROOT}/run.sh"')],
        },
      },
      'run.sh': '',
      'x.js': '',
    },
    texts: {
      'hooks/hooks.json': [
        /"export CLAUDE_PLUGIN_ROOT=\\"\$\{extensionPath\}\\"; node -e/,
        /"export CLAUDE_PLUGIN_ROOT=\\"\$\{extensionPath\}\\"; py -3/,
        /"command": "\\"\$\{extensionPath\}\/run\.sh\\""/,
      ],
    },
    losses: [/warned hook .*Stop: it reads CLAUDE_PLUGIN_ROOT.*POSIX/],
  },
  {
    shape: 'hooks that are switched off',
    files: {
      'hooks/hooks.json': {
        hooks: {
          Stop: [
            hook('one', { disabled: true }),
            { ...hook('two'), enabled: false },
            hook('three', { enabled: true }),
          ],
        },
      },
    },
    texts: { 'hooks/hooks.json': [/"three"/] },
    never: /"(?:one|two)"/,
    losses: [/skipped hook .*Stop: it is switched off \(disabled\)/, /it is switched off \(enabled\)/],
  },
  {
    shape: 'hooks under the names that events have here',
    files: {
      'hooks/hooks.json': { hooks: { BeforeAgent: [hook('one')], Stop: [hook('two')] } },
    },
    never: /"one"/,
    losses: [/BeforeAgent: Claude Code has no such event, so the plugin does not run it/],
  },
  {
    shape: 'matchers with a server alone, with commas, and for nothing that exists here',
    files: {
      '.mcp.json': { my_srv: { command: 'x' } },
      'hooks/hooks.json': {
        hooks: {
          PreToolUse: [
            { matcher: '^mcp__my_srv__', ...hook('server') },
            { matcher: 'Write, Edit', ...hook('list') },
            { matcher: 'Notebook.*', ...hook('nothing') },
            { matcher: '^(?!Read$).*', ...hook('others') },
            { matcher: 'mcp__.*__write.*', ...hook('pattern') },
          ],
        },
      },
    },
    texts: {
      'hooks/hooks.json': [
        /"\^mcp_my-srv_\.\*"/,
        /"write_file\|replace"/,
        /"others"/,
        /"mcp_\.\*_write\.\*"/,
      ],
    },
    never: /"nothing"/,
    losses: [/skipped hook .*"Notebook\.\*" has no equivalent/],
  },
];
