import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { STRANGERS_KEY } from '@gemini-cli/test-utils';
import { beforeEach, describe, expect, it } from 'vitest';
import { discoverFolder } from './discovery.js';
import { foreignFolder, NOTHING } from './folder.test-helper.js';

let place: ReturnType<typeof foreignFolder>;
beforeEach(() => {
  place = foreignFolder();
});
const put = (path: string, content: string | Uint8Array | object) => place.put(path, content);
const discover = (home?: string) => place.discover(home);

const settings = (value: object | string) => put('.gemini/settings.json', value);

describe('discovery', () => {
  it('finds nothing in an empty or missing folder', async () => {
    expect(await discover()).toEqual(NOTHING);
    expect(await discoverFolder(join(place.folder, 'none'), process.env)).toEqual(NOTHING);
    put('file', 'x');
    expect(await discoverFolder(join(place.folder, 'file'), process.env)).toEqual(NOTHING);
  });

  it('lists commands by the names the user types, and bad files as errors', async () => {
    put('.gemini/commands/review.toml', 'prompt = "look"');
    put('.gemini/commands/git/commit msg.toml', 'prompt = """a\nb"""');
    put('.gemini/commands/.hidden.toml', 'prompt = "x"');
    put(`.gemini/commands/${'n'.repeat(60)}.toml`, 'prompt = "x"');
    put('.gemini/commands/notes.md', 'no command');
    put('.gemini/commands/broken.toml', 'prompt = "x"\nprompt = \n');
    put('.gemini/commands/empty.toml', 'description = "x"');
    const { commands, discoveryErrors, problems } = await discover();
    expect(commands).toEqual(['.hidden', 'git:commit_msg', `${'n'.repeat(47)}...`, 'review']);
    expect(discoveryErrors).toEqual([
      expect.stringMatching(/^\.gemini\/commands\/broken\.toml: line 2: Invalid TOML/),
      '.gemini/commands/empty.toml: has no prompt',
    ]);
    expect(problems).toEqual([
      { path: '.gemini/commands/broken.toml', line: 2, message: expect.stringMatching(/^Invalid TOML/) },
      { path: '.gemini/commands/empty.toml', message: 'has no prompt' },
    ]);
  });

  it('lists MCP servers with their program or address, and warns about trust', async () => {
    settings({
      mcpServers: {
        local: { command: 'npx', args: ['-y', 'server'], trust: true },
        remote: { url: 'https://a.example/mcp', httpUrl: 'https://b.example/mcp' },
        none: {},
        odd: 'x',
        variable: { command: 'x', trust: '$T' },
      },
    });
    const { mcps, securityWarnings, discoveryErrors, settings: keys } = await discover();
    expect(mcps).toEqual([
      'local: npx -y server',
      'remote: https://b.example/mcp',
      'none: (no command)',
      'odd',
      'variable: x',
    ]);
    expect(securityWarnings).toEqual(
      ['local', 'variable'].map(
        (name) => `The MCP server "${name}" asks to run its tools without confirmation (trust: true).`,
      ),
    );
    expect(discoveryErrors).toEqual(['.gemini/settings.json: mcpServers.odd must be an object']);
    expect(keys).toEqual([]);
  });

  it('lists every hook command in settings and hooks.toml', async () => {
    settings({
      hooks: {
        enabled: true,
        disabled: ['x'],
        BeforeTool: [
          { matcher: 'a', hooks: [{ type: 'command', command: 'one' }, { command: 'two' }] },
          { hooks: { command: 'three' } },
          'odd',
          null,
        ],
        Unknown: { hooks: [{ command: 'four\x1b[2K\nrm -rf ~' }] },
      },
    });
    put(
      '.gemini/hooks.toml',
      '[[hooks.SessionStart]]\nhooks = [{ type = "command", command = "five" }]\n[hooks.AfterTool]\nhooks = [{ command = "six" }]\n',
    );
    expect((await discover()).hooks).toEqual([
      'BeforeTool: one',
      'BeforeTool: two',
      'BeforeTool: three',
      'Unknown: four[2K rm -rf ~',
      'SessionStart: five',
      'AfterTool: six',
    ]);
  });

  it('lists skills and agents by the name inside, and warns about agents', async () => {
    const titled = (name: string) => `---\nname: ${name}\ndescription: d\n---\nbody`;
    put('.gemini/skills/SKILL.md', titled('root'));
    put('.gemini/skills/one/SKILL.md', titled('first'));
    put('.gemini/skills/bad/SKILL.md', '# no front matter');
    put('.gemini/skills/nameless/SKILL.md', '---\ndescription: d\n---\n');
    put('.gemini/skills/small/skill.md', titled('small'));
    put('.gemini/skills/node_modules/SKILL.md', titled('no'));
    put('.gemini/skills/empty/notes.md', 'x');
    put('.agents/skills/two/SKILL.md', titled('second'));
    put('.gemini/agents/a.md', titled('helper'));
    put('.gemini/agents/plain.md', '---\ndescription: d\n---\n');
    put('.gemini/agents/_draft.md', titled('draft'));
    put('.gemini/agents/deep/b.md', titled('deep'));
    put('.gemini/agents/none.md', 'text');
    expect(await discover()).toEqual({
      ...NOTHING,
      skills: ['root', 'nameless', 'first', 'second'],
      agents: ['helper', 'plain'],
      securityWarnings: ['The folder has its own agents, with their own instructions and tools.'],
      discoveryErrors: [
        '.gemini/skills/bad/SKILL.md: has no description in its front matter',
        '.gemini/skills/small/skill.md: must be called SKILL.md',
        '.gemini/agents/none.md: has no front matter',
      ],
      problems: [
        { path: '.gemini/skills/bad/SKILL.md', message: 'has no description in its front matter' },
        { path: '.gemini/skills/small/skill.md', message: 'must be called SKILL.md' },
        { path: '.gemini/agents/none.md', message: 'has no front matter' },
      ],
    });
  });

  it('lists policy files with their decisions, and warns when they allow', async () => {
    put(
      '.gemini/policies/b.toml',
      '[[rule]]\ntoolName = "x"\ndecision = "deny"\npriority = 1\n[[safety_checker]]\ntoolName = "x"\n',
    );
    put('.gemini/policies/a.toml', '[[rule]]\ndecision = "allow"\n[[rule]]\ndecision = "ask_user"\n');
    put('.gemini/policies/sandbox.toml', 'x = 1');
    put('.gemini/policies/broken.toml', '[[rule');
    put('.gemini/policies.toml', '[[rules]]\ntype = "allow"\n[[rules]]\n[rules.action]\ntype = "confirm"\n');
    const { policies, loadedPolicies, securityWarnings, discoveryErrors } = await discover();
    expect(policies).toEqual([
      '.gemini/policies/a.toml',
      '.gemini/policies/b.toml',
      '.gemini/policies/broken.toml',
      '.gemini/policies.toml',
    ]);
    expect(loadedPolicies).toEqual([
      { file: '.gemini/policies/a.toml', allow: 1, ask: 1, deny: 0, checkers: 0 },
      { file: '.gemini/policies/b.toml', allow: 0, ask: 0, deny: 1, checkers: 1 },
      { file: '.gemini/policies.toml', allow: 1, ask: 1, deny: 0, checkers: 0 },
    ]);
    expect(securityWarnings).toEqual([
      '.gemini/policies/a.toml lets tools run without asking (1 rule).',
      '.gemini/policies.toml lets tools run without asking (1 rule).',
      '.gemini/policies/sandbox.toml changes the sandbox.',
    ]);
    expect(discoveryErrors).toEqual([expect.stringMatching(/^\.gemini\/policies\/broken\.toml: line 1: /)]);
  });

  it('lists context files by the configured names, else the first usual one, up to .git', async () => {
    put('AGENTS.md', 'x');
    put('CLAUDE.md', 'x');
    expect((await discover()).contextFiles).toEqual(['AGENTS.md']);
    put('GEMINI.md', 'x');
    expect((await discover()).contextFiles).toEqual(['GEMINI.md']);
    settings({ context: { fileName: ['CLAUDE.md', 'missing.md', 'AGENTS.md'] } });
    expect((await discover()).contextFiles).toEqual(['CLAUDE.md', 'AGENTS.md']);
    put('sub/deep/GEMINI.md', 'x');
    const deep = () => discoverFolder(join(place.folder, 'sub/deep'), {});
    expect((await deep()).contextFiles).toEqual(['GEMINI.md']);
    mkdirSync(join(place.folder, '.git'));
    put('.env', 'HTTPS_PROXY=x\nOTLP_GOOGLE_CLOUD_PROJECT=theirs');
    expect(await deep()).toEqual({
      ...NOTHING,
      contextFiles: ['GEMINI.md', '../../GEMINI.md'],
      envFiles: ['../../.env: HTTPS_PROXY, OTLP_GOOGLE_CLOUD_PROJECT'],
      securityWarnings: [
        '../../.env sets HTTPS_PROXY: it changes the proxy.',
        '../../.env sets OTLP_GOOGLE_CLOUD_PROJECT: it changes telemetry.',
      ],
    });
  });

  it('lists names in .env, never values, and warns about dangerous ones', async () => {
    put(
      '.env',
      `GEMINI_API_KEY=${STRANGERS_KEY}\nNODE_OPTIONS=--require=x\nPORT=1\nGOOGLE_GEMINI_BASE_URL=x`,
    );
    put('.gemini/.env', '');
    const results = await discover();
    expect(results.envFiles).toEqual([
      '.gemini/.env: (empty)',
      '.env: GEMINI_API_KEY, NODE_OPTIONS, PORT, GOOGLE_GEMINI_BASE_URL',
    ]);
    expect(results.securityWarnings).toEqual([
      '.env sets GEMINI_API_KEY: it changes sign-in.',
      '.env tries to set NODE_OPTIONS, which a project may not; it will be ignored.',
      '.env sets GOOGLE_GEMINI_BASE_URL: it changes the address of the model service.',
    ]);
    expect(JSON.stringify(results)).not.toContain(STRANGERS_KEY);
  });

  it('lists extensions with name and version', async () => {
    put('.gemini/extensions/a/gemini-extension.json', '{ "name": "a", "version": "1.2.3", } // fine');
    put('.gemini/extensions/b/gemini-extension.json', '{');
    put('.gemini/extensions/c/gemini-extension.json', {});
    put('.gemini/extensions/d/other', 'x');
    const { extensions, discoveryErrors } = await discover();
    expect(extensions).toEqual(['a 1.2.3']);
    expect(discoveryErrors).toEqual([
      expect.stringMatching(/^\.gemini\/extensions\/b\/gemini-extension\.json: is not valid JSON/),
      '.gemini/extensions/c/gemini-extension.json: has no name',
    ]);
  });
});

describe('discovered settings', () => {
  it('are listed by their top-level keys', async () => {
    settings('// mine\n{ "$schema": "x", "ui": {}, "mcpServers": {}, "hooks": {}, "zzz\\u001b[2J": 1, }');
    expect((await discover()).settings).toEqual(['ui', 'zzz[2J']);
  });

  it.each([
    ['not JSON', '{\n  "a" 1 }', 'is not valid JSON: line 2, column 7: Expected ":" after "a"'],
    ['no object', '[1]', 'must hold one JSON object'],
    ['binary', Buffer.from([0, 1, 2]), 'is not a text file'],
  ])('are reported as an error when they are %s', async (_what, text, message) => {
    put('.gemini/settings.json', text);
    expect(await discover()).toEqual({
      ...NOTHING,
      discoveryErrors: [`.gemini/settings.json: ${message}`],
      problems: [{ path: '.gemini/settings.json', message }],
    });
  });

  it.each<[string, object]>([
    ['tools.allowed', { tools: { allowed: ['run_shell_command'] } }],
    ['tools.allowed', { tools: { allowed: 'run_shell_command' } }],
    ['allowedTools', { allowedTools: ['x'] }],
    ['security.folderTrust.enabled', { security: { folderTrust: { enabled: false } } }],
    ['security.folderTrust.enabled', { security: { folderTrust: { enabled: ' False ' } } }],
    ['security.folderTrust.enabled', { security: { folderTrust: { enabled: '$NONE' } } }],
    ['folderTrust', { folderTrust: false }],
    ['tools.sandbox', { tools: { sandbox: false } }],
    ['tools.sandbox', { tools: { sandbox: { enabled: false } } }],
    ['sandbox', { sandbox: 'false' }],
    ['model.providers', { model: { providers: { x: { baseUrl: 'http://x' } } } }],
    ['general.proxy', { general: { proxy: 'http://x' } }],
    ['security.auth.selectedType', { security: { auth: { selectedType: 'gateway' } } }],
    ['selectedAuthType', { selectedAuthType: 'x' }],
    ['telemetry', { telemetry: true }],
    ['telemetry', { telemetry: { enabled: true } }],
    ['tools.discoveryCommand', { tools: { discoveryCommand: 'x' } }],
    ['mcp.serverCommand', { mcp: { serverCommand: 'x' } }],
    ['mcp.allowed', { mcp: { allowed: ['x'] } }],
    ['policyPaths', { policyPaths: ['x'] }],
    ['context.includeDirectories', { context: { includeDirectories: ['/etc'] } }],
    ['general.defaultApprovalMode', { general: { defaultApprovalMode: 'auto_edit' } }],
    ['approvalMode', { approvalMode: 'yolo' }],
    ['tools.approvalMode', { tools: { approvalMode: 'auto_edit' } }],
    ['tools.shell.pager', { tools: { shell: { pager: './x' } } }],
    ['tools.confirmationRequired', { tools: { confirmationRequired: [] } }],
    ['tools.webSearch', { tools: { webSearch: { endpoint: 'http://x' } } }],
    ['mcp.autoAllowInHeadless', { mcp: { autoAllowInHeadless: true } }],
    [
      'experimental.gemmaModelRouter.binaryPath',
      { experimental: { gemmaModelRouter: { binaryPath: './x' } } },
    ],
    ['bugCommand', { bugCommand: { urlTemplate: 'http://x' } }],
    [
      'security.environmentVariableRedaction.enabled',
      { security: { environmentVariableRedaction: { enabled: false } } },
    ],
    [
      'security.environmentVariableRedaction.allowed',
      { security: { environmentVariableRedaction: { allowed: ['X'] } } },
    ],
    ['security.maskSecretsForModel', { security: { maskSecretsForModel: false } }],
    ['security.disableYoloMode', { security: { disableYoloMode: false } }],
    ['hooksConfig.enabled', { hooksConfig: { enabled: false } }],
    ['hooks.disabled', { hooks: { disabled: ['guard'] } }],
    ['experimental.extensionRegistryURI', { experimental: { extensionRegistryURI: 'http://x' } }],
  ])('give a warning about %s: %j', async (key, value) => {
    settings(value);
    expect((await discover()).securityWarnings).toEqual([
      expect.stringMatching(new RegExp(`^Settings: .+ \\(${key.replaceAll('.', '\\.')}\\)\\.$`)),
    ]);
  });

  it('give no warning when they are stricter or change only the appearance', async () => {
    settings({
      ui: { theme: 'x' },
      tools: { allowed: [], sandbox: true, exclude: ['x'], core: ['y'] },
      security: { folderTrust: { enabled: true }, disableYoloMode: true },
      general: { defaultApprovalMode: 'plan' },
      telemetry: { enabled: false },
    });
    expect((await discover()).securityWarnings).toEqual([]);
  });
});
