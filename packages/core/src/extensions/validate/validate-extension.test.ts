import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { newExtension, templateNames } from '../templates/new-extension.js';
import { placeOfProblem, validateExtension } from './validate-extension.js';

let root: string;
let dir: string;
beforeEach(() => {
  root = realpathSync(mkdtempSync(join(tmpdir(), 'validate-')));
  dir = join(root, 'demo');
  mkdirSync(dir);
});
afterEach(() => rmSync(root, { recursive: true, force: true }));

function write(files: Record<string, string>) {
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(dirname(join(dir, path)), { recursive: true });
    writeFileSync(join(dir, path), text);
  }
}
const manifest = (more: object = {}) =>
  write({ 'gemini-extension.json': JSON.stringify({ name: 'demo', version: '1.0.0', ...more }, null, 2) });

/** `level place: message` per problem. */
async function findings(strict = false) {
  const problems = await validateExtension(dir, { strict });
  return problems.map((one) => `${one.level} ${placeOfProblem(dir, one)}: ${one.message}`);
}

describe('what keeps an extension from loading', () => {
  it('names a missing manifest with its path', async () => {
    expect(await findings()).toEqual([
      `error gemini-extension.json: Configuration file not found at ${join(dir, 'gemini-extension.json')}`,
    ]);
  });

  it.each([
    ['{', /not valid JSON/],
    ['[]', /must hold a JSON object/],
    ['{"version":"1.0.0"}', /name is missing/],
    ['{"name":"demo"}', /version is missing/],
    ['{"name":"a b","version":"1.0.0"}', /"a b" is not allowed/],
  ])('refuses %s', async (text, expected) => {
    write({ 'gemini-extension.json': text });
    const [first, ...more] = await validateExtension(dir);
    expect(first).toMatchObject({ level: 'error', message: expect.stringMatching(expected) });
    expect(more).toEqual([]);
  });

  it.each([
    ['NOTES.md', /contextFileName names NOTES.md, which does not exist/],
    ['../x.md', /"..\/x.md" contains "\.\."/],
    ['/etc/passwd', /is outside the extension/],
    [7, /must be a file name or a list/],
    [['GEMINI.md', ''], /contextFileName\[1\] "" is not a path/],
  ])('refuses the context file %j with its line', async (contextFileName, expected) => {
    manifest({ contextFileName });
    write({ 'GEMINI.md': 'Hello' });
    const [first, ...more] = await validateExtension(dir);
    expect(first).toMatchObject({ level: 'error', message: expect.stringMatching(expected) });
    expect(first?.line).toBeGreaterThanOrEqual(4);
    expect(more).toEqual([]);
  });

  it('accepts context files inside the extension, also by ${extensionPath}', async () => {
    manifest({ contextFileName: ['GEMINI.md', '${extensionPath}${/}docs${/}a.md'] });
    write({ 'GEMINI.md': 'a', 'docs/a.md': 'b' });
    expect(await findings()).toEqual([]);
  });
});

describe('what does not work as written', () => {
  it('warns about versions that are not semantic, and accepts those that are', async () => {
    for (const version of ['v1.2.3', '1.2.3-x', '1.2.3+x', '0.0.1']) {
      manifest({ version });
      expect(await findings(), version).toEqual([]);
    }
    for (const version of ['0.4', 'latest', '2026.07.03', 3]) {
      manifest({ version });
      expect(await findings(), String(version)).toEqual([
        expect.stringContaining('warning gemini-extension.json:3: version'),
      ]);
    }
  });

  it('hints at the right key for keys without effect, and says nothing about those of galleries', async () => {
    manifest({
      author: 'me',
      $schema: 'x',
      contextFiles: ['a'],
      gemini: { contextFile: 'x' },
      mcp: {},
      hooks: {},
      commands: [],
      manifest: { settings: [] },
      excludedTools: [],
      nonsense: 1,
    });
    const text = (await findings()).join('\n');
    expect(text).toMatch(/json:6: contextFiles has no effect here\. Write contextFileName/);
    expect(text).toMatch(/gemini\.contextFile has no effect\. Write contextFileName/);
    expect(text).toMatch(/mcp has no effect here\. Write mcpServers/);
    expect(text).toMatch(/hooks has no effect here\. Write the hooks into hooks\/hooks\.json/);
    expect(text).toMatch(/commands has no effect here\. Write one file for each command/);
    expect(text).toMatch(/manifest\.settings has no effect/);
    expect(text).toMatch(/excludedTools has no effect here\. Did you mean "excludeTools"/);
    expect(text).toMatch(/nonsense has no effect here\. Remove it/);
    expect(text).not.toMatch(/author|schema/);
  });

  it('warns about excluded tools that fit nothing, and knows legacy, MCP and Claude names', async () => {
    manifest({
      excludeTools: [
        'run_shell_command("rm -rf /")',
        'run_shell_command(sudo *)',
        'search_file_content',
        'ShellTool',
        'Bash',
        'github__*',
        'mcp_x_*',
        'web_fetsh',
      ],
    });
    const found = await findings();
    expect(found).toEqual([
      expect.stringContaining('excludeTools[7] "web_fetsh" fits no tool. Did you mean "web_fetch"?'),
    ]);
  });

  it('warns about servers that cannot start, relative commands, trust and a literal that hides a setting', async () => {
    manifest({
      mcpServers: {
        none: {},
        relative: { command: './run.sh' },
        placed: { command: './run.sh', cwd: '${extensionPath}' },
        gone: { command: 'node', args: ['${extensionPath}/dist/a.js'] },
        literal: { command: 'node', env: { KEY: 'fixed', OTHER: '$OTHER' }, trust: true },
      },
      settings: [
        { name: 'Key', envVar: 'KEY' },
        { name: 'Other', envVar: 'OTHER' },
      ],
    });
    const text = (await findings()).join('\n');
    expect(text).toMatch(/mcpServers\.none says neither/);
    expect(text).toMatch(/mcpServers\.relative\.command "\.\/run\.sh" is looked up in the user's folder/);
    expect(text).not.toMatch(/placed/);
    expect(text).toMatch(/mcpServers\.gone\.args\[0\] names .*a\.js, which does not exist/);
    expect(text).toMatch(/mcpServers\.literal\.env\.KEY hides the setting/);
    expect(text).not.toMatch(/OTHER hides/);
    expect(text).toMatch(/mcpServers\.literal\.trust has no effect/);
  });

  it('warns about settings that are incomplete, refused or stored as plain text', async () => {
    manifest({
      settings: [
        { envVar: 'A' },
        { name: 'x' },
        { name: 'p', envVar: 'PATH' },
        { name: 't', envVar: 'MY_API_KEY' },
      ],
    });
    const text = (await findings()).join('\n');
    expect(text).toMatch(/settings\[0\] has no name/);
    expect(text).toMatch(/settings\[1\] has no valid envVar/);
    expect(text).toMatch(/settings\[2\] asks for PATH/);
    expect(text).toMatch(/settings\[3\] looks like a secret/);
  });

  it('warns about colours and groups of themes that have no effect', async () => {
    manifest({
      themes: [
        { name: 'a', text: { primary: '#12', secondry: 'red' }, background: { diff: { added: 7 } }, ui: [] },
        { name: 'a', ui: { gradient: ['red', '#abc', 'rgb(1)'] }, Background: '#000' },
      ],
    });
    const text = (await findings()).join('\n');
    expect(text).toMatch(/themes\[0\]\.text\.primary "#12" is not a colour/);
    expect(text).toMatch(/themes\[0\]\.text\.secondry has no effect\. Did you mean "secondary"/);
    expect(text).toMatch(/themes\[0\]\.background\.diff\.added 7 is not a colour/);
    expect(text).toMatch(/themes\[0\]\.ui must be an object/);
    expect(text).toMatch(/themes\[1\]\.name "a" is the name of another theme/);
    expect(text).toMatch(/themes\[1\]\.ui\.gradient "rgb\(1\)" is not a colour/);
    expect(text).not.toMatch(/Background|"#abc"|"red"/);
  });

  it('warns about declared rights that give less than meant', async () => {
    manifest({
      capabilities: {
        files: { reads: ['x'], write: ['data'] },
        network: ['https://a.example/x', 'b.example'],
        netwrk: [],
      },
    });
    const text = (await findings()).join('\n');
    expect(text).toMatch(/capabilities\.netwrk gives no right\. Did you mean "network"/);
    expect(text).toMatch(/capabilities\.files\.reads gives no right/);
    expect(text).toMatch(/capabilities\.files\.write\[0\] "data" is relative/);
    expect(text).toMatch(/capabilities\.network\[0\] .* is not a host name/);
  });

  it('checks hooks, skills, agents and policies where they are', async () => {
    manifest();
    write({
      'hooks/hooks.json': JSON.stringify({
        hooks: {
          BeforeTool: [
            { matcher: 'x', hooks: [{ type: 'command', command: 'node "${extensionPath}/gone.js"' }] },
          ],
          SessionStart: [{ matcher: 'startup|resume|wake', hooks: [{ type: 'command', command: 'true' }] }],
          Before: [],
        },
      }),
      'skills/good/SKILL.md': '---\nname: good\ndescription: d\n---\nx',
      'skills/bad/SKILL.md': 'no header',
      'skills/low/skill.md': '---\nname: low\ndescription: d\n---\nx',
      'agents/README.md': '# About',
      'agents/notes.md': 'no header at all',
      'agents/broken.md': '---\nname: broken\n---\nx',
      'agents/claude.md': '---\nname: claude\ndescription: d\ntools: Read, Grep\n---\nx',
      'agents/review/deep.md': '---\nname: deep\ndescription: d\n---\nx',
      'policies/a.toml': '[[rule]]\ntoolName = "glob"\ndecision = "allow"\npriority = 1\n',
      'policies/b.toml': '[[rule]\n',
    });
    const text = (await findings()).join('\n');
    expect(text).toMatch(/hooks\.json: there is no hook event Before/);
    expect(text).toMatch(/hooks\.json: BeforeTool: the hook names .*gone\.js, which does not exist/);
    expect(text).toMatch(/SessionStart: the matcher "wake" never matches/);
    expect(text).toMatch(/skills\/bad\/SKILL\.md: The skill does not begin with a header/);
    expect(text).toMatch(/skills\/low\/skill\.md: The skill must be called SKILL\.md/);
    expect(text).toMatch(/agents\/broken\.md: .*description/);
    expect(text).toMatch(/agents\/claude\.md: 1 agent file is in Claude Code's format/);
    expect(text).toMatch(/agents\/review\/deep\.md: This agent is never loaded/);
    expect(text).toMatch(/policies\/a\.toml: One rule is ignored/);
    expect(text).toMatch(/policies\/b\.toml:\d/);
    expect(text).not.toMatch(/README|notes|good/);
    expect(text).not.toMatch(/^error/m);
  });

  it('warns about a folder of another name, and counts warnings as errors when asked to', async () => {
    manifest({ name: 'other' });
    expect(await findings()).toEqual([
      expect.stringContaining('warning gemini-extension.json:2: name is "other", but the folder is "demo"'),
    ]);
    expect(await findings(true)).toEqual([expect.stringMatching(/^error /)]);
  });

  it('asks the port about commands', async () => {
    manifest();
    const asked: string[] = [];
    const problems = await validateExtension(dir, {
      checkCommands: async (folder) => {
        asked.push(folder);
        return [{ level: 'warning', message: 'x', file: join(folder, 'a.toml') }];
      },
    });
    expect(asked).toEqual([join(dir, 'commands')]);
    expect(problems).toHaveLength(1);
  });
});

describe('templates', () => {
  it.each([undefined, ...templateNames()])('the template %s passes the strict check', async (template) => {
    const { path } = newExtension(join(root, 'fresh'), template);
    expect(await validateExtension(path, { strict: true })).toEqual([]);
  });

  it.each(templateNames())('%s passes the strict check in its own folder', async (template) => {
    const folder = join(import.meta.dirname, '..', 'templates', template);
    expect(await validateExtension(folder, { strict: true })).toEqual([]);
  });
});
