/** From a Claude Code plugin to a running agent: the walk of the converter through the built program. */
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { scripted } from './agents/agents.js';
import { callTool, type TestRig, testRig, text } from './test-utils.js';

const PLUGIN: Readonly<Record<string, string>> = {
  '.claude-plugin/plugin.json':
    '{"name": "compound-engineering", "version": "1.0.0", "description": "Workflows"}',
  'agents/review/correctness-reviewer.md':
    '---\nname: correctness-reviewer\ndescription: Reviews\ntools: Read, Grep, Glob, Bash\ncolor: blue\n---\nYou are the agent correctness-reviewer.\n',
  'commands/git/commit.md': '---\ndescription: Commit\n---\nCommit $ARGUMENTS\n',
  'skills/security-reviewer/SKILL.md':
    '---\nname: security-reviewer\ndescription: Review code\n---\n\n# Review\n',
  'hooks/hooks.json': '{"hooks": {"Stop": [{"hooks": [{"type": "command", "command": "true"}]}]}}',
};

function writePlugin(rig: TestRig): string {
  const root = join(rig.workspace, 'plugins/compound-engineering');
  for (const [path, content] of Object.entries(PLUGIN)) {
    mkdirSync(dirname(join(root, path)), { recursive: true });
    writeFileSync(join(root, path), content);
  }
  return root;
}

/** The main agent hands a task to the agent of the plugin, which reads a file. */
async function runsAgent(rig: TestRig): Promise<void> {
  scripted(rig, {
    main: [
      [callTool('invoke_agent', { agent_name: 'correctness-reviewer', prompt: 'Go' })],
      [text('All done')],
    ],
    'correctness-reviewer': [
      [callTool('read_file', { file_path: 'plugins/compound-engineering/commands/git/commit.md' })],
      [callTool('complete_task', { result: 'fine' })],
    ],
  });
  const run = await rig.cli('--yolo', '-p', 'Review it');
  expect(run.exitCode, run.stderr).toBe(0);
  expect(run.stdout).toContain('All done');
  expect(JSON.stringify(rig.model.requests.map(({ body }) => body))).toContain('Commit $ARGUMENTS');
}

describe('a Claude Code plugin', () => {
  it('becomes an extension root, the same one each time', async () => {
    const rig = await testRig();
    writePlugin(rig);
    const first = await rig.cli('extensions', 'convert', 'plugins/compound-engineering');
    expect(first.exitCode, first.stderr).toBe(0);
    const root = join(rig.workspace, 'dist/gemini-extension');
    for (const path of [
      'gemini-extension.json',
      'agents/correctness-reviewer.md',
      'commands/git/commit.toml',
      'skills/security-reviewer/SKILL.md',
      'hooks/hooks.json',
    ])
      expect(existsSync(join(root, path)), path).toBe(true);
    expect(first.stdout).toContain('hooks differ between the programs');
    expect(first.stdout).toContain('Removed color');
    const again = await rig.cli('extensions', 'convert', 'plugins/compound-engineering', '-o', 'json');
    expect(JSON.parse(again.stdout)).toMatchObject({ plugin: 'compound-engineering', unchanged: true });
  });

  it('runs as an extension: its agent works in a session', async () => {
    const rig = await testRig();
    writePlugin(rig);
    const output = join(rig.home, '.gemini/extensions/compound-engineering');
    const run = await rig.cli('extensions', 'convert', 'plugins/compound-engineering', '--output', output);
    expect(run.exitCode, run.stderr).toBe(0);
    await runsAgent(rig);
  });

  it('runs from the home folder, and is removed from there completely', async () => {
    const rig = await testRig();
    writePlugin(rig);
    const settings = join(rig.home, '.gemini/settings.json');
    const before = existsSync(settings) ? readFileSync(settings, 'utf8') : undefined;
    const run = await rig.cli('extensions', 'import', 'plugins/compound-engineering', '--to', 'home');
    expect(run.exitCode, run.stderr).toBe(0);
    const manifest = join(rig.home, '.gemini/compound-engineering/install-manifest.json');
    expect(JSON.parse(readFileSync(manifest, 'utf8')).groups).toEqual({
      skills: ['security-reviewer'],
      agents: ['correctness-reviewer.md'],
      commands: ['git/commit.toml'],
      mcpServers: [],
    });
    await runsAgent(rig);
    const remove = ['extensions', 'import', '--remove', 'compound-engineering', '--to', 'home'];
    expect((await rig.cli(...remove)).exitCode).toBe(0);
    for (const path of [
      'compound-engineering',
      'agents/correctness-reviewer.md',
      'commands',
      'skills/security-reviewer',
    ])
      expect(existsSync(join(rig.home, '.gemini', path)), path).toBe(false);
    expect(existsSync(settings) ? readFileSync(settings, 'utf8') : undefined).toBe(before);
    const again = await rig.cli(...remove);
    expect([again.exitCode, again.stderr]).toEqual([
      1,
      expect.stringContaining('No plugin "compound-engineering"'),
    ]);
  });

  it('is refused with one line when it is none, or the arguments are wrong', async () => {
    const rig = await testRig();
    for (const args of [
      ['convert'],
      ['convert', 'missing-folder'],
      ['convert', '.', '--what'],
      ['import', '.', '--to', 'x'],
    ]) {
      const { exitCode, stderr } = await rig.cli('extensions', ...args);
      expect(exitCode, args.join(' ')).toBe(1);
      expect(stderr.trim().split('\n'), stderr).toHaveLength(1);
    }
  });
});

describe('all plugins of a marketplace', () => {
  it.each([
    ['convert', ['--output', 'out']],
    ['import', ['--to', 'home']],
  ])('are taken by %s although some cannot be read, which are named in one line each', async (verb, rest) => {
    const rig = await testRig();
    const entries = ['gone', 'broken', 'compound-engineering'].map((name) => ({ name, source: `./${name}` }));
    writePlugin(rig);
    for (const [path, content] of [
      [
        '.claude-plugin/marketplace.json',
        JSON.stringify({ name: 'm', owner: { name: 'o' }, plugins: entries }),
      ],
      ['broken/.claude-plugin/plugin.json', '{"name": '],
    ] as const) {
      mkdirSync(dirname(join(rig.workspace, 'plugins', path)), { recursive: true });
      writeFileSync(join(rig.workspace, 'plugins', path), content);
    }
    const run = await rig.cli('extensions', verb, 'plugins', '--all', ...rest);
    expect(run.exitCode).toBe(1);
    expect(run.stdout).toContain('compound-engineering 1.0.0');
    const lines = run.stderr.trim().split('\n');
    expect(lines).toEqual([
      expect.stringMatching(new RegExp(`^gemini extensions ${verb}: gone: (?!\\w*Error)`)),
      expect.stringMatching(new RegExp(`^gemini extensions ${verb}: broken: (?!\\w*Error)`)),
    ]);
  });
});
