/** `gemini doctor` as a user sees it: an old home directory, mistakes in it, and homes that are missing or broken. */
import { chmodSync, mkdirSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { JSON_OFFLINE, problemsOf, reportOf } from './doctor-report.js';
import { mountNamespace, type TestRig, testRig } from './test-utils.js';

/** What years with version 0.61 leave behind, according to its documentation. */
function writeOldHome(rig: TestRig): void {
  rig.writeHome(
    'settings.json',
    `{
  // my settings
  "$schema": "https://raw.githubusercontent.com/google-gemini/gemini-cli/main/schemas/settings.schema.json",
  "general": { "vimMode": true, "preferredEditor": "vim", "sessionRetention": { "enabled": true, "maxAge": "30d" } },
  "ui": { "theme": "GitHub", "footer": { "hideCWD": false }, "hideTips": true, },
  "security": { "auth": { "selectedType": "gemini-api-key" }, "folderTrust": { "enabled": true } },
  "model": { "name": "gemini-2.5-pro", "compressionThreshold": 0.6 },
  "context": { "fileName": ["GEMINI.md", "AGENTS.md"], "fileFiltering": { "respectGitIgnore": true } },
  "tools": { "shell": { "showColor": true }, "allowed": ["run_shell_command(git status)"] },
  "mcpServers": { "docs": { "command": "npx", "args": ["-y", "docs-mcp"], "env": { "TOKEN": "$DOCS_TOKEN" }, "timeout": 5000 } },
  "hooks": { "BeforeTool": [{ "matcher": "write_file", "hooks": [{ "type": "command", "command": "true", "name": "guard" }] }] },
  "telemetry": { "enabled": false, "target": "local" },
  "privacy": { "usageStatisticsEnabled": false },
  "experimental": { "enableAgents": true },
}
`,
  );
  rig.writeHome('trustedFolders.json', JSON.stringify({ [rig.workspace]: 'TRUST_FOLDER' }));
  rig.writeHome('installation_id', '3c9b1c1e-7a8d-4f0e-9a53-0e7f0f6f2b11');
  rig.writeHome('google_accounts.json', '{"active":null,"old":["someone@example.com"]}');
  rig.writeHome('GEMINI.md', '# Memory\n- Prefers tabs\n');
  rig.writeHome('commands/git/commit.toml', 'description = "Commit"\nprompt = "Write a commit message."\n');
  rig.writeHome(
    'policies/auto-saved.toml',
    '[[rule]]\ntoolName = "read_file"\ndecision = "allow"\npriority = 100\n',
  );
  rig.writeHome(
    'skills/review/SKILL.md',
    '---\nname: review\ndescription: Reviews code\n---\nRead it twice.\n',
  );
  rig.writeHome('agents/helper.md', '---\nname: helper\ndescription: Helps\n---\nHelp.\n');
  for (const name of ['google_accounts.json', 'trustedFolders.json'])
    chmodSync(join(rig.home, '.gemini', name), 0o600);
  rig.write(
    '.gemini/settings.json',
    '{ "context": { "includeDirectories": [] }, "tools": { "exclude": ["web_fetch"] } }\n',
  );
  rig.write('.gemini/.env', 'DOCS_TOKEN=abcdef123456\n');
  rig.write('.gemini/commands/test.toml', 'prompt = "Run the tests."\n');
  rig.write('GEMINI.md', '# Project\n');
}

/** Six mistakes in six files. */
function addMistakes(rig: TestRig): void {
  rig.writeHome(
    'settings.json',
    '{\n  "general": { "vimMode": true },\n  "ui": {\n    "hideTips": "maybe",\n    "hideFoter": true\n  }\n}\n',
  );
  rig.writeHome('hooks.toml', '[hooks.BeforeTool]\nmatcher = "*"\nhooks = [ oops\n');
  rig.write(
    '.gemini/settings.json',
    '{\n  "mcpServers": {\n    "docs": { "command": "npx", "timeout": "soon" }\n  }\n}\n',
  );
  rig.write('.gemini/.env', 'DOCS_TOKEN=abcdef123456\nthis is no assignment\n');
  rig.write('.gemini/commands/test.toml', 'description = "x"\nprompt = \n');
}

describe('gemini doctor', () => {
  it('reports no problem for a home and project of version 0.61', async () => {
    const rig = await testRig();
    writeOldHome(rig);
    const run = await rig.cli('doctor', '--json');
    expect({ exitCode: run.exitCode, stderr: run.stderr }).toEqual({ exitCode: 0, stderr: '' });
    const { checks, version, fatal } = reportOf(run);
    expect(checks.filter(({ status }) => status === 'warning' || status === 'error')).toEqual([]);
    expect(version).toMatch(/^\d+\.\d+\.\d+/);
    expect(fatal).toBe(0);
    expect(checks.map(({ id }) => id)).toEqual([
      'version',
      'terminal',
      'settings',
      'files',
      'trust',
      'guards',
      'hooks',
      'agents',
      'environment',
      'disk',
      'sign-in',
      'model',
      'local-models',
      'mcp',
      'tools',
      'sandbox',
    ]);
  });

  it('skips the .env file of a refused parent folder, as a session would', async () => {
    const rig = await testRig();
    rig.write('.env', 'FROM_ABOVE=1\n');
    rig.write('below/x', '');
    const rules = { [rig.workspace]: 'DO_NOT_TRUST', [rig.path('below')]: 'TRUST_FOLDER' };
    rig.writeHome('trustedFolders.json', JSON.stringify(rules));
    const { details } = reportOf(await rig.cli(...JSON_OFFLINE, { cwd: rig.path('below') })).of(
      'environment',
    );
    expect(details).toContain(`ignored ${rig.path('.env')}: the folder ${rig.workspace} is not trusted`);
  });

  it('names six mistakes with file and line in one run', async () => {
    const rig = await testRig();
    writeOldHome(rig);
    addMistakes(rig);
    const run = await rig.cli(...JSON_OFFLINE);
    const places = problemsOf(run).map(({ file, line, keyPath }) => ({ file, line, keyPath }));
    const own = (name: string) => join(rig.home, '.gemini', name);
    expect(places).toEqual([
      { file: own('settings.json'), line: 4, keyPath: 'ui.hideTips' },
      { file: own('settings.json'), line: 5, keyPath: 'ui.hideFoter' },
      { file: rig.path('.gemini/settings.json'), line: 3, keyPath: 'mcpServers.docs.timeout' },
      { file: rig.path('.gemini/commands/test.toml'), line: 2, keyPath: undefined },
      { file: own('hooks.toml'), line: 3, keyPath: undefined },
      { file: rig.path('.gemini/.env'), line: 2, keyPath: undefined },
    ]);
    expect(problemsOf(run).find(({ keyPath }) => keyPath === 'ui.hideFoter')?.hint).toContain('hideFooter');
  });

  it('prints the same as text: marks, places, what to do', async () => {
    const rig = await testRig();
    writeOldHome(rig);
    addMistakes(rig);
    const { stdout, stderr } = await rig.cli('doctor', '--offline');
    expect(stderr).toBe('');
    expect(stdout).toMatch(/^✓ Program {6}gemini \d+\.\d+/m);
    expect(stdout).toMatch(/^[!✗] Settings {5}3 problems$/m);
    expect(stdout).toContain(`! ${join(rig.home, '.gemini/settings.json')}:4:`);
    expect(stdout).toMatch(/ui\.hideTips: .*(boolean|true or false)/);
    expect(stdout).toContain(`${rig.path('.gemini/.env')}:2`);
    expect(stdout).toMatch(/^ +→ Correct/m);
    expect(stdout).toMatch(/^✓ Sandbox/m);
    expect(stdout).not.toContain('\u001b');
  });

  it('runs when settings.json does not parse and reports that with its place', async () => {
    const rig = await testRig({ settings: '{\n  "ui": {\n    "theme": oops\n  }\n}\n' });
    expect((await rig.cli('-p', 'x', '--skip-trust')).exitCode).toBe(52);
    const run = await rig.cli(...JSON_OFFLINE);
    expect(run.exitCode).toBe(1);
    expect(reportOf(run).of('settings')).toMatchObject({
      status: 'error',
      problems: [{ severity: 'fatal', file: join(rig.home, '.gemini/settings.json'), line: 3 }],
    });
    expect(reportOf(run).fatal).toBe(1);
  });

  it.each([
    ['binary', Uint8Array.from({ length: 4096 }, (_, index) => index % 7)],
    ['a list', '[1, 2]'],
    ['cut', '{ "ui": { "theme": "x'],
  ])('names a settings.json that is %s', async (_what, content) => {
    const rig = await testRig();
    rig.writeHome('settings.json', content);
    const run = await rig.cli(...JSON_OFFLINE);
    expect(run.exitCode).toBe(1);
    expect(reportOf(run).of('settings').problems).toMatchObject([
      { severity: 'fatal', file: join(rig.home, '.gemini/settings.json'), message: expect.any(String) },
    ]);
  });

  it('names an invalid rule of trustedFolders.json and applies the others', async () => {
    const rig = await testRig();
    const rules = { '/elsewhere': 'TRUST_ME', [rig.workspace]: 'TRUST_FOLDER' };
    const file = rig.writeHome('trustedFolders.json', JSON.stringify(rules, null, 2));
    const run = await rig.cli(...JSON_OFFLINE);
    expect(run.exitCode).toBe(1);
    const { details, problems, status } = reportOf(run).of('trust');
    expect({ status, problems }).toMatchObject({
      status: 'error',
      problems: [{ file, line: 2, severity: 'fatal' }],
    });
    expect(details[0]).toContain(`${rig.workspace} is trusted`);
  });

  it('shows what an untrusted folder would load, applies none of it, and lists its mistakes', async () => {
    const rig = await testRig({ env: { GEMINI_CLI_TRUST_WORKSPACE: 'false' } });
    rig.write(
      '.gemini/settings.json',
      '{\n  "ui": { "hideTips": 3 },\n  "tools": { "allowed": ["write_file"] }\n}',
    );
    rig.write('.env', 'GOOGLE_GEMINI_BASE_URL=https://evil.example\n');
    const run = await rig.cli(...JSON_OFFLINE);
    expect(run.exitCode).toBe(0);
    const { of } = reportOf(run);
    expect(of('trust').status).toBe('warning');
    expect(of('trust').details.join('\n')).toMatch(
      /is not trusted[\s\S]*2 settings[\s\S]*tools run without asking/,
    );
    expect(of('settings')).toMatchObject({
      status: 'warning',
      problems: [{ severity: 'warning', line: 2, keyPath: 'ui.hideTips' }],
    });
    expect(run.stdout).not.toContain('evil');
  });

  it('writes nothing', async () => {
    const rig = await testRig();
    writeOldHome(rig);
    const before = snapshot(rig.home);
    await rig.cli('doctor');
    expect(snapshot(rig.home)).toEqual(before);
  });

  it.each([
    [['--jsn'], 'unknown argument "--jsn"'],
    [['please'], 'unknown argument "please"'],
  ])('refuses %j', async (args, message) => {
    const rig = await testRig();
    const { exitCode, stdout, stderr } = await rig.cli('doctor', ...args);
    expect({ exitCode, stdout }).toEqual({ exitCode: 1, stdout: '' });
    expect(stderr).toContain(message);
  });

  it('prints its help', async () => {
    const rig = await testRig();
    const { exitCode, stdout } = await rig.cli('doctor', '--help');
    expect(exitCode).toBe(0);
    expect(stdout).toContain('--json');
    expect(stdout).not.toContain('not available');
  });
});

describe('gemini doctor with a broken home', () => {
  it.each([
    ['missing', (rig: TestRig) => join(rig.home, 'none/at/all'), 0, 'ok'],
    ['a file', (rig: TestRig) => rig.write('file', ''), 1, 'error'],
  ])('reports %s', async (_what, makeHome, exitCode, status) => {
    const rig = await testRig();
    const home = makeHome(rig);
    const run = await rig.cli(...JSON_OFFLINE, {
      env: { GEMINI_CLI_HOME: home, GEMINI_CLI_TRUST_WORKSPACE: 'true' },
    });
    expect(reportOf(run).of('disk').status).toBe(status);
    expect(run.exitCode).toBe(exitCode);
  });

  it('reports a read-only home and what to do', async () => {
    const rig = await testRig();
    writeOldHome(rig);
    const script = `mount --bind '${rig.home}' '${rig.home}' && mount -o remount,ro,bind '${rig.home}' && exec "$@"`;
    const run = await rig.cli(...JSON_OFFLINE, {
      under: [...mountNamespace(), 'bash', '-c', script, 'bash'],
    });
    const disk = reportOf(run).of('disk');
    expect({ exitCode: run.exitCode, status: disk.status }).toEqual({ exitCode: 1, status: 'error' });
    expect(disk.details.join('\n')).toContain('read-only');
    expect(disk.remedy).toContain('GEMINI_CLI_HOME');
  });

  it('reports a directory in place of settings.json', async () => {
    const rig = await testRig();
    mkdirSync(join(rig.home, '.gemini/settings.json'));
    const run = await rig.cli(...JSON_OFFLINE);
    expect(run.exitCode).toBe(1);
    expect(reportOf(run).of('settings').problems[0]?.message).toContain('directory');
  });

  it('reports credentials that other users can read', async () => {
    const rig = await testRig();
    const file = rig.writeHome('mcp-oauth-tokens.json', '[]');
    chmodSync(file, 0o644);
    const run = await rig.cli(...JSON_OFFLINE);
    const { status, details, remedy } = reportOf(run).of('disk');
    expect(status).toBe('warning');
    expect(details).toContain(`${file} (0644) can be read by other users`);
    expect(remedy).toContain(`chmod 600 ${file}`);
  });
});

/** Names, modes and contents of everything below. */
function snapshot(root: string): Record<string, string> {
  const entries = readdirSync(root, { recursive: true, withFileTypes: true });
  return Object.fromEntries(
    entries.map((entry) => {
      const path = join(entry.parentPath, entry.name);
      return [path, `${statSync(path).mode} ${entry.isFile() ? readFileSync(path, 'utf8') : ''}`];
    }),
  );
}
