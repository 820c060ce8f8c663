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
          UserPromptSubmit: [
            hook(
              'R=${CLAUDE_PLUGIN_ROOT:-${PLUGIN_ROOT:-.}}; $R/run.sh $CLAUDE_EFFORT ${CLAUDE_CODE_REMOTE:-0}',
            ),
          ],
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
    losses: [
      /warned hook .*Stop: it reads CLAUDE_PLUGIN_ROOT.*POSIX/,
      /CLAUDE_EFFORT is not supplied/,
      /CLAUDE_CODE_REMOTE is not supplied/,
    ],
  },
  {
    shape: 'hooks that are switched off',
    files: {
      'hooks/hooks.json': {
        hooks: {
          Stop: [
            hook('one', { disabled: true }),
            { ...hook('two'), enabled: false },
            hook('three', { enabled: true, timeout: '30' }),
          ],
        },
      },
    },
    texts: { 'hooks/hooks.json': [/"three"/] },
    never: /"(?:one|two)"/,
    losses: [
      /skipped hook .*Stop: it is switched off \(disabled\)/,
      /it is switched off \(enabled\)/,
      /its timeout is not a number/,
    ],
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

export const WILD_PARTS: readonly WildPlugin[] = [
  {
    shape: 'mcpServers as a list of maps, and names that begin with a line',
    files: {
      [MANIFEST]: {
        name: 'a',
        mcpServers: [
          { three: { command: 'c3' } },
          { mcpServers: { four: { command: 'c4' } } },
          { name: 'five', command: 'c5' },
        ],
      },
      '.mcp.json': { _local: { command: 'c6' }, _comment: 'text' },
    },
    texts: { 'gemini-extension.json': [/"three"/, /"four"/, /"five"/, /"local"/] },
  },
  {
    shape: 'a server file with more than servers',
    files: {
      '.mcp.json': {
        $schema: 's',
        mcpServers: { 'My Server': { type: 'http', url: 'https://x.example', title: 'T' } },
        recommendedCategories: ['x'],
      },
    },
    texts: { 'gemini-extension.json': [/"My-Server"/] },
    losses: [/warned mcp-server \.mcp\.json: dropped recommendedCategories/, /dropped title/],
  },
  {
    shape: 'skills as items with more than a path',
    files: {
      [MANIFEST]: {
        name: 'a',
        skills: [
          { id: 'q', name: 'using-it', path: 'kit/it/SKILL.md', description: 'Other' },
          { name: 'off', path: 'kit/off', enabled: false },
        ],
      },
      'kit/it/SKILL.md': skill('it'),
      'kit/off/SKILL.md': skill('off'),
    },
    has: ['skills/using-it/SKILL.md'],
    lacks: ['skills/off/SKILL.md'],
    losses: [
      /warned skill .*skills: kit\/it\/SKILL\.md: dropped id, description/,
      /kit\/off: it is switched off/,
    ],
  },
  {
    shape: 'programs in bin, workflows, and files of the manifest folder',
    files: {
      [MANIFEST]: { name: 'a' },
      'bin/tool': '',
      'workflows/check.js': '',
      '.claude-plugin/icon.svg': '',
      'commands/x.md': 'X',
    },
    has: ['bin/tool'],
    losses: [
      /bin\/tool: programs in bin\/ are not found by their names here/,
      /skipped file .*icon\.svg/,
      /workflows\/check\.js: workflows cannot be converted/,
    ],
  },
  {
    shape: 'settings with a list of values, of a folder, and as plain text',
    files: {
      [MANIFEST]: {
        name: 'a',
        userConfig: {
          pm: { type: 'string', enum: ['npm', 'yarn'] },
          dir: { type: 'directory' },
          plain: 'text',
        },
      },
      'commands/x.md': 'X',
    },
    texts: { 'gemini-extension.json': [/"type": "choice",\s+"options": \[\s+"npm",\s+"yarn"/] },
    losses: [
      /userConfig\.dir: its type "directory" is any text here/,
      /userConfig\.plain: it is not an object/,
    ],
  },
  {
    shape: 'commands with named arguments, the folder of a skill, and a long description',
    files: {
      'commands/a.md': '---\narguments: [issue, branch]\n---\nFix $issue on $branch, not $issues.\n',
      'commands/b.md': '---\narguments: issue\n---\nFix $issue: !`gh issue view $issue`\n',
      'commands/c.md': 'Run ${CLAUDE_SKILL_DIR}/x.sh\n',
      'commands/d.md': `---\ndescription: ${'x'.repeat(1500)}\n---\nD\n`,
      'commands/kit/SKILL.md': '---\ndescription: K\n---\nK\n',
    },
    has: ['commands/kit.toml'],
    lacks: ['commands/kit/SKILL.toml'],
    texts: {
      'commands/a.toml': [
        /Arguments: \{\{args\}\}/,
        /Fix the first argument on the second argument, not \$issues/,
      ],
      'commands/b.toml': [/Fix \{\{args\}\}: !\{gh issue view \{\{args\}\}\}/],
    },
    losses: [/a\.md: single arguments/, /c\.md: CLAUDE_SKILL_DIR is not/, /d\.md: .*cut to 1024/],
  },
  {
    shape: 'texts that name tools of servers',
    files: {
      '.mcp.json': { my_srv: { command: 'x' } },
      'commands/c.md':
        'Use mcp__my_srv__find, `mcp__plugin_demo_my_srv__get`, mcp__<server>__x.\n\n```\nmcp__my_srv__a\n```\n',
      'skills/s/SKILL.md': '---\nname: s\ndescription: S\n---\nCall `mcp__other__do_it`.\n',
    },
    texts: {
      'commands/c.toml': [
        /Use mcp_my-srv_find, `mcp_my-srv_get`, mcp__<server>__x/,
        /```\nmcp__my_srv__a\n```/,
      ],
      'skills/s/SKILL.md': [/Call `mcp_other_do_it`/],
    },
  },
  {
    shape: 'single arguments in a skill',
    files: { 'skills/s/SKILL.md': '---\nname: s\ndescription: S\n---\nMove $1 to $2, `$ARGUMENTS[0]`.\n' },
    losses: [/SKILL\.md: single arguments \(\$1, \$2, …\) are not replaced in skills/],
  },
  {
    shape: 'disallowed tools that are patterns, or part of an allowed pattern',
    files: {
      'agents/a.md': '---\nname: a\ndescription: A\ndisallowedTools: "*"\n---\nA\n',
      'agents/b.md':
        '---\nname: b\ndescription: B\ntools: Read, mcp__gh, mcp__db__q\ndisallowedTools: mcp__gh__drop\n---\nB\n',
      'agents/c.md':
        '---\nname: c\ndescription: C\ntools: Read, mcp__gh__a, mcp__db__q\ndisallowedTools: mcp__gh__*\n---\nC\n',
      'agents/d.md': '---\nname: d\ndescription: D\ntools: Read, mcp__*\n---\nD\n',
      'agents/e.md':
        '---\nname: e\ndescription: E\ntools: Read, mcp__db__q\ndisallowedTools: mcp__*\n---\nE\n',
    },
    texts: {
      'agents/a.md': [/tools: \[\]/],
      'agents/b.md': [/tools:\n {2}- read_file\n {2}- mcp_db_q\n(?! {2}-)/],
      'agents/c.md': [/tools:\n {2}- read_file\n {2}- mcp_db_q\n(?! {2}-)/],
      'agents/d.md': [/- read_file\n {2}- mcp_\*\n/],
      'agents/e.md': [/tools:\n {2}- read_file\n(?! {2}-)/],
    },
    losses: [/b\.md: .*mcp_gh_\* is removed: it includes the disallowed mcp_gh_drop/],
  },
  {
    shape: 'arguments that are counted from zero',
    files: {
      'commands/a.md': "Move $0 from $1: !`awk '{print $0}' x`\n",
      'commands/b.md': "Print !`awk '{print $0}' x` for $1\n",
    },
    texts: {
      'commands/a.toml': [/Move the first argument from the second argument: !\{awk '\{print \$0\}' x\}/],
      'commands/b.toml': [/!\{awk '\{print \$0\}' x\} for \{\{args\}\}/],
    },
    losses: [/a\.md: single arguments/],
  },
  {
    shape: 'limits in other spellings, and limits of skills and commands',
    files: {
      'agents/a.md': '---\nname: a\ndescription: A\ntools: Read, Write\ndisallowed-tools: Write\n---\nA\n',
      'skills/s/SKILL.md': '---\nname: s\ndescription: S\ndisallowed-tools: Bash\n---\nS\n',
      'skills/u/SKILL.md':
        '---\nname: u\ndescription: U\ndisable-model-invocation: yes\ndisallowed-tools: Bash\n---\nU\n',
      'commands/c.md': '---\ndescription: C\ndisallowed-tools: [Bash]\n---\nC\n',
    },
    has: ['commands/u.toml'],
    lacks: ['skills/u/SKILL.md'],
    texts: { 'agents/a.md': [/tools:\n {2}- read_file\n(?! {2}-)/] },
    losses: [
      /skills\/s\/SKILL\.md: disallowed-tools is dropped: it takes no tools away here/,
      /skills\/u\/SKILL\.md: disallowed-tools is dropped/,
      /c\.md: disallowed-tools is dropped/,
    ],
  },
  {
    shape: 'tools of an agent, separated by spaces',
    files: {
      'agents/a.md': '---\nname: a\ndescription: A\ntools: Read Grep Bash(git log:*) mcp__s__t\n---\nA\n',
      'agents/b.md': '---\nname: b\ndescription: B\ntools: All tools\n---\nB\n',
    },
    texts: {
      'agents/a.md': [/- read_file\n {2}- grep_search\n {2}- run_shell_command\n {2}- mcp_s_t\n/],
      'agents/b.md': [/tools: \[\]/],
    },
  },
];
