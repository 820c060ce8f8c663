/** Odd values of manifests, and odd files of extensions, that the reference program accepts. */
import { base, type WildManifest } from './wild-manifests.test-helper.js';

const servers = (server: unknown) => ({ ...base, mcpServers: { a: server } });
const settings = (...list: unknown[]) => ({ ...base, settings: list });
const skill = (name: string) => `---\nname: ${name}\ndescription: D\n---\nX\n`;

export const ODD_VALUES: readonly WildManifest[] = [
  { shape: 'a date as version', text: { ...base, version: '2026.07.03' }, names: /not a semantic version/ },
  { shape: 'a pre-release with a build', text: { ...base, version: '1.2.3-beta.1+b5' }, never: /version/ },
  {
    shape: 'a name twice',
    text: '{"name": "x", "name": "wild", "version": "1.0.0"}',
    read: { name: 'wild' },
  },
  {
    shape: 'control characters in the description',
    text: { ...base, description: 'a\u001b[31mred\u0007' },
  },
  {
    shape: 'context ./docs/W.md',
    text: { ...base, contextFileName: './docs/W.md' },
    files: { 'docs/W.md': '' },
  },
  {
    shape: 'an empty list of context files',
    text: { ...base, contextFileName: [] },
    files: { 'GEMINI.md': '' },
    read: { contextFileName: [] },
  },
  {
    shape: 'a folder as context',
    text: { ...base, contextFileName: 'docs' },
    files: { 'docs/x.md': '' },
    names: /docs, a folder/,
  },
  {
    shape: 'a number as context',
    text: { ...base, contextFileName: 5 },
    isError: true,
    names: /contextFileName/,
  },
  {
    shape: 'a map as context',
    text: { ...base, contextFileName: {} },
    isError: true,
    names: /contextFileName/,
  },
  {
    shape: 'a list of context files with a number',
    text: { ...base, contextFileName: ['W.md', 3] },
    files: { 'W.md': '' },
    read: { contextFileName: ['W.md'] },
    isError: true,
    names: /contextFileName\[1\]/,
  },
  {
    shape: 'numbers, flags and nulls in variables',
    text: servers({ command: 'x', env: { PORT: 80, DEBUG: true, NONE: null }, args: [1, 'y'] }),
    read: { mcpServers: { a: { command: 'x', env: { PORT: '80', DEBUG: 'true' }, args: ['1', 'y'] } } },
    names: /mcpServers\.a\.env\.NONE is not a text/,
  },
  {
    shape: 'nulls in headers',
    text: servers({ httpUrl: 'https://x.example', headers: { A: 'b', C: null } }),
    read: { mcpServers: { a: { headers: { A: 'b' } } } },
    names: /headers\.C/,
  },
  {
    shape: 'a text as arguments',
    text: servers({ command: 'x', args: 'y' }),
    names: /a\.args has a wrong type/,
  },
  { shape: 'no server', text: servers(null), names: /mcpServers\.a is not an object/ },
  { shape: 'no servers', text: { ...base, mcpServers: {} } },
  { shape: 'an empty address', text: servers({ url: '' }), names: /neither how to start/ },
  {
    shape: 'a server with everything',
    text: servers({
      httpUrl: 'https://x.example',
      timeout: 5000,
      description: 'D',
      includeTools: ['a'],
      excludeTools: ['b'],
      disabled: true,
      oauth: { enabled: true, scopes: ['s'] },
      authProviderType: 'google_credentials',
    }),
    read: { mcpServers: { a: { disabled: true, timeout: 5000 } } },
  },
  { shape: 'a relative program', text: servers({ command: './run.sh' }), names: /user's folder/ },
  {
    shape: 'a program that is built later',
    text: servers({ command: '${extensionPath}${/}bin${/}server' }),
    names: /does not exist/,
  },
  {
    shape: 'what looks like a variable and is none',
    text: servers({ command: 'x', args: ['${input:t}', '$1', '$$', '$(pwd)', '${a.b}', '${NOPE}'] }),
    read: { mcpServers: { a: { args: ['${input:t}', '$1', '$$', '$(pwd)', '${a.b}', '${NOPE}'] } } },
  },
  {
    shape: 'names of servers with spaces and dots',
    text: { ...base, mcpServers: { 'My s.v1_x': { command: 'x' } } },
  },
  {
    shape: 'a list of servers, one without a name',
    text: { ...base, mcpServers: [{ id: 'q', command: 'x' }, { command: 'y' }] },
    read: { mcpServers: { q: { command: 'x' } } },
    names: /mcpServers\[1\] has no name/,
  },
  {
    shape: 'a list of excluded tools with a number',
    text: { ...base, excludeTools: [1, null, 'write_file'] },
    read: { excludeTools: ['write_file'] },
  },
  {
    shape: 'settings with defaults and kinds',
    text: settings(
      { name: 'A', envVar: 'A_A', default: 'x' },
      { name: 'B', envVar: 'B_B', defaultValue: 5 },
      { name: 'C', envVar: 'C_C', type: 'choice', options: ['a', { value: 'b' }] },
      { envVar: 'my_key', label: 'L', required: true },
    ),
    read: {
      settings: [
        { default: 'x' },
        { default: '5' },
        { options: ['a', 'b'] },
        { envVar: 'my_key', name: 'L', required: true },
      ],
    },
  },
  { shape: 'a setting twice', text: settings({ envVar: 'A' }, { envVar: 'A' }), names: /asks for A again/ },
  {
    shape: 'a setting PATH',
    text: settings({ name: 'P', envVar: 'PATH' }),
    names: /PATH, which an extension may/,
  },
  { shape: 'a setting with a dash', text: settings({ name: 'P', envVar: 'A-B' }), names: /no valid envVar/ },
  { shape: 'no setting', text: settings(null), names: /settings\[0\]/ },
  {
    shape: 'a secret "yes"',
    text: settings({ name: 'A', envVar: 'A', sensitive: 'yes' }),
    names: /sensitive must be true or false/,
  },
  {
    shape: 'a variable that hides a setting',
    text: {
      ...settings({ name: 'A', envVar: 'AAA' }),
      mcpServers: { s: { command: 'x', env: { AAA: '1' } } },
    },
    names: /AAA hides the setting/,
  },
  { shape: 'the key of the model', text: settings({ name: 'K', envVar: 'GEMINI_API_KEY', sensitive: true }) },
  { shape: 'a theme without a name', text: { ...base, themes: [{}, 7] }, names: /themes\[0\] has no name/ },
  {
    shape: 'a plan folder',
    text: { ...base, plan: { directory: '.plans' } },
    read: { plan: { directory: '.plans' } },
  },
  { shape: 'a plan as a text', text: { ...base, plan: '.plans' }, names: /plan/ },
  { shape: 'a new place that is a number', text: { ...base, migratedTo: 5 }, names: /migratedTo/ },
  {
    shape: 'rights as a text',
    text: { ...base, capabilities: 'all' },
    read: { capabilities: { network: [], executables: [] } },
    names: /capabilities must be an object/,
  },
  {
    shape: 'short unknown keys',
    text: { ...base, main: 'x', type: 'y', icon: 'i', tags: ['t'], entrypoint: 'e' },
    names: /main has no effect here\. Remove it/,
    never: /Did you mean/,
  },
  { shape: 'a misspelt key', text: { ...base, excludeTool: [] }, names: /Did you mean "excludeTools"/ },
  { shape: 'skills outside', text: { ...base, skills: ['../x'] }, names: /skills\[0\] contains "\.\."/ },
  {
    shape: 'skills as one path',
    text: { ...base, skills: './kit/' },
    files: { 'kit/a/SKILL.md': skill('a') },
    read: { skills: ['kit/'] },
    never: /skills/,
  },
  {
    shape: 'skills as items that name files',
    text: { ...base, skills: [{ name: 'a', file: '.kit/a/SKILL.md' }, './.kit/b.md'] },
    files: { '.kit/a/SKILL.md': skill('a'), '.kit/b.md': 'B' },
    read: { skills: ['.kit/a', '.kit/b.md'] },
    names: /skills\[1\] names \.kit\/b\.md/,
  },
  {
    shape: 'tools, prompts and hooks of other programs, settings without variables',
    text: {
      ...base,
      tools: [{ name: 't', command: ['x', 'a=${a}'] }],
      systemPrompt: 'p.md',
      hooks: [{ event: 'session-start', script: 's.js' }],
      mcpServer: { command: 'x' },
      settings: [{ name: 'vault', type: 'string', required: true }],
    },
    names: /hooks has no effect here/,
  },
  {
    shape: 'an address that a setting without a value is part of',
    text: {
      ...settings({ name: 'U', envVar: 'U_URL' }),
      mcpServers: {
        a: { httpUrl: '${U_URL}/mcp', headers: { 'x-id': '${U_URL:-none}' }, disabledTools: ['x'] },
      },
    },
    read: { mcpServers: { a: { httpUrl: '${U_URL}/mcp' } } },
  },
  {
    shape: 'skills as a map',
    text: { ...base, skills: { a: 'kit/a' } },
    files: { 'kit/a/SKILL.md': skill('a') },
    read: { skills: ['kit/a'] },
  },
];

export const ODD_FILES: readonly WildManifest[] = [
  {
    shape: 'skills with broken headers, without one, in lower case and without a name',
    text: base,
    files: {
      'skills/a/SKILL.md': '---\nname: a\ndescription: Use when: x: y\n---\nA\n',
      'skills/b/SKILL.md': 'B',
      'skills/c/skill.md': skill('c'),
      'skills/d/SKILL.md': '---\ndescription: D\n---\nD\n',
    },
    names:
      /The skill's header is not valid YAML[\s\S]*does not begin with a header[\s\S]*must be called SKILL\.md[\s\S]*no name/,
  },
  {
    shape: 'agents with a broken header, Windows line ends, documentation and a folder',
    text: base,
    files: {
      'agents/a.md': '---\nname: a\ndescription: Use it: when: x\n---\nA\n',
      'agents/b.md': '\ufeff---\r\nname: b\r\ndescription: B\r\n---\r\nB\r\n',
      'agents/_c.md': 'C',
      'agents/AGENTS.md': '# Agents',
      'agents/sub/d.md': '---\nname: d\ndescription: D\n---\nD\n',
    },
    names: /^Its header is not valid YAML[\s\S]*This agent is never loaded/m,
  },
  {
    shape: 'hooks as a bare map with comments',
    text: base,
    files: {
      'hooks/hooks.json': '// h\n{"SessionEnd": [{"hooks": [{"type": "command", "command": "true"}]}],}',
    },
    never: /hook/,
  },
  { shape: 'hooks as a list', text: base, files: { 'hooks/hooks.json': '{"hooks": []}' }, names: /no map/ },
  { shape: 'hooks that are no JSON', text: base, files: { 'hooks/hooks.json': '{' }, names: /hooks\.json/ },
  {
    shape: 'hooks of unknown events and shapes',
    text: base,
    files: { 'hooks/hooks.json': '{"hooks": {"OnFoo": [], "BeforeTool": {"x": 1}}}' },
    names: /no hook event OnFoo[\s\S]*BeforeTool/,
  },
  {
    shape: 'policies that allow, and one that is no TOML',
    text: base,
    files: {
      'policies/a.toml': '[[rule]]\ntoolName = "glob"\ndecision = "allow"\npriority = 1\n',
      'policies/b.toml': '[[rule]\n',
    },
    names: /b\.toml|Invalid TOML[\s\S]*can only deny or ask/,
  },
];
