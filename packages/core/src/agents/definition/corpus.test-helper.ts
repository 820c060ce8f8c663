/** Agent files in the shapes that public repositories have, written for these tests. */
import { expect } from 'vitest';

export interface CorpusFile {
  /** What is special about it; also its file name. */
  name: string;
  text: string;
  /** Parts of the messages; absent: it loads. */
  says?: readonly string[];
  /** False: no fix can guess what is meant. */
  fixable?: false;
  /** Fields of the definition, after a fix where one is needed. */
  gives?: Readonly<Record<string, unknown>>;
}

const file = (header: string, body = 'You review code.\n') => `---\n${header}\n---\n\n${body}`;
const tools = (...names: string[]) => ({ toolConfig: { tools: names } });

export const CORPUS: readonly CorpusFile[] = [
  {
    name: 'seed-example',
    text: file(
      'name: security-auditor\ndescription: Specialized in finding security vulnerabilities in code.\nkind: local\ntools:\n- read_file\n- grep_search\nmodel: inherit\nmax_turns: 10',
      'You are a ruthless Security Auditor.',
    ),
    gives: {
      name: 'security-auditor',
      runConfig: { maxTurns: 10, maxTimeMinutes: 10 },
      ...tools('read_file', 'grep_search'),
    },
  },
  {
    name: 'claude-tools-as-list',
    text: file(
      'name: code-reviewer\ndisplay_name: Code Reviewer\ndescription: Reviews code for quality\nkind: local\ntools:\n  - Bash\n  - Read\nmodel: gemini-2.0-flash\nmax_turns: 10',
    ),
    gives: { displayName: 'Code Reviewer', ...tools('run_shell_command', 'read_file') },
  },
  {
    name: 'tools-as-string-and-color',
    text: file('name: a\ndescription: D\ntools: Read, Grep, Glob, Bash\ncolor: blue'),
    says: [
      '(Local Agent) tools: Expected array, received string',
      'Write a list: tools: [read_file, grep_search, glob, run_shell_command].',
      "(Local Agent) Unrecognized key(s) in object: 'color'",
      'Remove color.',
    ],
    gives: tools('read_file', 'grep_search', 'glob', 'run_shell_command'),
  },
  {
    name: 'model-of-claude',
    text: file('name: a\ndescription: D\nmodel: sonnet'),
    gives: { modelConfig: { model: 'inherit', settings: { temperature: 1, topP: 0.95 } } },
  },
  { name: 'long-model-of-claude', text: file('name: a\ndescription: D\nmodel: claude-opus-4-1-20250805') },
  {
    name: 'many-claude-keys',
    text: file(
      'name: a\ndescription: D\npermissionMode: plan\nskills: [x]\nhooks: {}\nmemory: project\nbackground: true\neffort: high',
    ),
    says: [
      "Unrecognized key(s) in object: 'permissionMode', 'skills', 'hooks', 'memory', 'background', 'effort'",
    ],
  },
  {
    name: 'max-turns-in-camel-case',
    text: file('name: a\ndescription: D\nmaxTurns: 7'),
    says: ["Unrecognized key(s) in object: 'maxTurns'", 'Write max_turns instead of maxTurns.'],
    gives: { runConfig: { maxTurns: 7, maxTimeMinutes: 10 } },
  },
  {
    name: 'disallowed-tools',
    text: file('name: a\ndescription: D\ntools: [Read, Write, Bash]\ndisallowedTools: Write'),
    says: ["'disallowedTools'"],
    gives: tools('read_file', 'run_shell_command'),
  },
  {
    name: 'limited-bash',
    text: file('name: a\ndescription: D\ntools: "Read, Bash(git add:*, git commit:*), Grep"'),
    says: ['tools: Expected array, received string'],
    gives: tools('read_file', 'run_shell_command', 'grep_search'),
  },
  {
    name: 'limited-bash-in-list',
    text: file('name: a\ndescription: D\ntools: ["Bash(git:*)"]'),
    says: ["tools.0: Invalid tool name: 'Bash(git:*)'", 'policy rules'],
    gives: tools('run_shell_command'),
  },
  {
    name: 'unknown-tool',
    text: file('name: a\ndescription: D\ntools: [read_file, frobnicate]'),
    says: ["tools.1: Invalid tool name: 'frobnicate'"],
    gives: tools('read_file'),
  },
  {
    name: 'only-unknown-tools',
    text: file('name: a\ndescription: D\ntools: [NotebookEdit, KillShell]'),
    says: ['tools.0: Invalid tool name', 'tools.1: Invalid tool name', 'no equivalent here'],
    gives: tools(),
  },
  {
    name: 'tools-without-value',
    text: file('name: a\ndescription: D\ntools:'),
    says: ['tools: Expected array, received null'],
    gives: tools(),
  },
  { name: 'empty-tools', text: file('name: a\ndescription: D\ntools: []'), gives: tools() },
  {
    name: 'mcp-tools-of-claude',
    text: file(
      'name: a\ndescription: D\ntools: [mcp__github__search_issues, mcp__docs, mcp_x_*, mcp_*, "*"]',
    ),
    gives: tools('mcp_github_search_issues', 'mcp_docs_*', 'mcp_x_*', 'mcp_*', '*'),
  },
  {
    name: 'task-tool',
    text: file('name: a\ndescription: D\ntools: [Task, Read]'),
    gives: tools('read_file'),
  },
  {
    name: 'No Front Matter',
    text: '# Database expert\n\nYou know every index.\n',
    says: ['Missing front matter', 'Begin the file with'],
    gives: { name: 'no-front-matter', description: 'Database expert' },
  },
  {
    name: 'header-not-closed',
    text: '---\nname: a\ndescription: D\ntools: [read_file]\n\nYou review code.\n',
    says: ['Invalid front matter: its header is not closed'],
    gives: { name: 'a', ...tools('read_file') },
  },
  {
    name: 'blank-lines-first',
    text: `\n\n${file('name: a\ndescription: D')}`,
    says: ['Missing front matter'],
    gives: { name: 'a' },
  },
  {
    name: 'in-a-code-block',
    text: `\`\`\`markdown\n${file('name: a\ndescription: D')}\`\`\`\n`,
    says: ['Missing front matter'],
    gives: { name: 'a' },
  },
  {
    name: 'colon-in-description',
    text: file('name: a\ndescription: Use this agent: always\ntools: [read_file]\nmax_turns: 5'),
    gives: { description: 'Use this agent: always', runConfig: { maxTurns: 5, maxTimeMinutes: 10 } },
  },
  {
    name: 'examples-in-description',
    text: file(
      'name: a\ndescription: Use this agent when needed. <example>user: "Fix: it"\\nassistant: "ok"</example>\nmodel: opus\ncolor: red',
    ),
    says: ['not valid YAML', "Unrecognized key(s) in object: 'color'"],
  },
  { name: 'byte-order-mark', text: `\ufeff${file('name: a\ndescription: D')}`, gives: { name: 'a' } },
  {
    name: 'windows-lines',
    text: file('name: a\ndescription: D\ntools: Read', 'One.\nTwo.\n').replaceAll('\n', '\r\n'),
    says: ['tools: Expected array'],
    gives: { promptConfig: { systemPrompt: 'One.\r\nTwo.', query: expect.any(String) } },
  },
  {
    name: 'windows-lines-and-mark',
    text: `\ufeff${file('name: a\ndescription: D').replaceAll('\n', '\r\n')}`,
    gives: { name: 'a', description: 'D' },
  },
  {
    name: 'Missing Name',
    text: file('description: D'),
    says: ['name: Required', 'Add a line "name: …".'],
    gives: { name: 'missing-name' },
  },
  {
    name: 'name-with-spaces',
    text: file('name: My Great Agent!\ndescription: D'),
    says: ['name: Name must be a valid slug'],
    gives: { name: 'my-great-agent' },
  },
  {
    name: 'name-that-climbs',
    text: file('name: ../../x\ndescription: D'),
    says: ['name: Name must be a valid slug'],
    gives: { name: 'x' },
  },
  {
    name: 'name-of-a-tool',
    text: file('name: read_file\ndescription: D'),
    says: ["name: 'read_file' is the name of a tool"],
    gives: { name: 'read_file-agent' },
  },
  {
    name: 'missing-description',
    text: file('name: a', '## Finds bugs in SQL\n\nMore.'),
    says: ['description: Required'],
    gives: { description: 'Finds bugs in SQL' },
  },
  {
    name: 'empty-description',
    text: file('name: a\ndescription: ""'),
    says: ['description: String must contain at least 1 character(s)'],
  },
  { name: 'empty-body', text: file('name: a\ndescription: Reviews code.', ''), gives: { name: 'a' } },
  { name: 'empty-header', text: file(''), says: ['name: Required', 'description: Required'] },
  { name: 'empty-file', text: '', says: ['Missing front matter'] },
  {
    name: 'numbers-as-text',
    text: file('name: a\ndescription: D\ntemperature: "0.3"\nmax_turns: "9"\ntimeout_mins: 1.5'),
    says: [
      'temperature: Expected number, received string',
      'max_turns: Expected number, received string',
      'timeout_mins: Expected integer, received float',
    ],
    gives: { runConfig: { maxTurns: 9, maxTimeMinutes: 10 } },
  },
  {
    name: 'numbers-out-of-range',
    text: file('name: a\ndescription: D\ntemperature: 3\nmax_turns: 0\ntimeout_mins: -1'),
    says: [
      'temperature: Number must be less than or equal to 2',
      'max_turns: Number must be greater than 0',
      'timeout_mins: Number must be greater than 0',
    ],
  },
  {
    name: 'server-of-its-own',
    text: file(
      'name: a\ndescription: D\nmcp_servers:\n  docs:\n    http_url: https://example.com/mcp\n    include_tools: [search]\n    auth: {type: oauth, client_id: x}',
    ),
    gives: {
      mcpServers: {
        docs: {
          httpUrl: 'https://example.com/mcp',
          includeTools: ['search'],
          oauth: { enabled: true, clientId: 'x' },
        },
      },
    },
  },
  {
    name: 'servers-as-names',
    text: file('name: a\ndescription: D\nmcpServers: [github, slack]'),
    says: ['mcpServers: Expected object, received array'],
  },
  {
    name: 'wrong-server-fields',
    text: file('name: a\ndescription: D\nmcp_servers:\n  x:\n    command: 5\n    colour: red'),
    says: [
      'mcp_servers.x.command: Expected string, received number',
      "mcp_servers.x: Unrecognized key(s) in object: 'colour'",
    ],
  },
  {
    name: 'remote',
    text: file(
      'kind: remote\nname: far\nagent_card_url: https://example.com/card.json\nauth: {type: http, scheme: Bearer, token: $TOKEN}',
    ),
    gives: { kind: 'remote', agentCardUrl: 'https://example.com/card.json' },
  },
  {
    name: 'remote-list',
    text: file(
      '- {kind: remote, name: one, agent_card_url: "https://a.example"}\n- {kind: remote, name: two, agent_card_json: "{}"}',
    ),
    gives: { kind: 'remote', name: 'one' },
  },
  {
    name: 'remote-with-two-cards',
    text: file('kind: remote\nname: far\nagent_card_url: nowhere\nagent_card_json: "{"\nmax_turns: 3'),
    says: [
      '(Remote Agent) agent_card_url: Invalid url',
      '(Remote Agent) agent_card_json: Invalid JSON',
      "Unrecognized key(s) in object: 'max_turns'",
      'Exactly one of agent_card_url and agent_card_json is required',
    ],
    fixable: false,
  },
  {
    name: 'remote-with-wrong-auth',
    text: file('kind: remote\nname: far\nagent_card_url: https://a.example\nauth: {type: magic}'),
    says: [
      "auth.type: Invalid discriminator value. Expected 'apiKey' | 'http' | 'google-credentials' | 'oauth'",
    ],
    fixable: false,
  },
  {
    name: 'list-of-local-agents',
    text: file('- {name: one, description: D}\n- {name: two, description: D}'),
    says: ['A list may contain remote agents only'],
    fixable: false,
  },
  {
    name: 'prototype-keys',
    text: file('name: __proto__\ndescription: D\n__proto__: {polluted: true}\nconstructor: x'),
    says: ["name: '__proto__' is reserved", "Unrecognized key(s) in object: '__proto__', 'constructor'"],
    gives: { name: '__proto__-agent' },
  },
  {
    name: 'billion-laughs',
    text: file('name: a\ndescription: D\na: &a [x, x]\nb: &b [*a, *a]\nc: [*b, *b]'),
    says: ['not valid YAML', "Unrecognized key(s) in object: 'a', 'b', 'c'"],
  },
  {
    name: 'deep-yaml',
    text: file(`name: a\ndescription: D\nx: ${'['.repeat(5000)}`),
    says: ['not valid YAML'],
  },
  {
    name: 'control-characters',
    text: file('name: a\ndescription: "\\e]0;owned\\a\\u202e"'),
    gives: { name: 'a' },
  },
];
