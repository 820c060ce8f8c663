/** Shapes in which a conversion could run more than the plugin did, or lose something without a word. */
import type { WildPlugin } from './wild-plugins.test-helper.js';

const MANIFEST = '.claude-plugin/plugin.json';
const hook = (command: string) => ({ hooks: [{ type: 'command', command }] });

export const WILD_RIGHTS: readonly WildPlugin[] = [
  {
    shape: 'inline commands that Claude Code leaves as text: behind a sign, and over several lines',
    files: {
      'commands/a.md':
        '!`one` KEY=!`two` (!`three`) **!`four`** >!`five`\n- !`six`\n\tx !`seven`\n\n!`cat <<X\ny\nX`\n',
    },
    texts: {
      'commands/a.toml': [
        /!\{one\} KEY=!`two` \(!`three`\) \*\*!`four`\*\* >!`five`\n- !\{six\}\n\tx !\{seven\}/,
        /!`cat <<X\ny\nX`/,
      ],
    },
    losses: [/commands\/a\.md: a command over several lines stays text/],
  },
  {
    shape: 'matchers of hooks in small letters, which match nothing in Claude Code',
    files: {
      'hooks/hooks.json': {
        hooks: {
          PreToolUse: [
            { matcher: 'shell', ...hook('never-a') },
            { matcher: 'edit|write', ...hook('never-b') },
            { matcher: '^(edit|write)$', ...hook('never-c') },
            { matcher: 'Write|shell', ...hook('yes') },
          ],
        },
      },
    },
    texts: { 'hooks/hooks.json': [/"matcher": "write_file"/, /"yes"/] },
    never: /never-/,
    losses: [
      /"shell" has no equivalent/,
      /"edit\|write" has no equivalent/,
      /"\^\(edit\|write\)\$" has no equivalent/,
      /nothing here is called shell/,
    ],
  },
  {
    shape: 'a hook at the end of agents',
    files: { 'hooks/hooks.json': { hooks: { SubagentStop: [hook('x')] } } },
    losses: [/SubagentStop: it runs when the main agent is done: there is no event for other agents here/],
  },
  {
    shape: 'a skill with named arguments and a fence that runs',
    files: {
      'skills/s/SKILL.md':
        '---\nname: s\ndescription: S\narguments: [issue, branch]\n---\nFix $issue.\n\n```!\ngit status\n```\n',
      'skills/t/SKILL.md': '---\nname: t\ndescription: T\n---\nFix $0.\n',
    },
    losses: [
      /skills\/s\/SKILL\.md: single arguments \(\$1, \$2, …\) are not replaced in skills/,
      /skills\/s\/SKILL\.md: commands in its text .* are not run/,
      /skills\/t\/SKILL\.md: single arguments/,
    ],
  },
  {
    shape: 'values of the user in texts and command lines',
    files: {
      [MANIFEST]: {
        name: 'a',
        userConfig: { cache: { type: 'string' }, tags: { type: 'string', default: ['x'] } },
      },
      'commands/c.md': 'Clear ${user_config.cache}: !`rm -rf ${user_config.cache}/*`\n',
      'skills/s/SKILL.md': '---\nname: s\ndescription: S\n---\nUse ${user_config.cache}.\n',
    },
    texts: { 'commands/c.toml': [/Clear \$\{CACHE\}: `rm -rf \$\{CACHE\}\/\*`/] },
    losses: [
      /c\.md: the command `rm -rf .*` cannot get the value of a setting here, so the model runs it/,
      /c\.md: values of settings \(CACHE\) are not inserted into texts here/,
      /skills\/s\/SKILL\.md: values of settings \(CACHE\) are not inserted into texts here/,
      /userConfig\.tags: its default is not a single value and is dropped/,
    ],
  },
  {
    shape: 'an agent whose fields begin with capitals',
    files: { 'agents/a.md': '---\nName: Careful\nDescription: Reads\nTools: Read, Grep\n---\nA\n' },
    texts: { 'agents/careful.md': [/description: Reads/, /tools:\n {2}- read_file\n {2}- grep_search\n/] },
  },
  {
    shape: 'servers whose names have spaces and dots, in names of tools',
    files: {
      '.mcp.json': { 'My Server': { command: 'a' }, 'x.y': { command: 'b' } },
      'agents/a.md':
        '---\nname: a\ndescription: A\ntools: mcp__My_Server__go, mcp__plugin_demo_x_y__go\n---\nCall mcp__My_Server__go.\n',
      'hooks/hooks.json': { hooks: { PreToolUse: [{ matcher: 'mcp__x_y__.*', ...hook('x') }] } },
    },
    texts: {
      'agents/a.md': [/- mcp_My-Server_go\n {2}- mcp_x-y_go\n/, /Call mcp_My-Server_go/],
      'hooks/hooks.json': [/"mcp_x-y_\.\*"/],
    },
  },
  {
    shape: 'a plugin that is one skill, whose text names its files by the folder of the plugin',
    files: {
      [MANIFEST]: { name: 'solo' },
      'SKILL.md': '---\nname: solo\ndescription: S\n---\nRead ${CLAUDE_PLUGIN_ROOT}/references/r.md\n',
      'references/r.md': 'R',
    },
    has: ['skills/solo/references/r.md'],
    texts: { 'skills/solo/SKILL.md': [/\$\{extensionPath\}\/skills\/solo\/references\/r\.md/] },
  },
  {
    shape: 'a path to a skill that became a command',
    files: {
      'skills/a/SKILL.md': '---\nname: a\ndescription: A\n---\nSee ../b/SKILL.md and ../b/x.md\n',
      'skills/b/SKILL.md': '---\nname: b\ndescription: B\ndisable-model-invocation: true\n---\nB\n',
      'skills/b/x.md': 'X',
    },
    texts: { 'skills/a/SKILL.md': [/See \.\.\/b\/SKILL\.md and \.\.\/\.\.\/resources\/b\/x\.md/] },
  },
  {
    shape: 'a server with a password in its address',
    files: {
      '.mcp.json': {
        a: { url: 'https://me:hunter2@x.example/mcp' },
        b: { url: 'https://${U}:${P}@x.example' },
      },
    },
    losses: [/a: its address looks like a secret/],
  },
  {
    shape: 'a plugin that is one skill, which only the user starts',
    files: {
      [MANIFEST]: { name: 'solo' },
      'SKILL.md':
        '---\nname: solo\ndescription: S\ndisable-model-invocation: true\n---\nRead refs/r.md, run ${CLAUDE_SKILL_DIR}/x.sh\n',
      'refs/r.md': 'R',
      'x.sh': '',
    },
    has: ['refs/r.md', 'x.sh'],
    lacks: ['skills/solo/x.sh'],
    texts: {
      'commands/solo.toml': [/Read \$\{extensionPath\}\/refs\/r\.md, run \$\{extensionPath\}\/x\.sh/],
    },
  },
];
