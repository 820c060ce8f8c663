import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, relative } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { installCompanion, OFFICIAL_ID } from './install-companion.js';

const VSCODE = { name: 'vscode', displayName: 'VS Code' };
const { signal } = new AbortController();

/** A folder with the editor's command, which writes down its arguments. */
function editorCommand(name: string, script = ''): { env: Record<string, string>; calls: () => string[] } {
  const folder = mkdtempSync(join(tmpdir(), 'gemini-ide-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  const log = join(folder, 'calls');
  writeFileSync(log, '');
  writeFileSync(join(folder, name), `#!/bin/sh\necho "$@" >> ${log}\n${script}\n`, { mode: 0o755 });
  return {
    env: { PATH: `${folder}:/usr/bin:/bin` },
    calls: () => readFileSync(log, 'utf8').trim().split('\n'),
  };
}

/** Where an editor is installed: its commands, which write down their arguments, and its description. */
function editorFolder(files: Record<string, unknown>): { folder: string; log: () => string[] } {
  const folder = mkdtempSync(join(tmpdir(), 'gemini-ide-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  const log = join(folder, 'calls');
  for (const [name, content] of Object.entries(files)) {
    const text = name.endsWith('.json') ? JSON.stringify(content) : `#!/bin/sh\necho "$@" >> ${log}\n`;
    mkdirSync(dirname(join(folder, name)), { recursive: true });
    writeFileSync(join(folder, name), text, { mode: 0o755 });
  }
  return { folder, log: () => readFileSync(log, 'utf8').trim().split('\n') };
}

it("installs the file with the editor's own command", async () => {
  const { env, calls } = editorCommand('code');
  expect(await installCompanion({ ide: VSCODE, env, signal, file: '/x.vsix' })).toEqual({
    kind: 'installed',
  });
  expect(calls()).toEqual(['--list-extensions', '--install-extension /x.vsix --force']);
});

it('leaves the companion of Gemini CLI where it is installed', async () => {
  const { env, calls } = editorCommand(
    'code',
    `[ "$1" = --list-extensions ] && echo ${OFFICIAL_ID.toUpperCase()}`,
  );
  expect(await installCompanion({ ide: VSCODE, env, signal, file: '/x.vsix' })).toEqual({
    kind: 'other_companion',
  });
  expect(calls()).toHaveLength(1);
});

it.each([
  ['positron', 'Positron', 'positron'],
  ['cursor', 'Cursor', 'cursor'],
  ['antigravity', 'Antigravity', 'agy'],
])('uses the command of %s', async (name, displayName, command) => {
  const { env } = editorCommand(command);
  const outcome = await installCompanion({ ide: { name, displayName }, env, signal, file: '/x.vsix' });
  expect(outcome.kind).toBe('installed');
});

it.each([
  ['code-insiders', 'resources/app', 'bin/code-insiders'],
  ['codium', 'Contents/Resources/app', 'Contents/Resources/app/bin/codium'],
  ['code-server', 'lib/vscode', 'lib/vscode/bin/remote-cli/code-server'],
])('prefers the command of the editor of this terminal: %s', async (applicationName, app, command) => {
  const { env, calls } = editorCommand('code');
  const { folder, log } = editorFolder({ [command]: '', [`${app}/product.json`]: { applicationName } });
  const askpass = join(folder, app, 'extensions/git/dist/askpass-main.js');
  const outcome = await installCompanion({
    ide: VSCODE,
    env: { ...env, VSCODE_GIT_ASKPASS_MAIN: askpass },
    signal,
    file: '/x.vsix',
  });
  expect(outcome.kind).toBe('installed');
  expect([calls(), log()]).toEqual([[''], ['--list-extensions', '--install-extension /x.vsix --force']]);
});

it('finds that command in PATH where git is missing', async () => {
  const { env } = editorCommand('code');
  const command = 'server/bin/remote-cli/cursor';
  const { folder, log } = editorFolder({
    [command]: '',
    'server/product.json': { applicationName: 'cursor' },
  });
  const PATH = `${env['PATH']}:${join(folder, dirname(command))}`;
  await installCompanion({ ide: VSCODE, env: { PATH }, signal, file: '/x.vsix' });
  expect(log()).toHaveLength(2);
});

it.each([
  ['names no command', {}],
  ['names a path', { applicationName: '../../evil' }],
  ['names a folder', { applicationName: '..' }],
  ['is no object', 7],
])('uses the usual command where the description of the editor %s', async (_what, product) => {
  const { env, calls } = editorCommand('code');
  const { folder } = editorFolder({ 'app/product.json': product, evil: '' });
  const askpass = join(folder, 'app/extensions/git/dist/askpass-main.js');
  const variables = { ...env, VSCODE_GIT_ASKPASS_MAIN: askpass };
  await installCompanion({ ide: VSCODE, env: variables, signal, file: '/x.vsix' });
  expect(calls()).toHaveLength(2);
});

it('says what the editor said when it refuses', async () => {
  const { env } = editorCommand('code', 'echo "Error: end of file" >&2; exit 1');
  const outcome = await installCompanion({ ide: VSCODE, env, signal, file: '/x.vsix' });
  expect(outcome).toEqual({
    kind: 'failed',
    message: 'VS Code did not install the companion: Error: end of file. Its file: /x.vsix',
  });
});

it('says how to get the command where it is missing', async () => {
  const env = { PATH: '/nowhere', HOME: '/nowhere' };
  const outcome = await installCompanion({
    ide: { name: 'positron', displayName: 'Positron' },
    env,
    signal,
    file: '/x.vsix',
  });
  expect(outcome).toMatchObject({
    kind: 'failed',
    message: expect.stringMatching(
      /^The command "positron" was not found\. In Positron .*"Extensions: Install from VSIX…" with this file: \/x\.vsix$/,
    ),
  });
});

it('runs nothing in the current folder where a variable of the system is missing', async () => {
  const { folder, log } = editorFolder({ calls: '', 'Programs/Microsoft VS Code/bin/code.cmd': '' });
  const env = { PATH: '/nowhere', LOCALAPPDATA: relative(process.cwd(), folder) };
  const outcome = await installCompanion({ ide: VSCODE, env, signal, file: '/x.vsix' });
  expect(outcome.kind).toBe('failed');
  expect(log().join()).not.toContain('install-extension /x.vsix');
});

it('leads to ACP where extensions cannot be installed', async () => {
  const zed = { name: 'zed', displayName: 'Zed' };
  const outcome = await installCompanion({ ide: zed, env: {}, signal, file: '/x.vsix' });
  expect(outcome).toMatchObject({
    kind: 'failed',
    message: expect.stringContaining('Agent Client Protocol'),
  });
});
