/** Plugins whose conversion loses something: each loss has its line, and no right grows. */
import type { WildPlugin } from './wild-plugins.test-helper.js';

const MANIFEST = '.claude-plugin/plugin.json';
const agent = (header: string) => ({ 'agents/a.md': `---\nname: a\ndescription: A\n${header}\n---\nA\n` });
const plugin = (more: object) => ({ [MANIFEST]: { name: 'a', ...more }, 'commands/x.md': 'X' });

export const WILD_LOSSES: readonly WildPlugin[] = [
  {
    shape: 'fields for galleries and unknown fields',
    files: plugin({ author: 'me', homepage: 'h', repository: 'r', license: 'MIT', keywords: [], icon: 'i' }),
    losses: [/extensions have no author, homepage, repository, license, keywords/, /dropped icon/],
  },
  {
    shape: 'a description that is not a text',
    files: plugin({ description: { en: 'x' } }),
    losses: [/description: it is not a text/],
  },
  {
    shape: 'a name that extensions cannot have',
    files: { [MANIFEST]: { name: 'My_Plugin Name' }, 'commands/x.md': 'X' },
    losses: [/"My_Plugin Name" is called my-plugin-name here/],
  },
  {
    shape: 'a long description of an agent',
    files: { 'agents/a.md': `---\nname: a\ndescription: ${'x'.repeat(3000)}\n---\nA\n` },
    texts: { 'agents/a.md': [/^description: x{3000}$/m] },
  },
  {
    shape: 'an agent that names servers of the session',
    files: agent('mcpServers:\n  - github\n  - slack'),
    losses: [/mcpServers names github, slack/],
  },
  {
    shape: 'an agent whose server trusts itself',
    files: agent('mcpServers:\n  s:\n    command: node\n    trust: true'),
    losses: [/mcpServers\.s: dropped trust/],
    never: /trust/,
  },
  {
    shape: 'an agent that only plans',
    files: agent('permissionMode: plan'),
    losses: [/only tools that read are kept/],
  },
  {
    shape: 'disallowed tools with arguments, and none allowed',
    files: agent('disallowedTools: Bash(rm:*), mcp__x'),
    losses: [/those of MCP servers are not in it/, /Bash\(rm:\*\) in disallowedTools removes the whole tool/],
    never: /run_shell_command/,
  },
  {
    shape: 'tools as an empty text, and as a key without a value',
    files: {
      'agents/b.md': '---\nname: b\ndescription: B\ntools: ""\n---\nB\n',
      'agents/c.md': '---\nname: c\ndescription: C\ntools:\n---\nC\n',
    },
    texts: { 'agents/b.md': [/tools: \[\]/], 'agents/c.md': [/tools: \[\]/] },
    losses: [/agents\/b\.md: The agent has no tools/, /agents\/c\.md: The agent has no tools/],
  },
  {
    shape: 'commands as a map from names to files',
    files: { [MANIFEST]: { name: 'a', commands: { three: './c/3.md' } }, 'c/3.md': 'Three' },
    has: ['commands/three.toml'],
  },
  {
    shape: 'one skill at the root with a name of its own',
    files: { [MANIFEST]: { name: 'kit' }, 'SKILL.md': '---\nname: solo\ndescription: S\n---\nS\n' },
    has: ['skills/solo/SKILL.md'],
  },
  {
    shape: 'a skill of the names of three program families',
    files: {
      'skills/one/SKILL.md': '---\nname: one\ndescription: O\nplatforms: [claude, codex]\n---\nO\n',
      'skills/two/SKILL.md': '---\nname: two\ndescription: T\nce_platforms: [gemini]\n---\nT\n',
    },
    has: ['skills/two/SKILL.md'],
    losses: [/other programs only: claude, codex/],
  },
  {
    shape: 'values of the user in every spelling, with limits',
    files: {
      [MANIFEST]: {
        name: 'a',
        userConfig: { apiToken: { title: 'T', sensitive: true }, count: { type: 'number', min: 1, max: 5 } },
        mcpServers: {
          s: { command: 'x', args: ['${CLAUDE_PLUGIN_OPTION_apiToken}', '$CLAUDE_PLUGIN_OPTION_OTHER'] },
        },
      },
    },
    texts: { 'gemini-extension.json': [/"\$\{API_TOKEN\}"/] },
    losses: [/userConfig\.count: dropped min, max/, /CLAUDE_PLUGIN_OPTION_OTHER is not supplied/],
  },
  {
    shape: 'servers with a space, with the same name, switched off, and with other limits',
    files: {
      '.mcp.json': {
        'My Server': { command: 'a' },
        'My-Server': { command: 'b' },
        off: { command: 'c', disabled: true, allowedTools: ['x'] },
      },
    },
    texts: { 'gemini-extension.json': [/"My-Server"/, /"My-Server-2"/, /"disabled": true/] },
    losses: [/called My-Server here, because names of servers/, /off: dropped allowedTools/],
  },
  {
    shape: 'a server that needs the data folder, an environment file, a default and a helper',
    files: {
      '.mcp.json': {
        a: {
          command: '${CLAUDE_PLUGIN_ROOT:-.}/bin/x',
          args: ['--data=${CLAUDE_PLUGIN_DATA}', '${X:-y}'],
          headersHelper: 'h.sh',
        },
      },
      'bin/x': '',
    },
    texts: { 'gemini-extension.json': [/"\$\{extensionPath\}\/bin\/x"/, /"\$\{X:-y\}"/] },
    losses: [/CLAUDE_PLUGIN_DATA is not supplied/, /dropped headersHelper/],
  },
  {
    shape: 'hooks for events and sources that exist only there',
    files: {
      'hooks/hooks.json': {
        hooks: {
          PermissionRequest: [{ hooks: [{ type: 'command', command: 'a' }] }],
          SubagentStart: [{ hooks: [{ type: 'command', command: 'b' }] }],
          SessionStart: [{ matcher: 'compact', hooks: [{ type: 'command', command: 'c' }] }],
          SessionEnd: [{ matcher: 'logout|weird', hooks: [{ type: 'command', command: 'd' }] }],
          Stop: [{ matcher: 'x', hooks: [{ type: 'mcp_tool', server: 's' }] }],
        },
      },
    },
    losses: [
      /PermissionRequest: there is no such event/,
      /SubagentStart: there is no such event/,
      /matcher "compact" has no equivalent/,
      /weird of the matcher does not happen/,
      /type "mcp_tool" cannot run/,
    ],
    texts: { 'hooks/hooks.json': [/"matcher": "logout"/] },
    never: /"command": "[abc]"/,
  },
  {
    shape: 'a hook with arguments, options and variables that are not supplied',
    files: {
      'hooks/hooks.json': {
        PostToolUse: [
          {
            matcher: 'Edit|Write|NotebookEdit',
            hooks: [
              {
                type: 'command',
                command: 'node',
                args: ['${CLAUDE_PLUGIN_ROOT}/a b.js', '$TOOL_NAME'],
                async: true,
                once: true,
                statusMessage: 's',
              },
            ],
          },
        ],
      },
      'a b.js': '',
    },
    texts: { 'hooks/hooks.json': [/node \\"\$\{extensionPath\}\/a b\.js\\"/, /"replace\|write_file"/] },
    losses: [/nothing here is called NotebookEdit/, /dropped async, once, statusMessage/, /TOOL_NAME is not/],
  },
  {
    shape: 'the same command twice on one event',
    files: {
      'hooks/hooks.json': { Stop: [{ hooks: [{ type: 'command', command: 'x' }] }] },
      [MANIFEST]: { name: 'a', hooks: { Stop: [{ hooks: [{ type: 'command', command: 'x' }] }] } },
    },
    texts: { 'hooks/hooks.json': [/"name": "AfterAgent-1"/, /"name": "AfterAgent-2"/] },
  },
  {
    shape: 'a prompt with marks of our own, a broken command and a fence that runs',
    files: {
      'commands/a.md': '{{args}} !{x} @{y} {{other}}',
      'commands/b.md': 'x !`echo {` y',
      'commands/c.md': '```!\ngit status\nls\n```\n',
      'commands/d.md': "a ''' $ARGUMENTS",
    },
    texts: {
      'commands/a.toml': [/\{ \{args\}\} ! \{x\} @ \{y\} \{\{other\}\}/],
      'commands/b.toml': [/x `echo \{` y/],
      'commands/c.toml': [/!\{git status\nls\}/],
      'commands/d.toml': [/prompt = "a ''' \{\{args\}\}"/],
    },
    losses: [/so that they stay text/, /unbalanced braces/],
  },
  {
    shape: 'references to files, packages, people and decorators',
    files: { 'commands/h.md': 'a@b.com @types/node @Component @README.md @./x @src @docs/a.md, end' },
    texts: {
      'commands/h.toml': [
        /a@b\.com @types\/node @Component @\{README\.md\} @\{\.\/x\} @src @\{docs\/a\.md\}, end/,
      ],
    },
  },
  {
    shape: 'a skill with the name of a command, and one that the user may not start',
    files: {
      'commands/a.md': 'x',
      'skills/a/SKILL.md':
        '---\nname: a\ndescription: A\nuser-invocable: false\n---\n{baseDir}/x ${CLAUDE_SKILL_DIR}/y !`z`\n',
      'skills/a/x': '',
    },
    has: ['commands/a-command.toml'],
    texts: {
      'skills/a/SKILL.md': [/user-invocable: false/, /\$\{extensionPath\}\/skills\/a\/x/, /skills\/a\/y/],
    },
    losses: [/the command is \/a-command/, /are not run/],
  },
  {
    shape: 'titled commands in the default folder, one of them index.md',
    files: {
      [MANIFEST]: {
        name: 'a',
        commands: [
          { name: 'note-find', file: 'commands/find.md', description: 'Find notes' },
          { name: 'note-index', file: 'commands/index.md' },
        ],
      },
      'commands/find.md': 'Find $ARGUMENTS',
      'commands/index.md': 'Index the notes',
      'commands/README.md': '# Commands',
      'commands/template.md': 'Show the template',
    },
    has: ['commands/note-find.toml', 'commands/note-index.toml', 'commands/template.toml'],
    texts: { 'commands/note-find.toml': [/description = "Find notes"/] },
    losses: [/README\.md: a text for people/],
  },
  {
    shape: 'a fence that runs a script of the plugin with quoted arguments',
    files: {
      'commands/go.md':
        '```!\nbash -c \'bash "${CLAUDE_PLUGIN_ROOT//\\\\//}/scripts/go.sh" $ARGUMENTS\'\n```\n!`gh pr view "$ARGUMENTS"`\n',
      'scripts/go.sh': '',
    },
    texts: {
      'commands/go.toml': [
        /!\{bash -c 'bash "\$\{extensionPath\}\/scripts\/go\.sh" '\{\{args\}\}\}/,
        /!\{gh pr view \{\{args\}\}\}/,
      ],
    },
    losses: [/one quoted word/],
  },
  {
    shape: 'agents that plan mode limits',
    files: {
      'agents/a.md': '---\nname: a\ndescription: A\npermissionMode: plan\n---\nA\n',
      'agents/b.md': '---\nname: b\ndescription: B\npermissionMode: plan\ntools: Read, Bash, Write\n---\nB\n',
      'agents/c.md': '---\nname: c\ndescription: C\npermissionMode: dontAsk\ntools: Read\n---\nC\n',
    },
    texts: { 'agents/a.md': [/- read_file\n/], 'agents/b.md': [/tools:\n {2}- read_file\n(?! {2}-)/] },
    never: /run_shell_command|write_file|replace/,
    losses: [/only tools that read are kept/, /here you are asked instead/],
  },
  {
    shape: 'names in another script',
    files: {
      [MANIFEST]: { name: '插件' },
      'commands/修复.md': 'Repair',
      'commands/git/提交.md': 'Commit',
      'skills/审查/SKILL.md': '---\nname: 审查\ndescription: R\n---\nR\n',
    },
    has: ['commands/command.toml', 'commands/git/command.toml', 'skills/skill/SKILL.md'],
    losses: [/"插件" is called demo here/, /the command is \/git:command/, /"审查" is called skill/],
  },
  {
    shape: 'parts of hooks, servers and commands that are lost',
    files: {
      [MANIFEST]: {
        name: 'a',
        mcpServers: {
          far: { url: 'https://far.example', env: { A: '1' } },
          near: { command: 'x', url: 'u' },
        },
        commands: { go: { source: './c/go.md', argumentHint: '[x]', enabled: false } },
      },
      'c/go.md': 'Go to $CLAUDE_PROJECT_DIR',
      'skills/s/SKILL.md': '---\nname: s\ndescription: S\n---\nsee ${CLAUDE_PLUGIN_DATA}\n',
      'agents/h.md': '---\nname: h\ndescription: H\n---\nsee $CLAUDE_SESSION_ID\n',
      'hooks/hooks.json': {
        hooks: {
          PreToolUse: [
            { matcher: 'Write', hooks: [{ type: 'command', command: 'never', if: 'Bash(git *)' }] },
            { matcher: 'Bash', note: 'n', hooks: [{ type: 'command', command: 'x', env: {}, retries: 2 }] },
          ],
          SessionEnd: [{ hooks: [{ type: 'command', command: 'y', if: 'Bash(git *)' }] }],
          Stop: { command: 'node', args: ['x'] },
        },
      },
    },
    never: /"never"/,
    losses: [
      /far.*dropped env/,
      /near.*dropped url/,
      /dropped enabled/,
      /go\.md: CLAUDE_PROJECT_DIR is not supplied/,
      /SKILL\.md: CLAUDE_PLUGIN_DATA is not supplied/,
      /h\.md: CLAUDE_SESSION_ID is not supplied/,
      /its matcher leaves it out/,
      /dropped note/,
      /dropped env, retries/,
      /SessionEnd: a hook with "if" never runs/,
      /Stop: it must be a list/,
    ],
  },
  {
    shape: 'an MCP bundle',
    files: { [MANIFEST]: { name: 'a', mcpServers: './a.mcpb' }, 'a.mcpb': 'PK' },
    losses: [/a\.mcpb: MCP bundles cannot be converted/],
  },
  {
    shape: 'a choice, a channel with its own settings, and a long description',
    files: {
      [MANIFEST]: {
        name: 'a',
        userConfig: { way: { type: 'string', options: ['a', 'b'] }, odd: { options: [1] } },
        channels: [{ server: 's', userConfig: { token: { type: 'string' } } }],
        mcpServers: { s: { command: 'x', env: { T: '${user_config.token}', W: '${user_config.way}' } } },
      },
      'skills/s/SKILL.md': `---\nname: s\ndescription: ${'long '.repeat(300)}\n---\nS\n`,
    },
    texts: {
      'gemini-extension.json': [
        /"type": "choice"/,
        /"W": "\$\{WAY\}"/,
        /"T": "\$\{TOKEN\}"/,
        /"envVar": "TOKEN",\s*"sensitive": true/,
      ],
    },
    losses: [
      /channels cannot be converted/,
      /userConfig\.token: it looks like a secret and is kept as one/,
      /userConfig\.odd: dropped options/,
      /cut to 1024/,
    ],
  },
];
