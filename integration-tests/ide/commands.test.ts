/** `/ide`, the offer at the first start, and what the screen tells about the editor. */
import { cpSync, readFileSync, writeFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { expect, it } from 'vitest';
import { BUNDLE, startCompanion, testRig } from '../test-utils.js';
import { command, LONG, startUi } from '../ui/ui.js';
import { editorRig, temporaryFolder } from './editor.js';

it('shows the connection and the open files, told apart by their folders', { timeout: 60_000 }, async () => {
  const { rig, companion } = await editorRig({
    serverInfo: { name: 'gemini-cli-companion', version: '0.0.1' },
  });
  await companion.update({
    openFiles: [
      { path: rig.path('src/index.ts'), timestamp: 3, isActive: true },
      { path: rig.path('test/index.ts'), timestamp: 2 },
      { path: rig.path('README.md'), timestamp: 1 },
    ],
  });
  const screen = await startUi(rig);
  await screen.waitFor('3 open files (F4 to view)', LONG);
  await command(screen, '/ide status');
  await screen.waitFor('Connected to VS Code. Open files:', LONG);
  for (const line of ['- src/index.ts (active)', '- test/index.ts', '- README.md'])
    expect(screen.text()).toContain(line);
  expect(screen.text()).toContain(
    'The companion has version 0.0.1. For the one of this program: /ide install',
  );
  screen.press('F4');
  await screen.waitFor('Open in VS Code (F4 to hide)', LONG);
  screen.press('F4');
  await screen.waitFor((seen) => !seen.includes('F4 to hide'), LONG);
});

it('disconnects and connects, now and in later sessions', { timeout: 60_000 }, async () => {
  const { rig, companion } = await editorRig({
    state: { openFiles: [{ path: '/a.ts', timestamp: 1, isActive: true }] },
  });
  const saved = () =>
    JSON.parse(readFileSync(join(rig.home, '.gemini/settings.json'), 'utf8')).ide.enabled as boolean;
  const screen = await startUi(rig);
  await screen.waitFor('1 open file', LONG);
  await command(screen, '/ide disable');
  await screen.waitFor('Disconnected from the editor', LONG);
  await screen.waitFor((seen) => !seen.includes('1 open file'), LONG);
  expect([saved(), companion.isConnected]).toEqual([false, false]);
  await command(screen, '/ide enable');
  await screen.waitFor('Connected to VS Code', LONG);
  expect(screen.text()).toContain('- a.ts (active)');
  expect(saved()).toBe(true);
});

it('says why it is not connected', { timeout: 60_000 }, async () => {
  const { rig } = await editorRig({ roots: ['/elsewhere'] });
  const screen = await startUi(rig);
  await command(screen, '/ide status');
  await screen.waitFor('Open there: /elsewhere', LONG);
  expect(screen.text()).toContain('🔴');
});

it('names the supported editors in any other terminal', async () => {
  const rig = await testRig({ env: { TMPDIR: temporaryFolder() } });
  const run = await rig.cli('-p', '/ide status');
  expect(run.exitCode).toBe(42);
  expect(run.stderr).toMatch(/not in a supported editor\. Supported: VS Code, .*Zed/);
});

/** Without a name of its own, an editor is called by its process, the first above the tests, which differs by machine. */
const OFFER = /Connect to (?:VS Code|your editor)\?/;

it('offers to connect at the first start in an editor, and never again when the user wants that', {
  timeout: 60_000,
}, async () => {
  const tmp = temporaryFolder();
  const rig = await testRig({ env: { TERM_PROGRAM: 'vscode', TMPDIR: tmp } });
  const screen = await rig.screen([]);
  await screen.waitFor(OFFER, LONG);
  screen.type('3');
  await screen.waitFor((seen) => !OFFER.test(seen), LONG);
  const settings = () => JSON.parse(readFileSync(join(rig.home, '.gemini/settings.json'), 'utf8'));
  await expect.poll(() => settings().ide).toEqual({ hasSeenNudge: true });
});

it('connects at once where the companion runs already', { timeout: 60_000 }, async () => {
  const tmp = temporaryFolder();
  const rig = await testRig({ env: { TERM_PROGRAM: 'vscode', TMPDIR: tmp } });
  const companion = await startCompanion({ tmpdir: tmp, roots: [rig.workspace], isHidden: true });
  const screen = await rig.screen([], { env: companion.addressVariables });
  await screen.waitFor(OFFER, LONG);
  screen.type('1');
  await screen.waitFor(/🟢 Connected to (?:VS Code|your editor)/, LONG);
});

it('offers no installation where the companion is found by its file', { timeout: 60_000 }, async () => {
  const tmp = temporaryFolder();
  const rig = await testRig({ env: { TERM_PROGRAM: 'vscode', TMPDIR: tmp } });
  await startCompanion({ tmpdir: tmp, roots: [rig.workspace] });
  const screen = await rig.screen([]);
  await screen.waitFor('Connect to VS Code?', LONG);
  expect(screen.text()).not.toContain('install');
  screen.type('1');
  await screen.waitFor('🟢 Connected to VS Code', LONG);
});

it('offers a connection also in an editor without such an extension, when a plugin of it is a companion', {
  timeout: 60_000,
}, async () => {
  const tmp = temporaryFolder();
  const rig = await testRig({ env: { TERMINAL_EMULATOR: 'JetBrains-JediTerm', TMPDIR: tmp } });
  const ideInfo = { name: 'goland', displayName: 'GoLand' };
  await startCompanion({ tmpdir: tmp, roots: [rig.workspace], file: { ideInfo } });
  const screen = await rig.screen([]);
  await screen.waitFor('Connect to GoLand?', LONG);
  expect(screen.text()).not.toContain('install');
  screen.type('1');
  await screen.waitFor('🟢 Connected to GoLand', LONG);
});

it("installs the companion by the editor's command, and connects when it answers", {
  timeout: 60_000,
}, async () => {
  const tmp = temporaryFolder();
  const program = programWithCompanion(join(tmp, 'dist'));
  const rig = await testRig({ env: { TERM_PROGRAM: 'vscode', TMPDIR: tmp }, program });
  const companion = await startCompanion({ tmpdir: tmp, roots: [rig.workspace], isHidden: true });
  // The editor installs it, which starts the companion.
  const log = join(tmp, 'installed');
  const content = JSON.stringify({
    port: companion.port,
    workspacePath: rig.workspace,
    authToken: companion.addressVariables['GEMINI_CLI_IDE_AUTH_TOKEN'],
  });
  const told = `${tmp}/gemini/ide/gemini-ide-server-${process.pid}-${companion.port}.json`;
  writeFileSync(
    join(tmp, 'code'),
    `#!/bin/sh\necho "$@" >> ${log}\n[ "$1" = --install-extension ] || exit 0\nmkdir -p ${tmp}/gemini/ide\ncat > ${told} <<'END'\n${content}\nEND\nchmod 600 ${told}\n`,
    { mode: 0o755 },
  );
  const screen = await rig.screen([], { env: { PATH: `${tmp}:${process.env['PATH']}` } });
  await screen.waitFor(OFFER, LONG);
  screen.type('1');
  await screen.waitFor(/🟢 Connected to (?:VS Code|your editor)/, LONG);
  expect(readFileSync(log, 'utf8')).toMatch(
    /--list-extensions\n--install-extension \S+companion\.vsix --force/,
  );
});

it('asks to reload the window where an older companion still runs after the installation', {
  timeout: 60_000,
}, async () => {
  const tmp = temporaryFolder();
  writeFileSync(join(tmp, 'code'), '#!/bin/sh\n', { mode: 0o755 });
  const { rig } = await editorRig(
    { serverInfo: { name: 'gemini-cli-companion', version: '0.0.1' } },
    { program: programWithCompanion(join(tmp, 'dist')) },
  );
  const screen = await startUi(rig, [], { env: { PATH: `${tmp}:${process.env['PATH']}` } });
  await command(screen, '/ide install');
  await screen.waitFor('The companion is installed in VS Code. Reload the window', LONG);
});

/** A copy of the built program that has the extension beside it, whatever the build has made. */
function programWithCompanion(folder: string): string {
  cpSync(dirname(BUNDLE), folder, { recursive: true });
  writeFileSync(join(folder, 'companion.vsix'), 'PK');
  return join(folder, basename(BUNDLE));
}
