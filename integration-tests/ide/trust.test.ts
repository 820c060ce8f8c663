/** The editor's word about the workspace counts before the user's saved rules, and at once. */
import { expect, it } from 'vitest';
import { startCompanion, text } from '../test-utils.js';
import { command, LONG, startUi } from '../ui/ui.js';
import { editorRig } from './editor.js';

const COMMAND = { '.gemini/commands/greet.toml': 'description = "Greets"\nprompt = "say hello"\n' };

it('takes effect in the running session', { timeout: 60_000 }, async () => {
  const { rig, companion } = await editorRig({ state: { isTrusted: true } }, { files: COMMAND });
  rig.model.replies([text('hello from the project')]);
  const screen = await startUi(rig);
  await companion.untilConnected();
  await companion.update({ isTrusted: false });
  await screen.waitFor('VS Code does not trust this folder', LONG);
  await screen.waitFor('untrusted', LONG);
  await companion.update({ isTrusted: true });
  await screen.waitFor('VS Code trusts this folder', LONG);
  await companion.update({ isTrusted: false });
  await screen.waitFor('VS Code does not trust this folder', LONG);
  expect(screen.text()).not.toContain('VS Code trusts this folder');
  await companion.update({ isTrusted: true });
  await screen.waitFor('VS Code trusts this folder', LONG);
  await command(screen, '/greet');
  await screen.waitFor('hello from the project', LONG);
});

it('decides where the user has not: nothing is asked, and a headless run works', {
  timeout: 60_000,
}, async () => {
  const { rig } = await editorRig({ state: { isTrusted: true } }, { trust: false });
  rig.model.replies([text('done')]);
  const run = await rig.cli('-p', 'hello');
  expect([run.exitCode, run.stdout.trim()]).toEqual([0, 'done']);
});

it('asks about trust and works on one connection, and finds the editor again when that is lost', {
  timeout: 60_000,
}, async () => {
  const state = { isTrusted: true, openFiles: [{ path: '/a.ts', timestamp: 1 }] };
  const { rig, companion, tmp } = await editorRig({ state }, { trust: false });
  const screen = await startUi(rig);
  await screen.waitFor('1 open file', LONG);
  await command(screen, '/ide status');
  await screen.waitFor('Connected to VS Code', LONG);
  const streams = companion.requests.filter(({ method }) => method === 'GET');
  expect([companion.hasFirstConnection, streams.length]).toEqual([true, 1]);
  await companion.close();
  await screen.waitFor((seen) => !seen.includes('open file'), LONG);
  await startCompanion({ tmpdir: tmp, roots: [rig.workspace], state });
  await screen.waitFor('1 open file', LONG);
});

it('closes the question about the folder when the editor says it meanwhile', {
  timeout: 60_000,
}, async () => {
  const { rig, companion } = await editorRig({}, { trust: false, files: COMMAND });
  rig.model.replies([text('hello from the project')]);
  const screen = await rig.screen([]);
  await screen.waitFor('Do you trust this folder?', LONG);
  await companion.untilConnected();
  await companion.update({ isTrusted: true });
  await screen.waitFor((seen) => !seen.includes('Do you trust this folder?'), LONG);
  await command(screen, '/greet');
  await screen.waitFor('hello from the project', LONG);
});

it('ends with the connection, and the user is told', { timeout: 60_000 }, async () => {
  const { rig } = await editorRig({ state: { isTrusted: true } }, { trust: false });
  const screen = await startUi(rig);
  await command(screen, '/ide disable');
  await screen.waitFor('Without the editor this folder is not trusted. To trust it: /permissions', LONG);
  await screen.waitFor('untrusted', LONG);
  await command(screen, '/ide enable');
  await screen.waitFor('VS Code trusts this folder', LONG);
  expect(screen.text()).not.toContain('Without the editor');
});

it('ends a headless run in a folder that it does not trust', async () => {
  const { rig } = await editorRig({ state: { isTrusted: false } }, { trust: false });
  const run = await rig.cli('-p', 'hello');
  expect(run.exitCode).toBe(55);
});

it('does not count against the variable of this session', { timeout: 60_000 }, async () => {
  const { rig, companion } = await editorRig(
    { state: { isTrusted: false, openFiles: [{ path: '/a.ts', timestamp: 1 }] } },
    { files: COMMAND, env: { GEMINI_CLI_TRUST_WORKSPACE: 'true' } },
  );
  rig.model.replies([text('hello from the project')]);
  const screen = await startUi(rig);
  await companion.untilConnected();
  await screen.waitFor('1 open file', LONG);
  await command(screen, '/greet');
  await screen.waitFor('hello from the project', LONG);
  expect(screen.text()).not.toContain('does not trust');
});
