import { mkdirSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { convertFiles, temporaryFolder, writeFiles } from './plugins.test-helper.js';
import { readPlugin } from './read/read-plugin.js';

const agent = (header: string) => `---\nname: a\ndescription: D\n${header}\n---\nBody.\n`;

describe('agents', () => {
  it('become flat files with our tools, and lose what only Claude Code knows', async () => {
    const { text, lines } = await convertFiles({
      'agents/review/correctness-reviewer.md':
        '---\nname: correctness-reviewer\ndescription: R\ntools: Read, Grep, Glob, Bash\ncolor: blue\nmodel: opus\nmaxTurns: 5\n---\nUse `Bash`.\n',
    });
    expect(text('agents/correctness-reviewer.md')).toBe(
      '---\nname: correctness-reviewer\ndescription: R\nkind: local\ntools:\n  - read_file\n  - grep_search\n  - glob\n  - run_shell_command\nmax_turns: 5\nmodel: inherit\n---\nUse `run_shell_command`.\n',
    );
    expect(lines.join('\n')).toContain('color');
  });

  it('never get more tools than they had', async () => {
    for (const header of ['tools: NotebookEdit, LSP', 'tools: []', 'tools: ""', 'tools: Task']) {
      const { text, lines } = await convertFiles({ 'agents/a.md': agent(header) });
      expect(text('agents/a.md'), header).toContain('tools: []');
      expect(lines.join('\n'), header).toContain('warned agent');
    }
    const { text } = await convertFiles({ 'agents/a.md': agent('tools: LSP') }, { inheritTools: true });
    expect(text('agents/a.md')).not.toContain('tools:');
    const plan = await convertFiles(
      {
        'agents/a.md': agent('tools: Bash, LSP\npermissionMode: plan'),
        'agents/b.md': agent('tools: LSP\npermissionMode: plan'),
      },
      { inheritTools: true },
    );
    expect(plan.text('agents/a.md')).toContain('tools: []');
    expect(plan.text('agents/agents-a.md')).toMatch(/tools:\n {2}- read_file\n/);
    expect(plan.text('agents/agents-a.md')).not.toMatch(/run_shell_command|write_file/);
  });

  it('are read although their header is broken, has a byte order mark or Windows line ends', async () => {
    const { text } = await convertFiles({
      'agents/a.md': '---\nname: a\ndescription: Use when: always\ntools: Read\n---\nBody.\n',
      'agents/b.md': '\ufeff---\r\nname: b\r\ndescription: B\r\n---\r\nBody.\r\n',
    });
    expect(text('agents/a.md')).toContain('read_file');
    expect(text('agents/b.md')).toContain('name: b\r\n');
  });

  it('get other names where two are equal or one is built in', async () => {
    const { files, lines } = await convertFiles({
      'agents/x/same.md': '---\ndescription: D\n---\nA\n',
      'agents/y/same.md': '---\ndescription: D\n---\nB\n',
      'agents/generalist.md': '---\ndescription: D\n---\nC\n',
    });
    expect([...files.keys()].filter((path) => path.startsWith('agents/'))).toEqual([
      'agents/demo-generalist.md',
      'agents/same.md',
      'agents/y-same.md',
    ]);
    expect(lines.join('\n')).toContain('Another agent is called "same"');
  });
});

describe('commands', () => {
  it('use our placeholders', async () => {
    const { text } = await convertFiles({
      'commands/a/b.md': 'Fix $ARGUMENTS with !`git diff` and @src/a.ts',
    });
    expect(text('commands/a/b.toml')).toContain('Fix {{args}} with !{git diff} and @{src/a.ts}');
  });

  it('leave code, money, packages and mail addresses alone', async () => {
    const body = 'Pay $100 to a@b.com for @types/node and {{x}}.\n\n```sh\nawk $1 @src/a.ts\n```\n';
    const { text } = await convertFiles({ 'commands/c.md': body });
    expect(text('commands/c.toml')).toContain(body.trim());
  });

  it('list all arguments where single ones are named, and keep literal placeholders as text', async () => {
    const { text, lines } = await convertFiles({
      'commands/c.md': 'Move $1 to $2. Write {{args}} and !{x}.',
    });
    const toml = text('commands/c.toml').split('prompt =')[1];
    expect(toml).toContain('Arguments: {{args}}');
    expect(toml).toContain('Move the first argument to the second argument.');
    expect(toml).not.toMatch(/Write \{\{args\}\}|!\{x\}/);
    expect(lines.filter((line) => line.startsWith('warned command'))).toHaveLength(2);
  });

  it('yield their name to a skill', async () => {
    const { files } = await convertFiles({
      'commands/plan.md': 'Plan',
      'skills/plan/SKILL.md': '---\nname: plan\ndescription: P\n---\nP\n',
    });
    expect([...files.keys()]).toContain('commands/plan-command.toml');
  });
});

describe('skills', () => {
  it('are copied with their files; those only the user starts become commands', async () => {
    const { files, text } = await convertFiles({
      'skills/a/SKILL.md':
        '---\nname: a\ndescription: A\nallowed-tools: Bash\n---\nSee ${CLAUDE_SKILL_DIR}/x.sh\n',
      'skills/a/x.sh': 'echo\n',
      'skills/b/SKILL.md': '---\nname: b\ndescription: B\ndisable-model-invocation: true\n---\nRun x.sh\n',
      'skills/b/x.sh': 'echo\n',
      'skills/c/SKILL.md': '---\nname: c\ndescription: C\nce_platforms: [claude]\n---\nC\n',
    });
    expect([...files.keys()]).toEqual([
      'commands/b.toml',
      'gemini-extension.json',
      'resources/b/x.sh',
      'skills/a/SKILL.md',
      'skills/a/x.sh',
    ]);
    expect(text('skills/a/SKILL.md')).toContain('${extensionPath}/skills/a/x.sh');
    expect(text('skills/a/SKILL.md')).not.toContain('allowed-tools');
    expect(files.get('skills/a/x.sh')).toMatchObject({ isExecutable: true });
  });
});

describe('hooks', () => {
  const convertHook = async (hooks: object, options = {}) => {
    const { files, text, lines } = await convertFiles({ 'hooks/hooks.json': { hooks } }, options);
    return {
      lines,
      hooks: files.has('hooks/hooks.json') ? JSON.parse(text('hooks/hooks.json')).hooks : undefined,
    };
  };
  const command = (more = {}) => [{ type: 'command', command: 'x', ...more }];

  it('map every event that exists here, and name the others', async () => {
    const events =
      'PreToolUse PostToolUse UserPromptSubmit Stop SubagentStop SessionStart SessionEnd Notification PreCompact'.split(
        ' ',
      );
    const all = Object.fromEntries(
      [...events, 'PermissionRequest'].map((name) => [name, [{ hooks: command() }]]),
    );
    const { hooks, lines } = await convertHook(all);
    expect(Object.keys(hooks).sort()).toEqual([
      'AfterAgent',
      'AfterTool',
      'BeforeAgent',
      'BeforeTool',
      'Notification',
      'PreCompress',
      'SessionEnd',
      'SessionStart',
    ]);
    expect(lines).toContain('skipped hook hooks/hooks.json: PermissionRequest: there is no such event here');
    expect(lines.join('\n')).toContain('hooks differ between the programs');
  });

  it('keep a guard whose condition names a part of its matcher, or more', async () => {
    const guard = (matcher: string, condition: string) => ({ matcher, hooks: command({ if: condition }) });
    const { hooks } = await convertHook({
      PreToolUse: [
        guard('mcp__db__drop', 'mcp__db__*'),
        guard('mcp__db__.*', 'mcp__db__drop'),
        guard('Write|Bash', '*'),
        guard('Write|Bash', 'Bash(rm *)'),
        guard('Write', 'Bash(rm *)'),
      ],
    });
    expect(hooks.BeforeTool.map(({ matcher }: { matcher: string }) => matcher)).toEqual([
      'mcp_db_drop',
      'mcp_db_drop',
      'write_file|run_shell_command',
      'run_shell_command',
    ]);
  });

  it('never run for more than their matcher said', async () => {
    for (const [event, matcher] of [
      ['PreToolUse', 'NotebookEdit'],
      ['Notification', 'idle_prompt'],
      ['SessionStart', 'compact'],
    ]) {
      const { hooks, lines } = await convertHook({ [String(event)]: [{ matcher, hooks: command() }] });
      expect(hooks).toBeUndefined();
      expect(lines.join('\n')).toContain('skipped hook');
    }
  });

  it('keep commands only, with milliseconds and our variables', async () => {
    const { hooks, lines } = await convertHook({
      PreToolUse: [
        {
          matcher: 'Edit|MultiEdit|LSP',
          hooks: [
            ...command({ command: '${CLAUDE_PLUGIN_ROOT}/a.sh', timeout: 5, args: ['b c'], async: true }),
            { type: 'prompt', prompt: 'x' },
          ],
        },
      ],
    });
    expect(hooks).toEqual({
      BeforeTool: [
        {
          matcher: 'replace',
          hooks: [
            {
              type: 'command',
              command: `"\${extensionPath}/a.sh" 'b c'`,
              claudeEvent: 'PreToolUse',
              timeout: 5000,
            },
          ],
        },
      ],
    });
    expect(lines.join('\n')).toContain('type "prompt"');
    expect(lines.join('\n')).toContain('nothing here is called LSP');
    expect(lines.join('\n')).toContain('dropped async');
    expect((await convertHook({ Stop: [{ hooks: command() }] }, { hooks: false })).hooks).toBeUndefined();
  });
});

describe('MCP servers', () => {
  it('keep their program, lose trust, and get names without underscores', async () => {
    const { mcpServers, lines } = await convertFiles({
      '.mcp.json': {
        my_server: {
          command: '${CLAUDE_PLUGIN_ROOT}/s',
          args: ['${CLAUDE_PROJECT_DIR}'],
          trust: true,
          env: { API_KEY: 'abcdefgh12345678' },
        },
        web: { type: 'sse', url: 'https://x.example/' },
        empty: { url: '' },
      },
    });
    expect(mcpServers).toMatchObject({
      'my-server': { command: '${extensionPath}/s', args: ['${workspacePath}'] },
      web: { url: 'https://x.example/', type: 'sse' },
    });
    expect(JSON.stringify(mcpServers)).not.toContain('trust');
    expect(lines.join('\n')).toContain('API_KEY looks like a secret');
    expect(lines.join('\n')).not.toContain('abcdefgh12345678');
    expect(lines).toContain('skipped mcp-server .mcp.json: empty: its address is empty');
  });

  it('read settings of the user from the settings of the extension', async () => {
    const { text } = await convertFiles({
      '.claude-plugin/plugin.json': {
        name: 'demo',
        userConfig: { apiKey: { title: 'Key', sensitive: true } },
        mcpServers: { s: { command: 'x', env: { K: '${user_config.apiKey}' } } },
      },
    });
    expect(JSON.parse(text('gemini-extension.json'))).toMatchObject({
      settings: [{ name: 'Key', envVar: 'API_KEY', sensitive: true }],
      mcpServers: { s: { env: { K: '${API_KEY}' } } },
    });
  });
});

describe('a hostile or careless plugin', () => {
  it('cannot reach files outside of its folder', async () => {
    const root = temporaryFolder();
    writeFiles(root, { 'secret.md': 'secret' });
    const dir = writeFiles(join(root, 'p'), {
      '.claude-plugin/plugin.json': {
        name: 'p',
        commands: ['../secret.md', '/etc/passwd'],
        agents: '..',
        hooks: '../h.json',
      },
      'skills/x/SKILL.md': '---\nname: x\ndescription: X\n---\nX\n',
    });
    mkdirSync(join(dir, 'commands'));
    symlinkSync(join(root, 'secret.md'), join(dir, 'commands/leak.md'));
    symlinkSync('/etc', join(dir, 'skills/x/etc'));
    const read = await readPlugin({ dir }, {});
    expect(read.commands).toEqual([]);
    expect(read.skills[0]?.files.map(({ path }) => path)).toEqual(['skills/x/SKILL.md']);
    expect(read.rows.filter(({ action }) => action === 'skipped').length).toBeGreaterThanOrEqual(6);
  });

  it('cannot bring policies, settings values or commands that Claude Code would not load', async () => {
    const { files, lines } = await convertFiles({
      'policies/p.toml': 'x',
      '.env': 'A=1',
      'commands/x.toml': 'prompt = "x"',
      'hooks.json': '{}',
    });
    expect([...files.keys()]).toEqual(['gemini-extension.json']);
    expect(lines.filter((line) => line.startsWith('skipped file'))).toHaveLength(4);
  });

  it('cannot bring them by links to folders that are copied', async () => {
    const dir = writeFiles(join(temporaryFolder(), 'p'), {
      '.claude-plugin/plugin.json': { name: 'p' },
      'rules/p.toml': 'x',
      'more/a.toml': 'prompt = "x"',
      'assets/logo.txt': 'x',
      'commands/x.md': 'X',
    });
    symlinkSync('rules', join(dir, 'policies'));
    symlinkSync('../more', join(dir, 'commands/more'));
    symlinkSync('assets', join(dir, 'static'));
    const { others, rows } = await readPlugin({ dir }, {});
    expect(others.map(({ path }) => path)).toEqual([
      'assets/logo.txt',
      'more/a.toml',
      'rules/p.toml',
      'static',
    ]);
    expect(rows.filter(({ action }) => action === 'skipped').map(({ source }) => source)).toEqual(
      expect.arrayContaining(['policies', 'commands/more']),
    );
  });

  it('names a mistake in its JSON with line and column, and accepts comments', async () => {
    await expect(convertFiles({ '.claude-plugin/plugin.json': '{"name": ' })).rejects.toThrow(
      /line 1, column/,
    );
    const { name } = await convertFiles({ '.claude-plugin/plugin.json': '\ufeff// x\n{"name": "A B",}' });
    expect(name).toBe('a-b');
  });

  it('that is an extension already is converted only on demand', async () => {
    const files = { 'gemini-extension.json': { name: 'x', version: '1' }, 'commands/a.md': 'A' };
    await expect(convertFiles(files)).rejects.toThrow(/is an extension already/);
    expect((await convertFiles(files, { force: true })).name).toBe('demo');
  });

  it('has its losses named: output styles, language servers, files for contributors', async () => {
    const { lines, files } = await convertFiles({
      'output-styles/a.md': 'A',
      '.lsp.json': '{}',
      'CLAUDE.md': 'For contributors',
      'commands/a.md': 'A',
    });
    expect(lines.join('\n')).toMatch(/output styles cannot[\s\S]*language servers cannot/);
    expect(files.has('GEMINI.md')).toBe(false);
  });
});
