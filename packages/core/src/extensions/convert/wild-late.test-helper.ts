/** Shapes of the manifests and hooks of late 2026: experimental parts, mods, programs started without a shell. */
import type { WildPlugin } from './wild-plugins.test-helper.js';

const MANIFEST = '.claude-plugin/plugin.json';
const MARKET = '.claude-plugin/marketplace.json';
const hook = (command: string, more: object = {}) => ({ hooks: [{ type: 'command', command, ...more }] });
const skill = (name: string, more = '') =>
  `---\nname: ${name}\ndescription: Does ${name}\n${more}---\nDo it.\n`;
const ROOT = '${CLAUDE_PLUGIN_ROOT}';

export const WILD_LATE: readonly WildPlugin[] = [
  {
    shape: 'experimental parts and fields of the directory',
    files: {
      [MANIFEST]: {
        name: 'a',
        displayName: 'A',
        experimental: { themes: './t/', monitors: [{ name: 'm' }], evals: './e' },
      },
      'commands/x.md': 'X',
    },
    losses: [
      /plugin\.json: experimental\.themes: themes cannot be converted/,
      /plugin\.json: experimental\.monitors: monitors cannot be converted/,
      /dropped displayName, experimental\.evals/,
    ],
  },
  {
    shape: 'hooks as JavaScript modules, beside others and alone',
    files: {
      'hooks/hooks.json': { modules: ['./register.js'], hooks: { Stop: [hook('true')] } },
      'hooks/register.js': 'export function register() {}',
    },
    texts: { 'hooks/hooks.json': [/"claudeEvent": "Stop"/] },
    losses: [/modules: JavaScript that Claude Code runs in itself cannot run here/],
  },
  {
    shape: 'hooks that start a program without a shell, with values of the user',
    files: {
      [MANIFEST]: { name: 'a', userConfig: { tone: { type: 'string', title: 'T', description: 'D' } } },
      'hooks/hooks.json': {
        hooks: {
          PostToolUse: [hook(`${ROOT}/my format.sh`, { args: [] })],
          PreToolUse: [hook('node', { args: [`${ROOT}/f.js`, "it's $HOME `x`", '${user_config.tone}'] })],
        },
      },
      'my format.sh': '',
      'f.js': 'process.env.CLAUDE_PLUGIN_OPTION_TONE; process.env.CLAUDE_PLUGIN_ROOT',
    },
    texts: {
      'hooks/hooks.json': [
        /\\"\$\{extensionPath\}\/my format\.sh\\""/,
        /node \\"\$\{extensionPath\}\/f\.js\\" 'it'\\\\''s \$HOME `x`' \\"\$\{TONE-\}\\"/,
        /export CLAUDE_PLUGIN_OPTION_TONE=\\"\$TONE\\"; /,
        /"env": \{\s*"CLAUDE_PLUGIN_ROOT": "\$\{extensionPath\}"/,
      ],
    },
  },
  {
    shape: 'a condition on an event that has none, a compression, a script that reads the transcript',
    files: {
      'hooks/hooks.json': {
        hooks: { Stop: [hook('never', { if: 'Bash(git *)' })], PreCompact: [hook(`${ROOT}/t.sh`)] },
      },
      't.sh': 'jq -r .transcript_path; echo "$CLAUDE_ENV_FILE"',
    },
    texts: { 'hooks/hooks.json': [/"onlyWhenCompressing": true/] },
    never: /never/,
    losses: [
      /skipped hook .*Stop: a hook with "if" never runs for this event/,
      /t\.sh: it reads transcript_path/,
      /t\.sh: it reads variables that hooks do not have here: CLAUDE_ENV_FILE/,
    ],
  },
  {
    shape: 'a server that is declared twice, and one whose program reads its folder',
    files: {
      [MANIFEST]: { name: 'a', mcpServers: { db: { command: 'second' }, same: { command: 'x' } } },
      '.mcp.json': {
        db: { command: 'first' },
        same: { command: 'x' },
        web: { type: 'http', url: 'https://x.example' },
      },
      'server.js': 'process.env.CLAUDE_PLUGIN_ROOT; process.env.CLAUDE_PROJECT_DIR',
    },
    texts: {
      'gemini-extension.json': [
        /"db": \{\s*"command": "second",\s*"env": \{\s*"CLAUDE_PLUGIN_ROOT": "\$\{extensionPath\}",\s*"CLAUDE_PROJECT_DIR": "\$\{workspacePath\}"/,
      ],
    },
    never: /"first"|db-2|same-2/,
    losses: [/skipped mcp-server \.mcp\.json: db: .*mcpServers: db replaces it/],
  },
  {
    shape: 'an address of a bundle, and a map of commands with a hint',
    files: {
      [MANIFEST]: {
        name: 'a',
        mcpServers: ['https://x.example/y.mcpb'],
        commands: { status: { source: './x/status.md', argumentHint: '[env]', allowedTools: ['Bash'] } },
      },
      'x/status.md': 'Status of $1\n',
    },
    texts: { 'commands/status.toml': [/Status of \$1 \[env\]/, /Status of \{\{args\}\}/] },
    losses: [/MCP bundles cannot be converted, and nothing is downloaded/, /dropped allowedTools/],
  },
  {
    shape: 'skills with switches in other words, more text for the model, and the name of the plugin',
    files: {
      [MANIFEST]: { name: 'kit' },
      'skills/a/SKILL.md': skill('kit:fancy', 'when_to_use: when asked\nuser-invocable: no\n'),
      'skills/b/SKILL.md': skill('b', 'disable-model-invocation: 1\n'),
      'skills/c/SKILL.md': skill('ce:plan'),
      'commands/x.md': 'Run /kit:fancy and /kit:x\n',
    },
    has: ['commands/b.toml'],
    lacks: ['skills/b/SKILL.md'],
    texts: {
      'skills/a/SKILL.md': [/name: fancy/, /Does kit:fancy\. when asked/, /user-invocable: false/],
      'skills/c/SKILL.md': [/name: ce-plan/],
      'commands/x.toml': [/Run \/kit:fancy and \/x/],
    },
  },
  {
    shape: 'settings that look like secrets, or only sound so',
    files: {
      [MANIFEST]: {
        name: 'a',
        userConfig: {
          api_token: { type: 'string', title: 'T', description: 'D', default: 'x' },
          max_tokens: { type: 'number', title: 'M', description: 'D', default: 5 },
        },
      },
      'commands/x.md': 'X',
    },
    texts: {
      'gemini-extension.json': [
        /"envVar": "API_TOKEN",\s*"sensitive": true\s*\}/,
        /"envVar": "MAX_TOKENS",\s*"default": "5"/,
      ],
    },
    losses: [
      /userConfig\.api_token: it looks like a secret and is kept as one/,
      /userConfig\.api_token: the default of a secret is not kept/,
      /warned setting .*looks like a secret \(MAX_TOKENS\)/,
    ],
  },
  {
    shape: 'skills that break the standard, and one that is too large',
    files: {
      'skills/my_skill/SKILL.md': skill('my_skill', `compatibility: ${'c'.repeat(900)}\n`),
      'skills/big/SKILL.md': `${skill('big')}${'x'.repeat(600 * 1024)}`,
    },
    has: ['skills/my_skill/SKILL.md'],
    lacks: ['skills/big/SKILL.md'],
    texts: { 'skills/my_skill/SKILL.md': [/name: my_skill/] },
    losses: [
      /warned skill .*has a name that other programs may refuse/,
      /warned skill .*compatibility note of more than 500/,
      /skipped skill skills\/big\/SKILL\.md: larger than 512 KB/,
    ],
  },
  {
    shape: 'a command and an agent that just fit, until their headers are written',
    files: {
      'commands/a.md': 'x'.repeat(1024 * 1024 - 10),
      'commands/b.md': 'B',
      'agents/a.md': 'x'.repeat(1024 * 1024 - 10),
    },
    has: ['commands/b.toml'],
    losses: [
      /skipped command commands\/a\.md: it becomes larger than 1 MB/,
      /skipped agent agents\/a\.md: it becomes larger than 1 MB/,
    ],
  },
  {
    shape: 'an entry for the repository itself that lists one of its skills',
    files: {
      [MARKET]: { name: 'm', plugins: [{ name: 'one', source: './', skills: ['./skills/a'] }] },
      'skills/a/SKILL.md': skill('a'),
      'skills/b/SKILL.md': skill('b'),
    },
    has: ['skills/a/SKILL.md'],
    lacks: ['skills/b/SKILL.md'],
  },
  {
    shape: 'an entry that adds parts to those of the plugin',
    files: {
      [MARKET]: {
        name: 'm',
        plugins: [
          {
            name: 'one',
            source: './p',
            commands: { extra: { source: './more/extra.md' } },
            agents: ['./more/b.md'],
            hooks: { Stop: [hook('entry')] },
          },
        ],
      },
      'p/.claude-plugin/plugin.json': {
        name: 'one',
        commands: ['./own/own.md'],
        agents: ['./own/a.md'],
        hooks: { Stop: [hook('own')] },
      },
      'p/own/own.md': 'O',
      'p/own/a.md': '---\nname: a\ndescription: A\n---\nA\n',
      'p/more/extra.md': 'E',
      'p/more/b.md': '---\nname: b\ndescription: B\n---\nB\n',
    },
    has: ['commands/own.toml', 'commands/extra.toml', 'agents/a.md', 'agents/b.md'],
    losses: [/marketplace\.json: hooks: it is not read: \.claude-plugin\/plugin\.json counts/],
  },
];
