/** Who decides whether a folder is trusted when the user and the editor say different things. */
import { mkdirSync, realpathSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { tempDir } from '@gemini-cli/test-utils';
import { type CompanionOptions, startCompanion } from '@gemini-cli/test-utils/rig';
import { expect, it, onTestFinished } from 'vitest';
import { readFolder } from './read-folder.js';

it.each<[string, string, CompanionOptions['state'], boolean, string]>([
  ['distrusts what a saved rule trusts', 'TRUST_FOLDER', { isTrusted: false }, false, 'ide'],
  ['trusts what a saved rule forbids', 'DO_NOT_TRUST', { isTrusted: true }, true, 'ide'],
  ['leaves it to the saved rule when it does not say', 'TRUST_FOLDER', {}, true, 'file'],
])('the editor %s', async (_what, level, state, trusted, source) => {
  const { request } = await folderInEditor(level, state);
  expect((await readFolder(request)).trust).toEqual({ trusted, source });
});

it('the variable of this session counts before the editor, which is not even asked', async () => {
  const { request, companion } = await folderInEditor('TRUST_FOLDER', { isTrusted: false });
  const env = { ...request.env, GEMINI_CLI_TRUST_WORKSPACE: 'true' };
  expect((await readFolder({ ...request, env })).trust).toEqual({ trusted: true, source: 'env' });
  expect(companion.requests).toEqual([]);
});

it('the saved rule decides while the editor is not used', async () => {
  const { request, companion } = await folderInEditor('TRUST_FOLDER', { isTrusted: false }, false);
  expect((await readFolder(request)).trust).toEqual({ trusted: true, source: 'file' });
  expect(companion.requests).toEqual([]);
});

async function folderInEditor(level: string, state: CompanionOptions['state'], enabled = true) {
  const root = tempDir('read-folder-');
  onTestFinished(() => root.cleanup());
  const home = realpathSync(root.path);
  const cwd = join(home, 'project');
  mkdirSync(join(home, '.gemini'));
  mkdirSync(cwd);
  writeFileSync(join(home, '.gemini/settings.json'), JSON.stringify({ ide: { enabled } }));
  writeFileSync(join(home, '.gemini/trustedFolders.json'), JSON.stringify({ [cwd]: level }), { mode: 0o600 });
  const companion = await startCompanion({ tmpdir: home, roots: [cwd], ...(state && { state }) });
  const env = { ...companion.env, HOME: home, GEMINI_CLI_HOME: home };
  return { companion, request: { cwd, env, notice: () => undefined } };
}
