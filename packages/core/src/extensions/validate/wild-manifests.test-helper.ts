/** Manifests in the shapes of public ones. Texts and names are our own. */

export interface WildManifest {
  shape: string;
  /** Of gemini-extension.json. */
  text: string | Record<string, unknown>;
  /** What the reader makes of it. */
  read?: Record<string, unknown>;
  /** Files besides. */
  files?: Record<string, string>;
  /** `validate` calls it an error, though it loads. */
  isError?: boolean;
  /** One warning or error contains this. */
  names?: RegExp;
  /** No warning contains this. */
  never?: RegExp;
}

export const base = { name: 'wild', version: '1.0.0' };

/** What the reference program accepts, in the shapes of public manifests. */
export const ACCEPTED: readonly WildManifest[] = [
  { shape: 'only name and version', text: base },
  { shape: 'capitals in the name', text: { ...base, name: 'Wild-1' }, read: { name: 'Wild-1' } },
  { shape: 'a version of two numbers', text: { ...base, version: '0.4' }, names: /not a semantic version/ },
  { shape: 'a version "latest"', text: { ...base, version: 'latest' }, names: /not a semantic version/ },
  { shape: 'a version with v', text: { ...base, version: 'v1.2.3' } },
  { shape: 'a number as version', text: { ...base, version: 2 }, read: { version: '2' } },
  {
    shape: 'byte order mark and Windows line ends',
    text: `\ufeff${JSON.stringify(base, null, 2).replaceAll('\n', '\r\n')}`,
  },
  {
    shape: 'comments and trailing commas',
    text: '{\n  // x\n  "name": "wild", /* y */\n  "version": "1.0.0",\n}',
  },
  {
    shape: 'keys of package managers',
    text: {
      ...base,
      $schema: 'x',
      author: { name: 'a' },
      license: 'MIT',
      homepage: 'x',
      repository: {},
      keywords: [],
      displayName: 'W',
      publisher: 'p',
      engines: {},
      categories: [],
    },
  },
  {
    shape: 'unknown keys',
    text: {
      ...base,
      contextFiles: ['a'],
      mcp: {},
      hooks: {},
      commands: [],
      agents: [],
      inputs: [],
      theme: 'x',
      icon: 'i',
    },
    names: /contextFileName/,
  },
  {
    shape: 'context file as a text',
    text: { ...base, contextFileName: 'docs/W.md' },
    files: { 'docs/W.md': 'W' },
    read: { contextFileName: ['docs/W.md'] },
  },
  {
    shape: 'context file with variables',
    text: { ...base, contextFileName: '${extensionPath}${/}W.md' },
    files: { 'W.md': 'W' },
  },
  {
    shape: 'context file that is missing',
    text: { ...base, contextFileName: 'NO.md' },
    isError: true,
    names: /NO\.md, which does not exist/,
  },
  {
    shape: 'context file outside',
    text: { ...base, contextFileName: ['../x.md', 'W.md'] },
    files: { 'W.md': 'W' },
    read: { contextFileName: ['W.md'] },
    isError: true,
    names: /\.\.\/x\.md/,
  },
  { shape: 'empty context file name', text: { ...base, contextFileName: '' } },
  {
    shape: 'mcpServers with httpUrl, url and type, tcp, trust',
    text: {
      ...base,
      mcpServers: {
        a: { httpUrl: 'https://x.example', trust: true },
        b: { url: 'https://x.example', type: 'http' },
        c: { command: 'node', args: ['${extensionPath}${/}s.js'] },
      },
    },
    files: { 's.js': '' },
    names: /trust/,
  },
  {
    shape: 'mcpServers as a list',
    text: { ...base, mcpServers: [{ name: 'a', command: 'x' }] },
    read: { mcpServers: { a: { command: 'x' } } },
  },
  { shape: 'mcpServers as a text', text: { ...base, mcpServers: 'x' }, names: /mcpServers/ },
  {
    shape: 'a server that is a text',
    text: { ...base, mcpServers: { a: 'x', b: { command: 'y' } } },
    read: { mcpServers: { b: { command: 'y' } } },
    names: /mcpServers\.a/,
  },
  {
    shape: 'excludeTools as a text',
    text: { ...base, excludeTools: 'run_shell_command(rm -rf)' },
    read: { excludeTools: ['run_shell_command(rm -rf)'] },
  },
  {
    shape: 'excludeTools with quotes, stars and unknown names',
    text: {
      ...base,
      excludeTools: ['run_shell_command("rm -rf /")', 'run_shell_command(sudo *)', 'github__*', 'NoTool'],
    },
    names: /NoTool/,
  },
  {
    shape: 'settings with odd entries',
    text: {
      ...base,
      settings: [{ name: 'K', envVar: 'K_1', sensitive: true, extra: 1 }, { name: 'no variable' }, 'x'],
    },
    names: /settings\[1\]/,
  },
  { shape: 'settings as a map', text: { ...base, settings: { K: {} } }, names: /settings/ },
  {
    shape: 'themes as a map, plan outside',
    text: { ...base, themes: {}, plan: { directory: '/etc' } },
    names: /plan\.directory/,
  },
  {
    shape: 'skills as a list and as items',
    text: { ...base, skills: ['./more', { name: 'a', path: 'kit' }] },
    files: {
      'more/x/SKILL.md': '---\nname: x\ndescription: X\n---\nX',
      'kit/SKILL.md': '---\nname: kit\ndescription: K\n---\nK',
    },
  },
  {
    shape: 'hooks of Claude Code and agents in its form',
    text: base,
    files: {
      'hooks/hooks.json':
        '{"hooks": {"PreToolUse": [{"hooks": [{"type": "command", "command": "$CLAUDE_PLUGIN_ROOT/x"}]}]}}',
      'agents/a.md': '---\nname: a\ndescription: A\ntools: Read, Bash\ncolor: red\n---\nA',
      'agents/README.md': '# A',
    },
    names: /gemini extensions import/,
  },
  {
    shape: 'keys that reach prototypes',
    text: '{"name": "wild", "version": "1.0.0", "__proto__": {"x": 1}, "constructor": {}}',
  },
  {
    shape: 'nulls everywhere',
    text: {
      ...base,
      description: null,
      mcpServers: null,
      contextFileName: null,
      excludeTools: null,
      settings: null,
      themes: null,
      plan: null,
    },
  },
];

export const REFUSED: readonly WildManifest[] = [
  { shape: 'no JSON', text: '{"name": ', names: /not valid JSON/ },
  { shape: 'a list', text: '[]', names: /JSON object/ },
  { shape: 'no name', text: { version: '1.0.0' }, names: /name is missing/ },
  { shape: 'no version', text: { name: 'wild' }, names: /version is missing/ },
  { shape: 'a name with an underscore', text: { ...base, name: 'wild_one' }, names: /not allowed/ },
  {
    shape: 'a link that was checked out as text',
    text: '../shared/gemini-extension.json',
    names: /symbolic link/,
  },
];
