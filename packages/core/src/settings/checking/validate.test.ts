import { describe, expect, it } from 'vitest';
import { formatPath } from '../key-path.js';
import { parseSettings } from '../reading/parse.js';
import type { SettingScope } from '../types.js';
import { validateSettings } from './validate.js';

function check(root: Record<string, unknown>, scope: SettingScope = 'user') {
  const { settings, findings } = validateSettings(root, scope);
  return {
    settings,
    findings: findings.map(({ path, message, hint }) => [formatPath(path), message, hint].join(' | ')),
  };
}

describe('validateSettings', () => {
  it.each([
    [{ general: { vimMode: 1 } }, 'general.vimMode | expected boolean, received number | '],
    [{ general: { maxAttempts: [3] } }, 'general.maxAttempts | expected number, received array | '],
    [{ general: null }, 'general | expected object, received null | '],
    [
      { general: { maxAttempts: 11 } },
      'general.maxAttempts | expected a number of at most 10, received 11 | ',
    ],
    [{ general: { maxAttempts: 0 } }, 'general.maxAttempts | expected a number of at least 1, received 0 | '],
    [{ general: { maxAttempts: Infinity } }, 'general.maxAttempts | this number is too large | '],
    [
      { output: { format: 'xml\u001b[31m' } },
      'output.format | expected one of "text", "json", received "xml [31m" | ',
    ],
    [
      { tools: { sandbox: 5 } },
      'tools.sandbox | expected boolean or string or object, received number | Until it is right, it counts as true.',
    ],
    [
      { tools: { core: { a: 1 } } },
      'tools.core | expected array, received object | Until it is right, it counts as [].',
    ],
    [{ telemetry: 5 }, 'telemetry | expected object or boolean, received number | '],
    [
      { general: { sessionRetention: { maxAge: '3 days' } } },
      'general.sessionRetention.maxAge | "3 days" does not have the expected form | It must match ^[1-9]\\d*[hdwm]$',
    ],
    [{ mcpServers: { 'a.b': 1 } }, 'mcpServers["a.b"] | expected object, received number | '],
  ])('reports the wrong value in %j', (root, finding) => {
    expect(check(root).findings).toEqual([finding]);
  });

  it.each([
    [{ security: { disableYoloMode: 'yes' } }, { security: { disableYoloMode: true } }],
    [{ security: { disableAlwaysAllow: 1 } }, { security: { disableAlwaysAllow: true } }],
    [{ security: { toolSandboxing: ['on'] } }, { security: { toolSandboxing: true } }],
    [{ security: { enableConseca: {} } }, { security: { enableConseca: true } }],
    [
      { security: { environmentVariableRedaction: { enabled: 'strict' } } },
      { security: { environmentVariableRedaction: { enabled: true } } },
    ],
    [{ tools: { sandbox: { enabled: 'yes' } } }, { tools: { sandbox: { enabled: true } } }],
    [{ mcp: { allowed: {} } }, { mcp: { allowed: [] } }],
    [{ security: { disableYoloMode: 'off' } }, { security: {} }],
    [{ security: { toolSandboxing: null } }, { security: {} }],
  ])('treats a wrong value of a restricting setting as the strict one: %j', (root, settings) => {
    const checked = check(root);
    expect(checked.settings).toEqual(settings);
    expect(checked.findings).toHaveLength(1);
  });

  it('drops only the wrong value', () => {
    expect(check({ general: { vimMode: 'x', devtools: true }, tools: { core: ['a', 1, 'b'] } })).toEqual({
      settings: { general: { devtools: true }, tools: { core: ['a', 'b'] } },
      findings: [
        'general.vimMode | expected boolean, received string | ',
        'tools.core[1] | expected string, received number | ',
      ],
    });
  });

  it('accepts texts for numbers and booleans, since variables are texts', () => {
    expect(
      check({
        general: { vimMode: 'TRUE', maxAttempts: '3' },
        model: { compressionThreshold: '0.25', name: '42' },
        tools: { sandbox: 'false', truncateToolOutputThreshold: '-1' },
        telemetry: 'true',
      }),
    ).toEqual({
      settings: {
        general: { vimMode: true, maxAttempts: 3 },
        model: { compressionThreshold: 0.25, name: '42' },
        tools: { sandbox: false, truncateToolOutputThreshold: -1 },
        telemetry: { enabled: true },
      },
      findings: [],
    });
    for (const text of ['', ' ', '1x', '0x10', 'NaN', 'Infinity', '$MAX']) {
      expect(check({ general: { maxAttempts: text } }).findings).toHaveLength(1);
    }
  });

  it('accepts one value for a list, with a warning', () => {
    const { settings, findings } = check({ tools: { exclude: 'x' }, hooks: { AfterTool: { hooks: [] } } });
    expect(settings).toEqual({ tools: { exclude: ['x'] }, hooks: { AfterTool: [{ hooks: [] }] } });
    expect(findings[0]).toContain('tools.exclude | expected array, received string; it counts as a list');
    expect(findings).toHaveLength(2);
    expect(check({ context: { fileName: 'A.md' } })).toEqual({
      settings: { context: { fileName: 'A.md' } },
      findings: [],
    });
  });

  it.each([
    [{ general: { vimMod: true } }, 'Did you mean general.vimMode?'],
    [{ general: { VIMMODE: true } }, 'Did you mean general.vimMode?'],
    [{ toolz: {} }, 'Did you mean tools?'],
    [{ ui: { theem: 'x' } }, 'Did you mean ui.theme?'],
    [{ experimental: { skills: true } }, 'Did you mean skills?'],
    [{ ui: { maxAttempts: 1 } }, 'Did you mean general.maxAttempts?'],
    [{ telemetry: { endpoint: 'x' } }, ''],
    [{ mcpServers: { s: { command: 'x', arg: [] } } }, 'Did you mean mcpServers.s.args?'],
    [{ security: { folderTrust: { enable: true } } }, 'Did you mean security.folderTrust.enabled?'],
    [{ completelyDifferent: true }, ''],
  ])('reports the unknown key in %j', (root, hint) => {
    const [finding] = check(root).findings;
    expect(finding).toContain(' | unknown key | ');
    expect(finding?.split(' | ')[2]).toBe(hint);
  });

  it('accepts any key in open objects: themes, prices, presets', () => {
    const root = {
      ui: { customThemes: { Mine: { type: 'custom', anything: [1] } } },
      model: { prices: { x: { input: 1 } } },
      modelConfigs: { aliases: { a: { extends: 'b' } }, customOverrides: [{ match: {} }] },
    };
    expect(check(root)).toEqual({ settings: root, findings: [] });
  });

  it.each([
    ['args', [{}]],
    ['env', { A: null }],
    ['oauth', 'yes'],
    ['excludeTools', {}],
    ['disabled', 'perhaps'],
  ])('drops a server when its %s is wrong, not when a harmless field is', (field, value) => {
    const { settings, findings } = check({
      mcpServers: { bad: { command: 'x', [field]: value }, fine: { command: 'y', timeout: 'soon' } },
    });
    expect(settings).toEqual({ mcpServers: { fine: { command: 'y' } } });
    expect(findings[0]).toContain('Until it is right, mcpServers.bad is left out.');
    expect(findings).toHaveLength(2);
  });

  it('keeps a server whose type is that of another program, with a warning', () => {
    const { settings, findings } = check({
      mcpServers: { s: { url: 'https://a.example/mcp', type: 'streamable-http' } },
    });
    expect(settings).toEqual({ mcpServers: { s: { url: 'https://a.example/mcp' } } });
    expect(findings).toEqual([expect.stringContaining('mcpServers.s.type | expected one of')]);
  });

  it('accepts numbers for arguments and variables, with a warning', () => {
    const { settings, findings } = check({
      mcpServers: { s: { command: 'x', args: ['-p', 80], env: { A: true } } },
    });
    expect(settings).toEqual({ mcpServers: { s: { command: 'x', args: ['-p', '80'], env: { A: 'true' } } } });
    expect(findings).toEqual([
      'mcpServers.s.args[1] | expected string, received number; it counts as text | Put it in quotes.',
      'mcpServers.s.env.A | expected string, received boolean; it counts as text | Put it in quotes.',
    ]);
  });

  it('drops a hook whose command or matcher is wrong', () => {
    const hook = { type: 'command', command: 'x' };
    const root = {
      hooks: {
        BeforeTool: [
          { matcher: 5, hooks: [hook] },
          { matcher: 'a', hooks: [hook, { type: 'command', command: [] }, { type: 'plugin', command: 'x' }] },
        ],
      },
    };
    expect(check(root).settings).toEqual({ hooks: { BeforeTool: [{ matcher: 'a', hooks: [hook] }] } });
  });

  it('reports and ignores settings that a file may not set', () => {
    const root = {
      adminPolicyPaths: ['/x'],
      trustedFolders: ['/'],
      general: { sessionStorageDir: '/x' },
      security: { folderTrust: { enabled: false } },
      admin: { secureModeEnabled: false },
    };
    const kept = (scope: SettingScope) => check(root, scope);
    expect(kept('workspace').settings).toEqual({ general: {}, security: { folderTrust: {} } });
    expect(kept('workspace').findings.map((text) => text.split(' | ')[0])).toEqual([
      'adminPolicyPaths',
      'trustedFolders',
      'general.sessionStorageDir',
      'security.folderTrust.enabled',
      'admin',
    ]);
    expect(kept('user').findings.map((text) => text.split(' | ')[0])).toEqual(['adminPolicyPaths', 'admin']);
    expect(kept('system').findings).toEqual([
      "admin | this is controlled by an organisation's server and cannot be set in a file | It is ignored here.",
    ]);
    expect(kept('system').settings).toMatchObject({
      adminPolicyPaths: ['/x'],
      security: { folderTrust: { enabled: false } },
    });
  });
});

describe('parseSettings', () => {
  it('never reads keys that could change a prototype', () => {
    const { root, findings } = parseSettings(
      '{"__proto__": {"polluted": 1}, "ui": {"constructor": {"prototype": {"polluted": 1}}, "theme": "x"}, "prototype": 1}',
    );
    expect(root).toEqual({ ui: { theme: 'x' } });
    expect(Object.getPrototypeOf(root)).toBe(Object.prototype);
    expect(({} as Record<string, unknown>)['polluted']).toBeUndefined();
    expect(findings.map(({ path }) => formatPath(path))).toEqual([
      '__proto__',
      'ui.constructor',
      'prototype',
    ]);
  });

  it('cuts off deep nesting', () => {
    const deep = `{"a": ${'['.repeat(50_000)}${']'.repeat(50_000)}, "ui": {"theme": "x"}}`;
    const { root, findings } = parseSettings(deep);
    expect(root['ui']).toEqual({ theme: 'x' });
    expect(findings).toEqual([
      expect.objectContaining({ message: expect.stringContaining('nested more than') }),
    ]);
  });

  it.each([
    ['{"a": 1, "a": 2}', ['a']],
    ['{"ui": {"theme": "x", /* again */ "theme": "y"}}', ['ui.theme']],
    ['{"ui": {"a": 1}, "ui": {"a": 1}}', ['ui']],
    ['{"x": [{"a": 1, "a": 2}, {"a": 1}]}', ['x[0].a']],
    ['{"x": "\\"a\\": 1, \\"a\\": 2", "a": {"a": 1}}', []],
  ])('finds repeated keys in %s', (text, expected) => {
    expect(parseSettings(text).findings.map(({ path }) => formatPath(path))).toEqual(expected);
  });

  it('is not slowed down by a file full of errors', () => {
    const lines = Array.from({ length: 20_000 }, (_, index) => `"key${index}": 1, "key${index}": 2`);
    const { root, findings } = parseSettings(`{${lines.join(',\n')}}`);
    validateSettings(root, 'user');
    expect(findings).toHaveLength(100);
  });
});
