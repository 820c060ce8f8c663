/** Plugins in the shapes of public ones: manifests, agents, skills and commands. Texts and names are our own. */
import type { Files } from './plugins.test-helper.js';

export interface WildPlugin {
  shape: string;
  files: Files;
  /** Paths of the result. */
  has?: readonly string[];
  /** Paths that the result must not have. */
  lacks?: readonly string[];
  /** Each is in one line of the report, `action kind source: reason`. */
  losses?: readonly RegExp[];
  /** Parts of the text of result files, by path. */
  texts?: Readonly<Record<string, readonly RegExp[]>>;
  /** Must not occur in any written text of the result. */
  never?: RegExp;
}

const MANIFEST = '.claude-plugin/plugin.json';
const agent = (header: string) => `---\nname: helper\ndescription: Helps\n${header}\n---\nHelp.\n`;
const skill = (name: string, more = '') =>
  `---\nname: ${name}\ndescription: Does ${name}\n${more}---\nDo it.\n`;

export const WILD_TEXTS: readonly WildPlugin[] = [
  {
    shape: 'manifest with author as text, keywords, numeric version',
    files: {
      [MANIFEST]: { name: 'a', version: 2, author: 'Me', keywords: ['x'], license: 'MIT' },
      'commands/x.md': 'X',
    },
    losses: [/"2" is not a version of three numbers: it is 2\.0\.0/],
    has: ['commands/x.toml'],
  },
  {
    shape: 'version as date',
    files: { [MANIFEST]: { name: 'a', version: '2026.07.03' }, 'commands/x.md': 'X' },
    losses: [/2026\.07\.03.*2026\.7\.3/],
  },
  {
    shape: 'version "latest"',
    files: { [MANIFEST]: { name: 'a', version: 'latest' }, 'commands/x.md': 'X' },
    losses: [/"latest" is not a version/],
  },
  {
    shape: 'name with spaces and capitals',
    files: { [MANIFEST]: { name: 'My Great Plugin!' }, 'commands/x.md': 'X' },
    has: ['commands/x.toml'],
  },
  {
    shape: 'byte order mark, comments and trailing commas in the manifest',
    files: {
      [MANIFEST]: '\ufeff{\r\n  // the name\r\n  "name": "a",\r\n  "version": "1.0.0",\r\n}\r\n',
      'commands/x.md': '\ufeff---\r\ndescription: D\r\n---\r\nX $ARGUMENTS\r\n',
    },
    texts: { 'commands/x.toml': [/description = "D"/, /X \{\{args\}\}/] },
  },
  {
    shape: 'folders as objects with "path" and "enabled"',
    files: {
      [MANIFEST]: {
        name: 'a',
        commands: { path: 'commands', enabled: true },
        agents: { path: 'agents', enabled: true },
        skills: { path: 'skills', enabled: true },
      },
      'commands/x.md': 'X',
      'agents/h.md': agent(''),
      'skills/s/SKILL.md': skill('s'),
    },
    has: ['commands/x.toml', 'agents/helper.md', 'skills/s/SKILL.md'],
    losses: [/skipped agent .*an entry is not a path/],
  },
  {
    shape: 'paths as lists, with and without ./',
    files: {
      [MANIFEST]: {
        name: 'a',
        commands: ['./extra/one.md', 'extra/two.md', './extra/'],
        agents: './more',
        skills: ['./kit/s', 'kit/s'],
      },
      'extra/one.md': '1',
      'extra/two.md': '2',
      'more/h.md': agent(''),
      'kit/s/SKILL.md': skill('s'),
    },
    has: ['commands/one.toml', 'commands/two.toml', 'agents/helper.md', 'skills/s/SKILL.md'],
  },
  {
    shape: 'globs and paths that leave the plugin',
    files: {
      [MANIFEST]: { name: 'a', commands: ['./commands/*.md', '../x.md'], hooks: '../hooks/hooks.json' },
      'commands/x.md': 'X',
    },
    losses: [
      /commands\/\*\.md: patterns are not paths/,
      /\.\.\/x\.md: the path leaves/,
      /skipped hook .*the path leaves/,
    ],
    has: ['commands/x.toml'],
  },
  {
    shape: 'commands as items with content, file and source',
    files: {
      [MANIFEST]: {
        name: 'a',
        commands: [
          { name: 'one', content: 'Say $1' },
          { name: 'ns:two', file: './c/t.md', description: 'Two' },
          { name: 'three', source: './c/t3.md' },
          { name: 'four' },
        ],
      },
      'c/t.md': 'T',
      'c/t3.md': 'T3',
    },
    has: ['commands/one.toml', 'commands/ns/two.toml', 'commands/three.toml'],
    losses: [/neither a file nor a content/],
  },
  {
    shape: 'misspelt keys',
    files: {
      [MANIFEST]: { name: 'a', mcp: {}, mcp_servers: {}, slash_commands: [], components: {} },
      'commands/x.md': 'X',
    },
    losses: [/mcp: "mcp" is not a key/, /mcp_servers/, /slash_commands/, /components/],
  },
  {
    shape: 'no manifest at all',
    files: { 'skills/s/SKILL.md': skill('s'), 'agents/h.md': agent('') },
    has: ['skills/s/SKILL.md'],
  },
  {
    shape: 'one skill at the root, with scripts',
    files: {
      [MANIFEST]: { name: 'solo', skills: './' },
      'SKILL.md': skill('solo'),
      'scripts/run.sh': 'echo\n',
      'reference.md': 'R',
    },
    has: ['skills/solo/SKILL.md', 'skills/solo/scripts/run.sh'],
  },
  {
    shape: 'nested skill folders and skill.md in lower case',
    files: { 'skills/web/css/SKILL.md': skill('css'), 'skills/low/skill.md': skill('low') },
    has: ['skills/css/SKILL.md', 'skills/low/SKILL.md'],
  },
  {
    shape: 'skills with allowed-tools as text and as list, and keys of Claude Code',
    files: {
      'skills/a/SKILL.md': skill('a', 'allowed-tools: Read, Bash(git:*)\nmodel: opus\ncontext: fork\n'),
      'skills/b/SKILL.md': skill('b', 'allowed-tools:\n  - Write\nhooks:\n  Stop: []\n'),
    },
    losses: [
      /allowed-tools is dropped: tools ask as usual \(a, b\)/,
      /dropped model, context/,
      /dropped hooks/,
    ],
    never: /allowed-tools|trust/,
  },
  {
    shape: 'skill without a name, header with a colon in its value',
    files: { 'skills/fmt/SKILL.md': '---\ndescription: Use when: formatting\n---\nF\n' },
    texts: { 'skills/fmt/SKILL.md': [/name: fmt/, /Use when: formatting/] },
  },
  {
    shape: 'skill that the user starts, with !`cmd`, $0, switches and files',
    files: {
      'skills/go/SKILL.md':
        '---\nname: go\ndescription: G\nargument-hint: "<slug>"\nuser-invocable: true\ndisable-model-invocation: true\nallowed-tools:\n  - Bash\n  - Task\n---\n!`python3 ${CLAUDE_PLUGIN_ROOT}/s.py "$0"`\nSee x/y.md\n',
      'skills/go/x/y.md': 'Y',
      's.py': '',
    },
    has: ['commands/go.toml', 'resources/go/x/y.md'],
    texts: {
      'commands/go.toml': [
        /!\{python3 \$\{extensionPath\}\/s\.py/,
        /\$\{extensionPath\}\/resources\/go\/x\/y\.md/,
      ],
    },
    losses: [/only the user starts it/],
  },
  {
    shape: 'agent with tools as text, colour and modes that skip questions',
    files: {
      'agents/h.md': agent(
        'tools: Read, Bash(git log:*, git diff:*), mcp__ctx__find\ncolor: cyan\npermissionMode: bypassPermissions\nmodel: claude-opus-4-5',
      ),
    },
    texts: {
      'agents/helper.md': [/- read_file\n {2}- run_shell_command\n {2}- mcp_ctx_find\n/, /model: inherit/],
    },
    losses: [/color/, /permissionMode/, /Bash\(git log/],
    never: /bypassPermissions|yolo|trust/i,
  },
  {
    shape: 'agent with unknown tools only',
    files: { 'agents/h.md': agent('tools: [NotebookEdit, TaskCreate, SendMessage]') },
    texts: { 'agents/helper.md': [/tools: \[\]/] },
    losses: [/warned agent/],
  },
  {
    shape: 'agent with an empty list, agent that may call agents',
    files: {
      'agents/h.md': agent('tools: []'),
      'agents/b.md': '---\nname: boss\ndescription: B\ntools: Agent(helper), Read\n---\nB\n',
    },
    texts: { 'agents/helper.md': [/tools: \[\]/], 'agents/boss.md': [/tools:\n {2}- read_file\n/] },
    losses: [/Agents cannot call agents/],
    never: /invoke_agent/,
  },
  {
    shape: 'agent with disallowedTools',
    files: { 'agents/h.md': agent('disallowedTools: Write, Edit, Bash') },
    texts: { 'agents/helper.md': [/- read_file/] },
    never: /- (?:write_file|replace|run_shell_command)\n/,
  },
  {
    shape: 'agents with broken YAML, without header, and documentation beside them',
    files: {
      'agents/h.md': '---\nname: helper\ndescription: Use it: "a" or: b\ntools: Read\n---\nH\n',
      'agents/plain.md': 'You plan.\n',
      'agents/README.md': '# Agents\n',
    },
    has: ['agents/helper.md', 'agents/plain.md'],
    losses: [/README\.md: a text for people/],
  },
  {
    shape: 'agents without a name, and of names of built-in agents and tools',
    files: {
      'agents/deep/Code Reviewer.md': '---\ndescription: R\n---\nR\n',
      'agents/generalist.md': '---\ndescription: G\n---\nG\n',
    },
    has: ['agents/code-reviewer.md', 'agents/demo-generalist.md'],
    losses: [/built-in agent/],
  },
  {
    shape: 'command with every key of the header',
    files: {
      'commands/x.md':
        '---\nname: x\ndescription: >-\n  Long\n  text\nargument-hint: [a] [b]\nallowed-tools: Bash(*), Write\nmodel: haiku\nshortcut: x\naliases: [y]\ncategory: c\n---\n$ARGUMENTS\n',
    },
    losses: [/dropped allowed-tools, model/, /shortcut, aliases, category/],
    texts: { 'commands/x.toml': [/description = "Long text/] },
    never: /allowed-tools/,
  },
  {
    shape: 'command with places, code fences, mail, money, decorators and templates',
    files: {
      'commands/x.md':
        'Move $1 to $2 for $100, ask me@x.io.\n\n```py\n@app.get("/")\nprint("$1", {{ x }})\n```\n\n```!\ngit status\n```\n',
    },
    texts: {
      'commands/x.toml': [
        /Arguments: \{\{args\}\}/,
        /the first argument to the second argument for \$100/,
        /@app\.get/,
        /\{\{ x \}\}/,
        /!\{git status\}/,
      ],
    },
    losses: [/single arguments/],
  },
];
