import { existsSync, readFileSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { FatalConfigError } from '../base/errors.js';
import { formatProblems } from './checking/format-problems.js';
import { LoadedSettings } from './loaded-settings.js';
import { setting } from './schema/index.js';
import { type SettingsHome, settingsHome } from './settings-home.test-helper.js';

let place: SettingsHome;
beforeEach(() => {
  place = settingsHome();
});
afterEach(() => place.cleanup());

describe('loading the layers', () => {
  it('prefers system over workspace over user over system defaults, key by key', () => {
    place.put('system-defaults', { ui: { theme: 'a', hideTips: true, hideBanner: true, hideFooter: true } });
    place.put('user', { ui: { theme: 'b', hideTips: false, hideBanner: false } });
    place.put('workspace', { ui: { theme: 'c', hideTips: true } });
    place.put('system', { ui: { theme: 'd' } });
    const settings = place.load();
    expect(settings.merged).toEqual({
      ui: { theme: 'd', hideTips: true, hideBanner: false, hideFooter: true },
    });
    expect(settings.problems).toEqual([]);
    expect(
      ['ui.theme', 'ui.hideTips', 'ui.hideBanner', 'ui.hideFooter', 'ui.showSpinner'].map((key) =>
        settings.scopeOf(key),
      ),
    ).toEqual(['system', 'workspace', 'user', 'system-defaults', undefined]);
  });

  it('gives only defaults without any file', () => {
    const settings = place.load();
    expect(settings.merged).toEqual({});
    expect(settings.file('user')).toEqual({ path: place.files.user, exists: false, raw: {} });
    expect(setting(settings.merged, 'tools.shell.pager')).toBe('cat');
  });

  it('finds the defaults file by its variable, else beside the system file', () => {
    place.put('system-defaults', { ui: { theme: 'beside' } });
    expect(place.load().merged.ui?.theme).toBe('beside');
    const own = place.putFile(join(place.home, 'elsewhere.json'), { ui: { theme: 'own' } });
    expect(place.load({ env: { GEMINI_CLI_SYSTEM_DEFAULTS_PATH: own } }).merged.ui?.theme).toBe('own');
  });

  it('has no workspace layer in the home directory, also through a link', () => {
    place.put('user', { ui: { theme: 'mine' } });
    const link = join(place.cwd, 'link');
    symlinkSync(place.home, link);
    for (const cwd of [place.home, link]) {
      const settings = place.load({ cwd });
      expect(settings.merged).toEqual({ ui: { theme: 'mine' } });
      expect(settings.isReadOnly('workspace')).toBe(true);
      expect(settings.file('workspace').exists).toBe(false);
    }
  });

  it('ignores an untrusted workspace file, which can still be shown', () => {
    place.put('workspace', { tools: { allowed: ['x'] }, mcpServers: { evil: { command: 'sh' } } });
    const settings = place.load({ trusted: false });
    expect(settings.merged).toEqual({});
    expect(settings.file('workspace')).toMatchObject({ exists: true, raw: { tools: { allowed: ['x'] } } });
    place.put('workspace', '{ broken');
    expect(place.load({ trusted: false }).problems).toEqual([]);
  });

  it('applies a change of trust in place and notifies listeners', () => {
    place.put('user', { ui: { theme: 'mine' } });
    place.put('workspace', { ui: { theme: 'theirs' } });
    const settings = place.load({ trusted: false });
    const seen: (string | undefined)[] = [];
    const stop = settings.onChange(() => seen.push(settings.merged.ui?.theme));
    settings.setTrusted(true);
    settings.setTrusted(false);
    stop();
    settings.setTrusted(true);
    expect(seen).toEqual(['theirs', 'mine']);
    expect(settings.merged.ui?.theme).toBe('theirs');
  });

  it('keeps the session unchanged when the workspace file is broken as trust is granted', () => {
    place.put('user', { ui: { theme: 'mine' } });
    place.put('workspace', '{ "ui": ');
    const settings = place.load({ trusted: false });
    expect(() => settings.setTrusted(true)).toThrow(FatalConfigError);
    expect(settings.merged).toEqual({ ui: { theme: 'mine' } });
    expect(settings.problems).toEqual([]);
  });

  it('expands variables of a .env file once the environment is complete', () => {
    place.put('user', { model: { name: '$MY_MODEL' }, general: { vimMode: `\${VIM:-true}` } });
    place.put('system', { security: { disableYoloMode: '$NO_YOLO' } });
    const settings = LoadedSettings.read({ cwd: place.cwd, env: place.env });
    expect(settings.merged).toEqual({
      model: { name: '$MY_MODEL' },
      general: { vimMode: true },
      // As strict as possible until the variable is known.
      security: { disableYoloMode: true },
    });
    settings.activate({ trusted: true, env: { ...place.env, MY_MODEL: 'pro', NO_YOLO: 'True' } });
    expect(settings.merged).toEqual({
      model: { name: 'pro' },
      general: { vimMode: true },
      security: { disableYoloMode: true },
    });
    expect(settings.problems).toEqual([]);
  });
});

describe('exit code 52', () => {
  const fatal = (options = {}): FatalConfigError => {
    try {
      place.load(options);
    } catch (error) {
      if (error instanceof FatalConfigError) return error;
      throw error;
    }
    throw new Error('It did load.');
  };

  it.each(['system-defaults', 'user', 'workspace', 'system'] as const)(
    'follows a syntax error in the %s file',
    (scope) => {
      const path = place.put(scope, '{\n  "ui": {\n    "theme": "x"\n    "hideTips": true\n  }\n}');
      const error = fatal();
      expect(error.exitCode).toBe(52);
      expect(error.message).toBe(
        `Error in ${path}: Expected "," or "}" (line 4, column 5).\nPlease correct the file and try again.`,
      );
      expect(place.load({ tolerant: true }).problems).toEqual([
        {
          severity: 'fatal',
          file: path,
          line: 4,
          column: 5,
          message: 'Expected "," or "}"',
          hint: 'Correct the file, then try again.',
        },
      ]);
    },
  );

  it('follows a root that is not an object; all such files are reported at once', () => {
    const user = place.put('user', '[1]');
    const system = place.put('system', '"text"');
    expect(fatal().message.split('\n')).toEqual([
      `Error in ${user}: The file must hold one JSON object (line 1, column 1).`,
      `Error in ${system}: The file must hold one JSON object (line 1, column 1).`,
      'Please correct the files and try again.',
    ]);
  });

  it.each([
    ['security.disableYoloMode', { security: { disableYoloMode: 'yes' } }],
    ['security.auth.enforcedType', { security: { auth: { enforcedType: 'password' } } }],
    ['security', { security: true }],
    ['tools.exclude[1]', { tools: { exclude: ['a', 7] } }],
    ['tools.core', { tools: { core: {} } }],
    ['mcp.allowed', { mcp: { allowed: null } }],
    ['mcp.excluded', { mcp: { excluded: 5 } }],
    ['adminPolicyPaths', { adminPolicyPaths: {} }],
    ['disableYoloMode', { disableYoloMode: 'yes' }],
    ['tools', { tools: 5, excludeTools: ['run_shell_command'] }],
    ['mcp', { mcp: [], excludeMCPServers: ['x'] }],
  ])('follows a bad %s in a system file, not in others', (keyPath, content) => {
    for (const scope of ['system', 'system-defaults'] as const) {
      const path = place.put(scope, content);
      expect(fatal().message).toMatch(`Error in ${path}: ${keyPath}: expected `);
      place.put(scope, {});
    }
    place.put('user', content);
    expect(place.load().problems).toEqual([
      expect.objectContaining({ severity: 'warning', file: place.files.user, keyPath }),
    ]);
  });

  it('does not follow other bad values in a system file, which are warnings', () => {
    place.put('system', { ui: { theme: 5, hideTips: true } });
    const settings = place.load();
    expect(settings.merged).toEqual({ ui: { hideTips: true } });
    expect(settings.problems).toHaveLength(1);
  });

  it.each([
    ['target', 'cloud', '"local", "gcp", "console"'],
    ['otlpProtocol', 'udp', '"grpc", "http"'],
  ])('follows a bad telemetry.%s in any file and names the valid ones', (key, value, valid) => {
    place.put('user', { telemetry: { [key]: value } });
    expect(fatal().message).toContain(`telemetry.${key}: expected one of ${valid}, received "${value}"`);
  });
});

describe('a home as of version 0.61', () => {
  it('loads without any problem', () => {
    place.put('user', REALISTIC_USER);
    place.put('workspace', REALISTIC_WORKSPACE);
    const settings = place.load();
    expect(settings.problems).toEqual([]);
    expect(settings.takeNotices()).toEqual([]);
    expect(settings.merged).toMatchObject({
      general: { vimMode: true, defaultApprovalMode: 'auto_edit', sessionRetention: { maxAge: '60d' } },
      ui: { theme: 'GitHub', footer: { items: ['workspace', 'model-name', 'context-used'] } },
      tools: { sandbox: 'docker', exclude: ['web_fetch', 'run_shell_command(rm -rf)'] },
      telemetry: { enabled: true, target: 'local' },
      mcpServers: { github: { httpUrl: 'https://api.example.com/mcp/' }, files: { args: ['-y', 'server'] } },
      advanced: { excludedEnvVars: ['DEBUG', 'DEBUG_MODE', 'NODE_ENV'] },
    });
  });

  it('reports each of six errors with file, line and key', () => {
    const user = place.put('user', SIX_MISTAKES);
    const settings = place.load();
    expect(formatProblems(settings.problems, 6)).toEqual([
      [
        `Problems in ${user}:`,
        '  line 3, general.vimMode: expected boolean, received string.',
        '  line 9, tools.exclude: expected array, received string; it counts as a list with one entry. ' +
          'Put it in square brackets.',
        '  line 14, mcpServers.x.args[1]: expected string, received null. ' +
          'Until it is right, mcpServers.x is left out.',
        '  line 18, ui: this key is in the file twice (before on line 6); the last one counts. Keep one ui.',
        '  line 18, ui.loadingPhrases: expected one of "tips", "witty", "all", "off", received "jokes".',
        '  line 4, general.defaultAprovalMode: unknown key. Did you mean general.defaultApprovalMode?',
      ].join('\n'),
    ]);
    expect(formatProblems(settings.problems)[0]?.split('\n').slice(-2)).toEqual([
      expect.stringContaining('line 18, ui.loadingPhrases: '),
      '  ...and 1 more; gemini doctor lists all.',
    ]);
    expect(settings.merged).toEqual({
      general: { maxAttempts: 4 },
      ui: { hideTips: true },
      tools: { exclude: ['web_fetch'] },
      mcpServers: { y: { command: 'node' } },
    });
  });
});

it('loads 200 keys in each file within 5 ms', () => {
  const general = { vimMode: true, maxAttempts: 3, sessionRetention: { maxAge: '30d' }, proxy: '$HOME/x' };
  const servers = Array.from({ length: 30 }, (_, index) => [
    `s${index}`,
    { command: 'x', args: ['a'], env: { K: '$V' }, timeout: 5 },
  ]);
  const themes = Array.from({ length: 40 }, (_, index) => [`t${index}`, { type: 'custom', name: 'x' }]);
  for (const scope of ['user', 'workspace', 'system'] as const) {
    place.put(scope, {
      general,
      mcpServers: Object.fromEntries(servers),
      ui: { customThemes: Object.fromEntries(themes) },
    });
  }
  const { merged } = place.load();
  expect(Object.keys(merged.mcpServers ?? {})).toHaveLength(30);
  expect(Object.keys(merged.ui?.customThemes ?? {})).toHaveLength(40);
});

describe('old names', () => {
  const OLD = '{\n  "model": "gemini-2.0-flash", // mine\n  "vimMode": "maybe"\n}';

  it('get one notice per file, ever; errors in them are reported as written', () => {
    const user = place.put('user', OLD);
    const settings = place.load();
    expect(settings.merged).toEqual({ model: { name: 'gemini-2.0-flash' }, general: {} });
    expect(settings.problems).toEqual([expect.objectContaining({ file: user, line: 3, keyPath: 'vimMode' })]);
    expect(settings.takeNotices()).toEqual([
      `${user} uses older names of settings. They were understood (model -> model.name, ` +
        'vimMode -> general.vimMode) and will be written in the new form when settings are next saved.',
    ]);
    expect(place.load().takeNotices()).toEqual([]);
    place.put('user', { model: 'x' });
    expect(place.load().takeNotices()).toHaveLength(1);
    place.put('user', { ui: { theme: 'VS' } });
    expect(place.load().takeNotices()).toEqual([expect.stringContaining('(ui.theme -> "Default Light")')]);
    place.put('user', { model: 'x' });
    expect(existsSync(`${user}.orig`)).toBe(false);
    expect(readFileSync(user, 'utf8')).toBe('{\n  "model": "x"\n}');
  });

  it('give one warning in a system file', () => {
    const system = place.put('system', { theme: 'x', hideBanner: true });
    const settings = place.load();
    expect(settings.takeNotices()).toEqual([]);
    expect(settings.problems).toEqual([
      {
        severity: 'warning',
        file: system,
        message: 'outdated names: theme -> ui.theme, hideBanner -> ui.hideBanner',
        hint: 'They still work; its administrator can change them.',
      },
    ]);
  });
});

const REALISTIC_USER = `{
  // my settings
  "$schema": "https://example.com/settings.schema.json",
  "general": {
    "vimMode": true,
    "preferredEditor": "neovim",
    "defaultApprovalMode": "auto_edit",
    "checkpointing": { "enabled": true },
    "sessionRetention": { "enabled": true, "maxAge": "60d", "maxCount": 200 },
    "enableNotifications": true,
    "maxAttempts": 5,
  },
  "ui": {
    "theme": "GitHub",
    "customThemes": { "Mine": { "type": "custom", "name": "Mine", "text": { "primary": "#fff" } } },
    "footer": { "items": ["workspace", "model-name", "context-used"], "hideContextPercentage": false },
    "loadingPhrases": "witty",
    "accessibility": { "screenReader": false }
  },
  "ide": { "enabled": true, "hasSeenNudge": true },
  "privacy": { "usageStatisticsEnabled": false },
  "model": { "name": "gemini-3-pro-preview", "compressionThreshold": 0.6,
             "summarizeToolOutput": { "run_shell_command": { "tokenBudget": 2000 } } },
  "modelConfigs": { "customAliases": { "fast": { "extends": "chat-base", "modelConfig": { "model": "gemini-3-flash" } } } },
  "agents": { "overrides": { "codebase_investigator": { "enabled": false, "runConfig": { "maxTurns": 10 } } },
              "browser": { "headless": true } },
  "context": { "fileName": ["GEMINI.md", "AGENTS.md"], "includeDirectories": ["~/shared"],
               "fileFiltering": { "respectGitIgnore": false, "customIgnoreFilePaths": [".dockerignore"] } },
  "tools": { "sandbox": "docker", "shell": { "pager": "less", "showColor": true },
             "exclude": ["web_fetch", "run_shell_command(rm -rf)"], "allowed": ["run_shell_command(git status)"],
             "truncateToolOutputThreshold": 20000 },
  "mcp": { "excluded": ["old"] },
  "mcpServers": {
    "github": { "httpUrl": "https://api.example.com/mcp/", "headers": { "Authorization": "Bearer $GH_TOKEN" },
                "timeout": 5000, "trust": false, "includeTools": ["search"] },
    "files": { "command": "npx", "args": ["-y", "server"], "env": { "A": "b" }, "cwd": "/tmp", "description": "d" },
    "oauth": { "url": "https://x.example/sse", "type": "sse", "oauth": { "enabled": true, "scopes": ["a"] } }
  },
  "security": { "auth": { "selectedType": "oauth-personal" }, "folderTrust": { "enabled": true },
                "environmentVariableRedaction": { "enabled": true, "allowed": ["X"], "blocked": ["Y"] } },
  "advanced": { "dnsResolutionOrder": "verbatim", "excludedEnvVars": ["NODE_ENV"], "bugCommand": { "urlTemplate": "https://x/{title}" } },
  "experimental": { "enableAgents": true, "worktrees": true, "voice": { "backend": "whisper" } },
  "skills": { "enabled": true, "disabled": ["a"] },
  "hooksConfig": { "enabled": true, "disabled": ["lint"] },
  "hooks": { "BeforeTool": [ { "matcher": "write_file|replace", "sequential": true,
             "hooks": [ { "type": "command", "name": "check", "command": "$GEMINI_PROJECT_DIR/check.sh", "timeout": 5000 } ] } ] },
  "telemetry": { "enabled": true, "target": "local", "otlpEndpoint": "http://localhost:4317", "logPrompts": false },
}
`;

const REALISTIC_WORKSPACE = {
  context: { includeDirectories: ['../other'] },
  tools: { core: ['read_file', 'ShellTool(git)'] },
  mcpServers: { local: { command: 'node', args: ['server.js'], env: { KEY: `\${LOCAL_KEY:-none}` } } },
  hooks: { SessionStart: [{ hooks: [{ type: 'command', command: 'echo hi' }] }] },
};

const SIX_MISTAKES = `{
  "general": {
    "vimMode": "yes",
    "defaultAprovalMode": "plan", "maxAttempts": 4
  },
  "ui": { "theme": "lost",
    "loadingPhrases": "off" },
  "tools": {
    "exclude": "web_fetch"
  },
  "mcpServers": {
    "x": {
      "command": "node",
      "args": ["a", null]
    },
    "y": { "command": "node" }
  },
  "ui": { "hideTips": true, "loadingPhrases": "jokes" }
}`;
