/** Plugins in the shapes of public ones: hooks, servers, settings and other files. */
import type { WildPlugin } from './wild-plugins.test-helper.js';

const MANIFEST = '.claude-plugin/plugin.json';
const hook = (command: string, more: object = {}) => ({ hooks: [{ type: 'command', command, ...more }] });

export const WILD_PROGRAMS: readonly WildPlugin[] = [
  {
    shape: 'hooks with description, bare map, milliseconds, async and a missing script',
    files: {
      'hooks/hooks.json': {
        description: 'D',
        hooks: {
          PostToolUse: [
            {
              matcher: 'Write|Edit|MultiEdit',
              ...hook('"${CLAUDE_PLUGIN_ROOT}/scripts/fmt.sh"', { timeout: 5000, async: true }),
            },
          ],
        },
      },
    },
    texts: { 'hooks/hooks.json': [/"matcher": "write_file\|replace"/, /"timeout": 5000/] },
    losses: [/hooks differ/, /dropped async/, /scripts\/fmt\.sh, which does not exist/],
  },
  {
    shape: 'hooks as a bare map below .claude-plugin, without a type',
    files: {
      '.claude-plugin/hooks.json': { Stop: [{ matcher: '*', hooks: [{ command: 'true' }] }], _comment: 'x' },
    },
    texts: { 'hooks/hooks.json': [/"AfterAgent"/] },
  },
  {
    shape: 'hooks as an array, as a text, and of other types',
    files: {
      [MANIFEST]: {
        name: 'a',
        hooks: [
          './h1.json',
          {
            Stop: [
              { hooks: [{ type: 'prompt', prompt: 'x' }, { type: 'agent' }, { type: 'http', url: 'x' }] },
            ],
          },
        ],
      },
      'h1.json': [{ event: 'Stop', command: 'x' }],
      'commands/x.md': 'X',
    },
    losses: [/not a map from events/, /type "prompt"/, /type "agent"/, /type "http"/],
  },
  {
    shape: 'hooks with matchers that exist only there: lists, objects, expressions, conditions',
    files: {
      'hooks/hooks.json': {
        hooks: {
          PreToolUse: [
            { matcher: ['Bash', 'LSP'], ...hook('a') },
            { matcher: { tool: 'Bash' }, ...hook('b') },
            { matcher: 'mcp__plugin_a_ctx__.*|Bash(', ...hook('c') },
            { matcher: 'Bash', ...hook('d', { if: 'Bash(git push:*)' }) },
            { matcher: 'TaskCreate', ...hook('e') },
          ],
          SessionStart: [{ matcher: 'startup|compact', ...hook('f') }],
          Notification: [{ matcher: 'idle', ...hook('g') }],
          WorktreeCreate: [hook('h')],
        },
      },
    },
    losses: [
      /nothing here is called LSP/,
      /its matcher is not a text/,
      /of the condition "Bash\(git push/,
      /TaskCreate" has no equivalent/,
      /compact of the matcher/,
      /no matcher for notifications/,
      /WorktreeCreate: there is no such event/,
    ],
    never: /"command": "(?:b|c|e|g|h)"/,
  },
  {
    shape: '.mcp.json with mcpServers, underscores, trust, relative commands and secrets',
    files: {
      '.mcp.json': {
        mcpServers: {
          my_db: {
            type: 'stdio',
            command: 'bin/db',
            trust: true,
            alwaysAllow: ['*'],
            autoApprove: ['x'],
            env: { TOKEN: 'ghp_0123456789012345678901234567890123456' },
          },
        },
      },
      'bin/db': '',
    },
    texts: { 'gemini-extension.json': [/"my-db"/, /"\$\{extensionPath\}\/bin\/db"/] },
    losses: [/trust, alwaysAllow, autoApprove/, /TOKEN looks like a secret/, /called my-db/],
    never: /"trust"|alwaysAllow|autoApprove|"type": "stdio"/,
  },
  {
    shape: 'bare .mcp.json with http, sse, ws, an empty address, headers helper and oauth',
    files: {
      '.mcp.json': {
        h: {
          type: 'http',
          url: 'https://x.example/${TENANT:-a}',
          headers: { A: 'Bearer ${env:KEY}' },
          headersHelper: 'x.sh',
          oauth: { clientId: 'c', callbackPort: 8080 },
        },
        s: { type: 'sse', url: 'https://x.example/sse' },
        u: { url: 'https://x.example/u' },
        w: { type: 'ws', url: 'wss://x.example' },
        e: { type: 'http', url: '' },
      },
    },
    texts: {
      'gemini-extension.json': [
        /Bearer \$\{KEY\}/,
        /\$\{TENANT:-a\}/,
        /http:\/\/localhost:8080\/oauth\/callback/,
      ],
    },
    losses: [/headersHelper/, /transport "ws"/, /e: its address is empty/],
  },
  {
    shape: 'mcpServers as a list with names, as a path, with an unbuilt server',
    files: {
      [MANIFEST]: {
        name: 'a',
        mcpServers: [
          { name: 'one', command: 'node', args: ['${CLAUDE_PLUGIN_ROOT}/dist/server.js'] },
          './m.json',
        ],
      },
      'm.json': {
        two: { command: 'npx', args: ['-y', '@x/y'], cwd: '${CLAUDE_PROJECT_DIR}' },
        three: 'x',
        four: {},
      },
    },
    texts: { 'gemini-extension.json': [/"one"/, /"\$\{workspacePath\}"/] },
    losses: [/dist\/server\.js, which does not exist/, /three: it is not an object/, /four: it has neither/],
  },
  {
    shape: 'settings of the user, one of a name that decides which programs run',
    files: {
      [MANIFEST]: {
        name: 'a',
        userConfig: {
          apiKey: { title: 'Key', sensitive: true, default: 'k' },
          path: { type: 'string' },
          port: { type: 'number', default: 80 },
        },
        mcpServers: { s: { command: 'x', env: { K: '${user_config.apiKey}', PORT: '1' } } },
      },
    },
    texts: { 'gemini-extension.json': [/"A_PATH"/, /"K": "\$\{API_KEY\}"/] },
    losses: [/default of a secret/, /PORT hides the setting/],
  },
  {
    shape: 'output styles, language servers, monitors, themes, settings, channels, workflows',
    files: {
      [MANIFEST]: {
        name: 'a',
        lspServers: { go: { command: 'gopls' } },
        outputStyles: './styles',
        channels: [],
        dependencies: ['b'],
      },
      'styles/s.md': 'S',
      'monitors/monitors.json': [],
      'themes/t.json': {},
      'settings.json': { permissions: { allow: ['Bash(*)'] } },
      'commands/x.md': 'X',
    },
    losses: [
      /language servers cannot/,
      /output styles cannot/,
      /monitors cannot/,
      /themes cannot/,
      /settings cannot/,
      /channels cannot/,
      /dependencies on other plugins cannot/,
    ],
  },
  {
    shape: 'files that an extension would load, though the plugin does not',
    files: {
      'policies/p.toml': '[[rule]]\ntoolName = "*"\ndecision = "allow"\n',
      '.env': 'A=1',
      'commands/y.toml': 'prompt = "y"',
      'commands/x.md': 'X',
    },
    losses: [/policies\/p\.toml: .*policy rules/, /\.env: /, /y\.toml: /],
    never: /decision/,
  },
  {
    shape: 'texts for contributors and paths of Claude Code',
    files: {
      'CLAUDE.md': 'For us',
      'AGENTS.md': 'For us',
      'commands/x.md':
        'Read .claude/settings.json, keep .claude/state.local.md, ask @agent-helper, run /demo:y and `Bash`.\n',
      'commands/y.md': 'Y',
    },
    losses: [/CLAUDE\.md: for people/, /AGENTS\.md: for people/],
    texts: {
      'commands/x.toml': [
        /\.gemini\/settings\.json/,
        /\.claude\/state\.local\.md/,
        /@helper/,
        /run \/y and `run_shell_command`/,
      ],
    },
  },
  {
    shape: 'empty command, huge text, names that differ only in case',
    files: {
      'commands/e.md': '---\ndescription: E\n---\n\n',
      'commands/big.md': 'x'.repeat(1_100_000),
      'commands/A.md': 'A',
      'commands/a.md': 'a',
    },
    losses: [/e\.md: it has no text/, /big\.md: larger than 1 MB/, /another command has the same name/],
  },
];
