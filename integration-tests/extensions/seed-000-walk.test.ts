/** Seed 000's walk through the built program: from a plugin that does not validate to an agent that runs. */
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { scripted } from '../agents/agents.js';
import { callTool, type TestRig, testRig, text } from '../test-utils.js';

const SOURCE = 'plugins/compound-engineering';
const ROOT = 'dist/gemini-extension';
const HOOK = { hooks: { Stop: [{ hooks: [{ type: 'command', command: 'true' }] }] } };
const PLUGIN: Readonly<Record<string, string>> = {
  '.claude-plugin/plugin.json': JSON.stringify({
    name: 'compound-engineering',
    version: '1.0.0',
    description: 'Compound Engineering workflows for Gemini CLI',
    mcpServers: { context7: { type: 'http', url: 'http://127.0.0.1:9/mcp' } },
  }),
  'agents/review/correctness-reviewer.md':
    '---\nname: correctness-reviewer\ndescription: Reviews code\ntools: Read, Grep, Glob, Bash\ncolor: blue\nmodel: inherit\n---\nYou are the agent correctness-reviewer.\n',
  'skills/security-reviewer/SKILL.md':
    '---\nname: security-reviewer\ndescription: Review code for security\n---\n\n# Security Reviewer\n',
  'skills/claude-only/SKILL.md': '---\nname: claude-only\ndescription: C\nce_platforms: [claude]\n---\nC\n',
  'commands/git/commit.md': '---\ndescription: Create a commit\n---\nUser request: $ARGUMENTS\n',
  'hooks/hooks.json': JSON.stringify(HOOK),
};

function write(rig: TestRig, folder: string, files: Readonly<Record<string, string>>): void {
  for (const [path, content] of Object.entries(files)) {
    const file = join(rig.workspace, folder, path);
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, content);
  }
}

describe('the walk of seed 000', () => {
  it('goes from a plugin to a running agent', async () => {
    const rig = await testRig();
    write(rig, SOURCE, PLUGIN);
    const run = async (...args: string[]) => rig.cli('extensions', ...args);
    const read = (path: string) => readFileSync(join(rig.workspace, path), 'utf8');

    // "is not currently a valid Gemini extension root because it lacks gemini-extension.json"
    const plain = await run('validate', SOURCE);
    expect(plain.exitCode).toBe(1);
    expect(plain.stderr).toContain(
      `Configuration file not found at ${join(rig.workspace, SOURCE, 'gemini-extension.json')}`,
    );

    // "Adding only that manifest would make the root validate, but it would not be enough"
    write(rig, 'only-manifest', {
      ...PLUGIN,
      'gemini-extension.json': '{"name": "only-manifest", "version": "1.0.0"}',
      'agents/direct.md':
        '---\nname: direct\ndescription: D\ntools: Read, Grep, Glob, Bash\ncolor: blue\n---\nD\n',
    });
    const only = await run('validate', 'only-manifest');
    expect(only.exitCode, only.stderr).toBe(0);
    expect(only.stderr).toMatch(/1 agent file is in Claude Code's format/);
    expect(only.stderr).toMatch(/correctness-reviewer\.md: This agent is never loaded/);

    // "a proper CE Gemini extension should be generated or normalized"
    const converted = await run('convert', SOURCE);
    expect(converted.exitCode, converted.stderr).toBe(0);
    expect(converted.stdout).toContain('hooks differ between the programs');
    expect(JSON.parse(read(`${ROOT}/gemini-extension.json`))).toEqual({
      name: 'compound-engineering',
      version: '1.0.0',
      description: 'Compound Engineering workflows for Gemini CLI',
      mcpServers: { context7: { url: 'http://127.0.0.1:9/mcp', type: 'http' } },
    });
    expect(read(`${ROOT}/agents/correctness-reviewer.md`)).toBe(
      '---\nname: correctness-reviewer\ndescription: Reviews code\nkind: local\ntools:\n  - read_file\n  - grep_search\n' +
        '  - glob\n  - run_shell_command\nmodel: inherit\n---\nYou are the agent correctness-reviewer.\n',
    );
    expect(read(`${ROOT}/skills/security-reviewer/SKILL.md`)).toContain('# Security Reviewer');
    expect(existsSync(join(rig.workspace, ROOT, 'skills/claude-only'))).toBe(false);
    expect(read(`${ROOT}/commands/git/commit.toml`)).toContain('User request: {{args}}');

    // "Use gemini extensions validate <generated-root> in tests"
    const valid = await run('validate', ROOT);
    expect(valid.exitCode, valid.stderr).toBe(0);

    // "gemini extensions install ./dist/gemini-extension"
    const install = await run('install', `./${ROOT}`, '--consent');
    expect(install.exitCode, install.stderr).toBe(0);
    expect(install.stdout).toContain('Extension "compound-engineering" (1.0.0) installed successfully');
    const strict = await run('validate', `./${ROOT}`, '--strict');
    expect(strict.exitCode, strict.stderr).toBe(0);
    scripted(rig, {
      main: [
        [callTool('invoke_agent', { agent_name: 'correctness-reviewer', prompt: 'Go' })],
        [text('All done')],
      ],
      'correctness-reviewer': [
        [callTool('read_file', { file_path: `${SOURCE}/commands/git/commit.md` })],
        [callTool('complete_task', { result: 'fine' })],
      ],
    });
    const session = await rig.cli('--yolo', '-p', 'Review it');
    expect(session.exitCode, session.stderr).toBe(0);
    expect(session.stdout).toContain('All done');
    expect(JSON.stringify(rig.model.requests.map(({ body }) => body))).toContain('User request: $ARGUMENTS');

    // "gemini extensions uninstall compound-engineering", then "gemini extensions link ./dist/gemini-extension"
    const installed = join(rig.home, '.gemini/extensions/compound-engineering');
    expect((await run('uninstall', 'compound-engineering')).exitCode).toBe(0);
    expect(existsSync(installed)).toBe(false);
    const link = await run('link', `./${ROOT}`, '--consent');
    expect(link.exitCode, link.stderr).toBe(0);
    expect((await run('list')).stdout).toContain(`Source: ${join(rig.workspace, ROOT)} (Type: link)`);
    expect((await run('uninstall', 'compound-engineering')).exitCode).toBe(0);
    expect(existsSync(join(rig.workspace, ROOT, 'gemini-extension.json'))).toBe(true);
  });

  it('installs below ~/.gemini with a manifest, and never into ~/.agents', async () => {
    const rig = await testRig();
    write(rig, SOURCE, PLUGIN);
    const run = await rig.cli('extensions', 'import', SOURCE, '--to', 'home');
    expect(run.exitCode, run.stderr).toBe(0);
    const gemini = join(rig.home, '.gemini');
    for (const path of [
      'skills/security-reviewer/SKILL.md',
      'agents/correctness-reviewer.md',
      'commands/git/commit.toml',
      'compound-engineering/install-manifest.json',
    ])
      expect(existsSync(join(gemini, path)), path).toBe(true);
    expect(existsSync(join(rig.home, '.agents'))).toBe(false);
    // "Only the mcpServers key is written during plugin conversion"
    const settings = JSON.parse(readFileSync(join(gemini, 'settings.json'), 'utf8'));
    expect(settings.mcpServers).toEqual({ context7: { url: 'http://127.0.0.1:9/mcp', type: 'http' } });
    expect(settings.hooks).toBeUndefined();
    expect(existsSync(join(gemini, 'hooks'))).toBe(false);
  });
});
